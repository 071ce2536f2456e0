"""Rows and cells in the form of the first service.

They are plain tuples in the order of ``TCell``, ``TRowResult`` and ``TColumn``: a large scan creates only one or two
per cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone._native import Row


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
