"""Options of the data source, which are text in Spark."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

from rowstone._base.options import check_names
from rowstone._base.options.words import Durability
from rowstone._core.options import ConnectOptions
from rowstone.engines._condition_text import condition_text
from rowstone.engines._conditions import condition
from rowstone.engines._predicate import Predicate
from rowstone.engines._schema import RowSchema
from rowstone.engines._source import OnError
from rowstone.engines.spark._schemas import key_of_text, parse_schema, schema_text
from rowstone.engines.writing.sink import Mode
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys import Key

CONNECT = "connect."
"""What the names of options of `rowstone.connect` begin with."""

_NAMES = (
    "url",
    "table",
    "schema",
    "key",
    "columns",
    "where",
    "pushdown",
    "on_error",
    "mode",
    "timestamp",
    "staging_dir",
)
_TEXTS = ("user", "password", "principal", "keytab", "service_principal", "protection", "impersonate", "compression")
# Spark's own, which it passes on for streams.
_IGNORED = ("checkpointlocation", "queryname")


@dataclass(frozen=True)
class Options:
    """The options of a read or a write. Created by `parse`.

    Attributes:
        url: What `rowstone.connect` opens.
        schema: The columns; None to take the declared ones, or to guess them from a sample.
        key: The row key, if there is no schema.
        columns: Names of the columns of a read; None for all.
        where: The condition on rows of a read.
        pushdown: Whether Spark passes the filters of queries to the source.
        staging_dir: The folder for the files of a bulk load; None to send puts.
        connect: Options of `rowstone.connect`.
    """

    url: str
    table: str
    schema: RowSchema | None = None
    key: str | Key = "text"
    columns: tuple[str, ...] | None = None
    where: Predicate | None = None
    pushdown: bool = False
    on_error: Any = "raise"
    mode: Any = "put"
    timestamp: int | None = None
    staging_dir: str | None = None
    connect: Mapping[str, Any] = field(default_factory=dict, repr=False)


def parse(given: Mapping[str, str]) -> Options:
    """Return the options that Spark was given; their names are in lower case.

    Raises:
        InvalidArgument: An option is unknown or missing, or its text is not valid.
    """
    options = {name: text for name, text in given.items() if name not in _IGNORED}
    connect = {
        name.removeprefix(CONNECT): _value(name.removeprefix(CONNECT), options.pop(name))
        for name in [*options]
        if name.startswith(CONNECT)
    }
    path = options.pop("path", None)
    if unknown := options.keys() - set(_NAMES):
        raise InvalidArgument(f"format 'rowstone' has no option {min(unknown)!r}; there are: {', '.join(_NAMES)}")
    table = options.pop("table", path)
    if "url" not in options or table is None:
        raise InvalidArgument("format 'rowstone' needs the options 'url' and 'table'")
    found: dict[str, Any] = dict(options)
    for name, convert in _CONVERSIONS.items():
        if name in found:
            found[name] = convert(found[name])
    return Options(table=table, connect=connect, **found)


class SparkOptions(ConnectOptions, total=False):
    """Further options of `options`."""

    columns: Sequence[str]
    where: Predicate | str
    pushdown: bool
    on_error: OnError
    mode: Mode
    timestamp: int
    staging_dir: str | os.PathLike[str]
    key: str | Key
    configuration: Mapping[str, Any]
    durability: Durability
    tracing: bool


def options(url: str, table: str, schema: RowSchema | None = None, **more: Unpack[SparkOptions]) -> dict[str, str]:
    """Return the options of a read or a write as Spark takes them: ``spark.read.format("rowstone").options(**…)``.

    Args:
        url: What `rowstone.connect` opens.
        table: The table's name.
        schema: Its columns; without one, the declared codecs, or a guess from a sample.
        more: ``columns`` (names), ``where`` (a predicate or its text), ``pushdown``, ``on_error``, ``mode``,
            ``timestamp``, ``staging_dir``, ``key``; and options of `rowstone.connect`: ``configuration``,
            ``durability``, ``tracing`` and those of `rowstone.ConnectOptions`. None is the default of each.

    Raises:
        InvalidType: An option is unknown, or has no text that Spark could pass on: ``tls``, ``clock``, a class.

    Example:
        >>> from rowstone.engines import RowSchema
        >>> options("hbase://host:16000", "people", RowSchema("text", {"age": ("f:age", "int32")}), columns=["age"])
        ... # doctest: +NORMALIZE_WHITESPACE
        {'url': 'hbase://host:16000', 'table': 'people',
         'schema': '{"key": "text", "columns": {"age": ["f:age", "int32"]}}', 'columns': '["age"]'}
    """
    check_names(options, more, SparkOptions.__optional_keys__)
    found = {"url": url, "table": table}
    if schema is not None:
        found["schema"] = schema_text(schema)
    for name, value in more.items():
        if value is not None:
            found[name if name in _NAMES else CONNECT + name] = _text(name, value)
    return found


def _text(name: str, value: Any) -> str:
    if isinstance(value, Predicate):
        return condition_text(value)
    if isinstance(value, os.PathLike):
        return str(value)
    if isinstance(value, Key):
        return repr(value)
    try:
        return value if isinstance(value, str) else json.dumps(value)
    except TypeError as error:
        raise InvalidType(f"Spark passes options on as text, and {name} has none: {error}") from None


def _columns(text: str) -> tuple[str, ...]:
    """Names as a list in JSON, or separated by commas."""
    if text.startswith("["):
        return tuple(map(str, json.loads(text)))
    return tuple(name.strip() for name in text.split(","))


def _timestamp(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidArgument(f"option timestamp is milliseconds, not {text!r}") from None


def _flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise InvalidArgument(f"option pushdown is 'true' or 'false', not {text!r}")
    return text == "true"


_CONVERSIONS: Mapping[str, Callable[[str], Any]] = {
    "where": condition,
    "pushdown": _flag,
    "schema": parse_schema,
    "key": key_of_text,
    "columns": _columns,
    "timestamp": _timestamp,
}


def _value(name: str, text: str) -> Any:
    """The value of an option of `rowstone.connect`: text as it is, others in JSON."""
    if name in _TEXTS:
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
