"""Options of ``get``, ``scan`` and ``count``, translated to those of `rowstone.Table`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rowstone import errors
from rowstone._base.printable import printable
from rowstone.cli.shell.checks import hash_of, whole
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.output.descriptions import schema_text
from rowstone.cli.shell.ruby import java
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.values import inspect, is_text, kind_of, to_bytes, to_s

if TYPE_CHECKING:
    from rowstone import Scanner

_NO_RETRY = "org.apache.hadoop.hbase.DoNotRetryIOException"
_ENUMERATIONS = {
    "ISOLATION_LEVEL": ("org.apache.hadoop.hbase.client.IsolationLevel", ("READ_COMMITTED", "READ_UNCOMMITTED")),
    "CONSISTENCY": ("org.apache.hadoop.hbase.client.Consistency", ("STRONG", "TIMELINE")),
    "READ_TYPE": ("org.apache.hadoop.hbase.client.Scan.ReadType", ("DEFAULT", "STREAM", "PREAD")),
}


@contextmanager
def in_hbases_words(table: TableReference, row: Any = None) -> Iterator[None]:
    """Translate errors of reads and writes to HBase's messages.

    Raises:
        ShellError: Replaces the error of the block.
    """
    try:
        yield
    except errors.NoSuchColumnFamily as error:
        raise ShellError(_no_family(table, row, str(error))) from None
    except errors.UsageError as error:
        text = str(error)
        if text.startswith("row key is empty"):
            raise ArgumentMistake("Row length is 0") from None
        if "raw scan" in text:
            raise ShellError(f"{_NO_RETRY}: Cannot specify any column for a raw scan") from None
        raise


def _no_family(table: TableReference, row: Any, message: str) -> str:
    match = re.search(r"family '([^']*)'|Column family (.*?) does not exist", message)
    family = (match[1] or match[2] or "") if match else ""
    key = b"" if row is None or isinstance(row, dict) else to_bytes(row)
    try:
        admin = table.database.admin
        region = [found for found in admin.regions.list(table.name) if found.start_key <= key][-1]
        where = f"region {printable(region.name)} in table {schema_text(admin.describe(table.name))}"
    except errors.RowstoneError:
        where = f"table {table.name}"
    kind = errors.NoSuchColumnFamily.remote_class
    return f"{kind}: Column family {family} does not exist in {where}"


def time_range(value: Any) -> tuple[int, int]:
    """Parse ``[from, to]`` of TIMERANGE. Raises `ArgumentMistake`."""
    if not isinstance(value, list) or len(value) != 2:
        raise ArgumentMistake(f"TIMERANGE takes [from, to], not {inspect(value)}")
    low, high = (whole("TIMERANGE", moment) for moment in value)
    if high < low:
        raise ArgumentMistake("maxStamp is smaller than minStamp")
    return low, high


def check_choice(name: str, value: Any) -> str:
    """Check a value of one of HBase's enumerations. Raises `ArgumentMistake`."""
    kind, choices = _ENUMERATIONS[name]
    if to_s(value) not in choices:
        raise ArgumentMistake(f"No enum constant {kind}.{to_s(value)}")
    return to_s(value)


def get_options(table: TableReference, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Options for `rowstone.Table.get` from the arguments that follow the row in ``get``.

    Raises:
        ArgumentMistake: HBase refuses the arguments, too.
    """
    given: Any = arguments[0] if arguments and isinstance(arguments[0], dict) else {"COLUMNS": _flat(arguments)}
    if given.get("COLUMNS") == [] and not arguments:
        return {}
    given = dict(given)
    for name in ("MAXLENGTH", "FORMATTER", "FORMATTER_CLASS", "REGION_REPLICA_ID"):
        given.pop(name, None)
    if consistency := given.pop("CONSISTENCY", None):
        check_choice("CONSISTENCY", consistency)
    options: dict[str, Any] = {}
    chosen = given.pop("FILTER", None)
    if chosen is not None and chosen is not False:
        options["filter"] = java.filter_of(chosen)
    if not given:
        return options
    columns = next((given[name] for name in ("COLUMN", "COLUMNS") if given.get(name) is not None), None)
    known = ("TIMESTAMP", "TIMERANGE", "ATTRIBUTES", "AUTHORIZATIONS")
    if columns is None and not any(given.get(name) for name in known):
        raise ArgumentMistake(f"Failed parse of {inspect(given)}, {kind_of(given)}")
    if columns is not None:
        options["columns"] = table.selected(_column_list(columns, given)) or None
    versions = 1 if given.get("VERSIONS") is None else whole("VERSIONS", given["VERSIONS"])
    if versions <= 0:
        raise ArgumentMistake("versions must be positive")
    options["versions"] = versions
    _add_times(options, given)
    return options


def _column_list(columns: Any, given: Any) -> list[Any]:
    if is_text(columns):
        return [columns]
    if isinstance(columns, list):
        return columns
    raise ArgumentMistake(f"Failed parse column argument type {inspect(given)}, {kind_of(given)}")


def _flat(values: Any) -> list[Any]:
    flat: list[Any] = []
    for value in values:
        flat += _flat(value) if isinstance(value, list) else [] if value is None else [value]
    return flat


def _add_times(options: dict[str, Any], given: dict[Any, Any]) -> None:
    if given.get("TIMESTAMP"):
        options["timestamp"] = whole("TIMESTAMP", given["TIMESTAMP"])
    if given.get("TIMERANGE"):
        options["time_range"] = time_range(given["TIMERANGE"])


def scan_options(table: TableReference, argument: Any) -> dict[str, Any]:
    """Options for `rowstone.Table.scan` from the hash that follows the table in ``scan`` and ``count``.

    Raises:
        ArgumentMistake, ShellError: HBase refuses the options, too.
    """
    if not isinstance(argument, dict):
        raise ShellError(f"undefined method `any?' for {inspect(argument)}:{kind_of(argument)}", "NoMethodError")
    given = hash_of(argument, "")
    table.converters.clear()
    columns = given.get("COLUMNS") or given.get("COLUMN") or []
    columns = [columns] if is_text(columns) else columns
    if not isinstance(columns, list):
        raise ArgumentMistake("COLUMNS must be specified as a String or an Array")
    options: dict[str, Any] = {"columns": table.selected(columns) or None}
    _add_rows(options, given)
    _add_times(options, given)
    if given.get("FILTER") is not None:
        options["filter"] = java.filter_of(given["FILTER"])
    options["versions"] = max(1, _number(given, "VERSIONS"))
    for name in _ENUMERATIONS:
        if given.get(name):
            check_choice(name, given[name])
    options["isolation"] = given.get("ISOLATION_LEVEL") or "READ_COMMITTED"
    options["raw"] = bool(given.get("RAW"))
    options["reverse"] = bool(given.get("REVERSED"))
    options["cache_blocks"] = given.get("CACHE_BLOCKS") not in (False, "false")
    limit, batch, caching = (_number(given, name) for name in ("LIMIT", "BATCH", "CACHE"))
    options["limit"] = limit if limit > 0 else None
    options["caching"] = caching if caching > 0 else None
    options["batch"] = batch if batch > 0 else None
    return options


def _number(given: dict[Any, Any], name: str) -> int:
    """The numeric value of an option; 0 if it is missing."""
    value = given.get(name)
    return 0 if value is None or value is False else whole(name, value)


def _add_rows(options: dict[str, Any], given: dict[Any, Any]) -> None:
    prefix = given.get("ROWPREFIXFILTER")
    if prefix:
        options["prefix"] = to_bytes(prefix)
        return
    if start := given.get("STARTROW"):
        options["start"] = to_bytes(start)
    if stop := given.get("STOPROW"):
        options["stop"] = to_bytes(stop)
        options["include_stop"] = options["stop"] == options.get("start")  # as HBase's Scan(start, stop)


def open_scan(table: TableReference, options: dict[str, Any]) -> Scanner:
    """Open a scanner with these options; the caller closes it."""
    return table.handle().scan(**options)


def column_of(table: TableReference, specification: Any) -> tuple[bytes, bytes]:
    """Family and qualifier of a column to write. Without a colon the qualifier is empty.

    Raises:
        ShellError: The family is missing; the message is HBase's.
    """
    family, qualifier = table.column(specification)
    if not family:
        raise ShellError(
            "java.io.IOException: Family cannot be null\n"
            "Caused by: java.lang.IllegalArgumentException: Family cannot be null\n\t... 3 more"
        )
    return family, qualifier or b""
