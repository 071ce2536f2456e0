"""Conversion of rows to messages, and parsing of columns as in HBase."""

from __future__ import annotations

from collections.abc import Iterable

from rowstone._native import Cell, Row
from rowstone.server.rest._failures import bad_request
from rowstone.server.rest._rowspec import LATEST
from rowstone.server.rest.messages.shapes import Message


def row_message(key: bytes, cells: Iterable[Cell]) -> Message:
    """Convert a row."""
    return {"key": key, "Cell": [cell_message(cell) for cell in cells]}


def cell_message(cell: Cell) -> Message:
    """Convert a cell."""
    return {"column": cell.column, "timestamp": cell.timestamp, "$": cell.value}


def rows_message(rows: Iterable[Row]) -> Message:
    """Convert rows; consecutive pieces of one row are joined."""
    found: list[Message] = []
    for row in rows:
        if found and found[-1]["key"] == row.key:
            found[-1]["Cell"].extend(cell_message(cell) for cell in row.cells)
        else:
            found.append(row_message(row.key, row.cells))
    return {"Row": found}


def succeeded(results: Iterable[Row | Exception | None]) -> list[Row | None]:
    """The results of a multi. Raises the first error among them."""
    found: list[Row | None] = []
    for result in results:
        if isinstance(result, Exception):
            raise result
        found.append(result)
    return found


def timestamp_of(cell: Message) -> int | None:
    """The timestamp of a cell in a request; None lets the database assign it."""
    timestamp = cell.get("timestamp", LATEST)
    return None if timestamp == LATEST else int(timestamp)


def written_cell(column: bytes, cell: Message) -> tuple[bytes, bytes] | tuple[bytes, bytes, int]:
    """A cell of a request in the form that puts accept."""
    timestamp, value = timestamp_of(cell), cell.get("$", b"")
    return (column, value) if timestamp is None else (column, value, timestamp)


def full_column(column: bytes, refusal: str = "Bad request") -> bytes:
    """Parse a column that must have a qualifier, which may be empty; otherwise the request is refused."""
    if b":" not in column:
        raise bad_request(refusal)
    return column
