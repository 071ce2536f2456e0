"""Rows, columns and times in a path: ``row``, ``row/f:q,g``, ``row/f:q/123``, ``row/f:q/1,9``, ``from,to/f``, ``a*/f``.

Source: HBase's ``RowSpec``, with one difference: percent-encoded bytes that are not UTF-8 stay unchanged, where
HBase puts U+FFFD in their place.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from rowstone.errors import InvalidArgument, NoSuchColumnFamily
from rowstone.server.rest._answer import text
from rowstone.server.rest._failures import Refused
from rowstone.server.rest._request import whole_number

LATEST = (1 << 63) - 1
_URL_ENCODINGS = ("b64", "base64", "b64url", "base64url")
_BASIC_ENCODINGS = ("b64basic", "base64basic")


@dataclass(frozen=True)
class RowSpec:
    """A parsed path: one row or, with ``end_row`` (exclusive), a range of rows; columns; a time range (half-open)."""

    row: bytes
    end_row: bytes | None = None
    columns: tuple[bytes, ...] = ()
    start_time: int = 0
    end_time: int = LATEST
    versions: int = 1

    @property
    def timestamp(self) -> int | None:
        """The single time in the path: deletes include it, reads exclude it."""
        return self.end_time if self.start_time == 0 and self.end_time != LATEST else None

    @property
    def rows(self) -> dict[str, Any]:
        """The row range for `Table.scan`. As in HBase, a range from a row to itself is that row."""
        return {"start": self.row, "stop": self.end_row, "include_stop": self.row == self.end_row}

    def reading(self) -> dict[str, Any]:
        """Columns, time range and versions for `Table.get` and `Table.scan`."""
        reading: dict[str, Any] = {"versions": self.versions}
        if self.columns:
            reading["columns"] = [column_of(column) for column in self.columns]
        if (self.start_time, self.end_time) != (0, LATEST):
            reading["time_range"] = (self.start_time, self.end_time)
        return reading


def parse(path: str, *, encoding: str | None = None, versions: str | None = None) -> RowSpec:
    """Parse a percent-encoded path. Raises `InvalidArgument`."""
    rows, columns, times = [*path.lstrip("/").split("/"), "", ""][:3]
    row, end_row = _rows(rows)
    names = _columns(columns)
    if encoding:
        row, end_row = _unpacked(encoding, row), None if end_row is None else _unpacked(encoding, end_row)
        names = [_unpacked(encoding, name) for name in names]
    start, end = _times(times)
    count = 1 if versions is None else whole_number("v", versions, 32)
    if count <= 0:
        raise Refused(text(503, f"Unavailable\r\njava.io.IOException: v is {count}, not positive"))
    return RowSpec(row, end_row, tuple(sorted(set(names))), start, end, count)


def column_of(column: bytes) -> bytes | tuple[bytes, bytes]:
    """Parse a family, or a pair (family, qualifier): the qualifier after the colon may be empty.

    Raises:
        NoSuchColumnFamily: The family before the colon is empty.
    """
    family, colon, qualifier = column.partition(b":")
    if not family:
        raise NoSuchColumnFamily(f"column {column!r} has no family")
    return (family, qualifier) if colon else family


def _rows(path: str) -> tuple[bytes, bytes | None]:
    first, comma, second = path.partition(",")
    row, end_row = _decoded(first), _decoded(second) if comma else None
    if row.endswith(b"*"):
        if end_row is not None:
            raise InvalidArgument("invalid path: start row specified with wildcard")
        prefix = row[:-1]
        return prefix, prefix + b"\xff"
    if not row:
        raise InvalidArgument("invalid path: there is no row")
    return row, end_row


def _columns(path: str) -> list[bytes]:
    names = path.split(",")
    if names[-1] == "":
        names.pop()
    if "" in names:
        raise InvalidArgument("invalid path: a column is empty")
    return [_decoded(name) for name in names]


def _times(path: str) -> tuple[int, int]:
    if not path:
        return 0, LATEST
    first, comma, second = path.partition(",")
    start = whole_number("time", _decoded(first).decode(errors="replace"))
    end = whole_number("time", _decoded(second).decode(errors="replace")) if comma else 0
    return (start, end) if end else (0, start)


def _decoded(text: str) -> bytes:
    return unquote_to_bytes(text.replace("+", " ").encode(errors="surrogateescape"))


def _unpacked(encoding: str, text: bytes) -> bytes:
    if encoding not in (*_URL_ENCODINGS, *_BASIC_ENCODINGS):
        raise InvalidArgument(f"unknown key encoding '{encoding:.100}'")
    padded = text + b"=" * (-len(text) % 4)
    try:
        return base64.b64decode(padded, altchars=b"-_" if encoding in _URL_ENCODINGS else None, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidArgument(f"a key is not {encoding}: {error}") from None
