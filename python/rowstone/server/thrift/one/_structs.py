"""Structs, results and exceptions of the first service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rowstone.server.thrift._failures import Declared
from rowstone.server.thrift._idl import load

if TYPE_CHECKING:
    from rowstone._native import Row


DOCUMENT = load("hbase1.thrift")


def illegal_argument(text: str) -> Declared:
    """``IllegalArgument``, which some methods declare."""
    return Declared("ia", text)


def java_illegal_argument(text: str) -> Declared:
    """``IllegalArgument`` with the text of a Java exception."""
    return illegal_argument(f"java.lang.IllegalArgumentException: {text}")


def already_exists() -> Declared:
    """``AlreadyExists`` of ``createTable``."""
    return Declared("exist", "table name already in use")


def cells_of(row: Row) -> list[tuple[bytes, int]]:
    """``TCell`` of each of its cells, newest first in each column."""
    return [(cell.value, cell.timestamp) for cell in row.cells]


def rows_of(rows: Iterable[Row], *, sorted_columns: bool = False) -> list[tuple[Any, ...]]:
    """``TRowResult`` of each row that has cells."""
    if sorted_columns:
        return [
            (row.key, None, [(cell.column, (cell.value, cell.timestamp)) for cell in row.cells]) for row in rows if row
        ]
    return [(row.key, {cell.column: (cell.value, cell.timestamp) for cell in row.cells}) for row in rows if row]
