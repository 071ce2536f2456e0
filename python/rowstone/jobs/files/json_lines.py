"""JSON lines: one object per line."""

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rowstone.jobs.files.lines import LineFile, Lines
from rowstone.jobs.files.records import Position, Record, Refused

BYTES_KEY = "base64"
"""Bytes that are not UTF-8 are written to JSON as ``{"base64": "…"}``."""


class Number(float):
    """A number with a fraction or exponent. As text it is what the file has: ``1.10`` does not become ``1.1``."""

    __slots__ = ("text",)

    def __new__(cls, text: str) -> "Number":
        """Parse the number; one that is too large for a float is infinite."""
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str

    def __reduce__(self) -> tuple[type["Number"], tuple[str]]:
        return Number, (self.text,)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


class JsonLinesFile(LineFile):
    """A file of objects; ``sources`` are names of their members."""

    def __init__(self, path: Path, sources: Sequence[str]) -> None:
        super().__init__(path)
        self._sources = sources

    def records(self, start: Position) -> Iterator[Record | Refused]:
        lines = Lines(self.path, start)
        for raw in lines:
            if raw.isspace():
                continue
            try:
                found = json.loads(raw, parse_float=Number, parse_constant=_refuse_constant)
            except (ValueError, RecursionError) as error:
                yield Refused(lines.line, f"not JSON: {error}", lines.position, raw)
                continue
            if not isinstance(found, dict):
                yield Refused(lines.line, f"not an object but {type(found).__name__}", lines.position, raw)
                continue
            yield Record(lines.line, [_value(found.get(name)) for name in self._sources], lines.position, raw)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def json_text(value: Any) -> str:
    """Format a value as JSON without changing what it contains.

    >>> json_text([Number("1.10"), {"a": b"\\xff"}, b"text"])
    '[1.10,{"a":{"base64":"/w=="}},"text"]'
    """
    if isinstance(value, Number):
        return value.text
    if isinstance(value, bytes):
        value = json_value(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_plain(str(name))}:{json_text(part)}" for name, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(json_text, value)) + "]"
    return _plain(value)


def _plain(value: Any) -> str:
    # Dates and decimals of Parquet, in ISO's form.
    return json.dumps(value, ensure_ascii=False, default=str)


def json_value(value: bytes) -> str | dict[str, str]:
    """Return the JSON value of bytes: text, or base64 if they are not UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {BYTES_KEY: base64.b64encode(value).decode()}


def _value(value: Any) -> Any:
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get(BYTES_KEY), str):
        try:
            return base64.b64decode(value[BYTES_KEY], validate=True)
        except binascii.Error:
            return value
    return value
