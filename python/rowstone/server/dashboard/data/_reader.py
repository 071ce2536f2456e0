"""Rows of a table for one page, within the limits of a query.

A filter that matches nothing, or a column that no row has, would read a whole table inside one native call. So the
range is read in pieces: a scan of keys finds the end of a piece, and the query reads only up to there. A piece has at
first 50 stored rows, and pieces grow while they are fast, up to a number of rows, cells and bytes. The limits are
checked between pieces and in the scan of keys. That scan is raw, because deleted cells cost time too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rowstone.filters import KeyOnlyFilter
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._query import Query

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell
    from rowstone.filters import Filter

CELLS_PER_FAMILY = 24
"""Columns of a family that a page shows of each row."""
BATCH_CELLS = 16
"""Cells per native call, so that a row of large values is not read as a whole."""
PIECE_ROWS = 50
"""Rows that are examined at a time, at first."""
_MOST_PIECE_ROWS = 20_000
_MOST_PIECE_CELLS = 20_000
_MOST_PIECE_BYTES = 8 << 20
_KEY_BATCH_CELLS = 64
_ONE_PIECE_ROWS = 5_000
_GROWTH = 4
_FAST_SECONDS = 0.1
_STATEFUL = ("PageFilter", "WHILE")
_LENGTHS = KeyOnlyFilter(length_as_value=True)


@dataclass
class RowPart:
    """Cells of a row. ``has_more``: a family has further columns, or ``is_cut``: a limit ended the page in this row."""

    key: bytes
    cells: list[Cell] = field(default_factory=list)
    has_more: bool = False
    is_cut: bool = False


@dataclass
class Piece:
    """Stored rows from the start of a range on. ``after``: their last key; None if there are none."""

    after: bytes | None = None
    rows: int = 0
    is_last: bool = True


@dataclass
class Page:
    """Rows of a query.

    Attributes:
        examined: Stored rows in the range that was read, deleted ones included.
        after: Key after which the next page begins; None at the end of the range.
        limit: The limit that ended the page early: ``"bytes"``, ``"seconds"`` or empty.
    """

    rows: list[RowPart] = field(default_factory=list)
    examined: int = 0
    after: bytes | None = None
    limit: str = ""


def read_page(table: Table, query: Query, budget: Budget, *, rows: int, width: int | None = CELLS_PER_FAMILY) -> Page:
    """Read up to ``rows`` rows with up to ``width`` columns of each family."""
    found, filter = Page(), query.parsed_filter()
    options: dict[str, Any] = {"columns": query.columns or None, "filter": filter}
    if filter is None:
        options |= {"offset_per_family": query.skip, "cells_per_family": None if width is None else width + 1}
        options["batch"] = BATCH_CELLS
    # A filter has to see all cells of a row.
    skip = 0 if filter is None else query.skip
    is_one_piece = filter is not None and any(word in str(filter) for word in _STATEFUL)
    first, stop, is_included = query.range()
    piece_rows = _ONE_PIECE_ROWS if is_one_piece else PIECE_ROWS
    while not stop or first < stop:
        began = budget.seconds
        piece = end_of_piece(table, query, (first, stop, is_included), piece_rows, budget)
        found.examined += piece.rows
        if piece.after is None:
            found.after = None
            break
        scanner = table.scan(first, piece.after, include_start=is_included, include_stop=True, **options)
        with scanner:
            is_done = _collect(found, scanner, budget, rows, (skip, width))
        if is_done or piece.is_last:
            break
        found.after, found.limit = piece.after, budget.spend(0)
        if found.limit or is_one_piece:
            break
        first, is_included = piece.after, False
        if budget.seconds - began < _FAST_SECONDS:
            piece_rows = min(piece_rows * _GROWTH, _MOST_PIECE_ROWS)
    return found


def end_of_piece(
    table: Table, query: Query, range: tuple[bytes, bytes, bool], piece_rows: int, budget: Budget
) -> Piece:
    """The next stored rows: at least one, unless the range is empty, and no more than a piece may have."""
    first, stop, is_included = range
    options: dict[str, Any] = {"include_start": is_included, "columns": query.families or None}
    options |= {"raw": True, "versions": None, "filter": _LENGTHS, "batch": _KEY_BATCH_CELLS}
    piece, cells, seen = Piece(), 0, 0
    with table.scan(first, stop or None, **options) as parts:
        for part in parts:
            budget.check()
            is_new = part.key != piece.after
            is_large = cells > _MOST_PIECE_CELLS or seen > _MOST_PIECE_BYTES
            if piece.rows and (is_large or budget.is_over or (is_new and piece.rows == piece_rows)):
                # The query reads the last row as a whole, so that its further cells need not be counted.
                piece.is_last = False
                return piece
            if is_new:
                piece.after, piece.rows = part.key, piece.rows + 1
            cells += len(part.cells)
            seen += sum(int.from_bytes(cell.value, "big") for cell in part.cells)
    return piece


def _collect(found: Page, scanner: Any, budget: Budget, rows: int, shown: tuple[int, int | None]) -> bool:
    """Add the rows of a piece; whether the page is complete, or a limit is reached. ``shown``: see `_cut`."""
    found.after = None
    for part in scanner:
        if not found.rows or found.rows[-1].key != part.key:
            if len(found.rows) == rows:
                found.after = found.rows[-1].key
                return True
            found.rows.append(RowPart(part.key))
        row = found.rows[-1]
        row.cells += part.cells
        _cut(row, *shown)
        if not row.cells:
            found.rows.pop()
        limit = budget.spend(sum(cell_bytes(cell) for cell in part.cells))
        if limit:
            found.after, found.limit, row.has_more, row.is_cut = row.key, limit, True, True
            return True
    return False


def _cut(row: RowPart, skip: int, width: int | None) -> None:
    """Remove the first ``skip`` columns of each family, and those after the next ``width``."""
    if not skip and (width is None or len(row.cells) <= width):
        return
    counts: dict[bytes, int] = {}
    kept = []
    for cell in row.cells:
        counts[cell.family] = counts.get(cell.family, 0) + 1
        if counts[cell.family] <= skip:
            continue
        if width is None or counts[cell.family] <= skip + width:
            kept.append(cell)
        else:
            row.has_more = True
    row.cells = kept


def cell_bytes(cell: Cell) -> int:
    """Bytes of a cell's key, column and value."""
    return len(cell.row) + len(cell.column) + len(cell.value)


def read_row(
    table: Table,
    key: bytes,
    columns: Sequence[bytes | tuple[bytes, bytes]],
    budget: Budget,
    *,
    raw: bool,
    filter: Filter | None = None,
    skip: int = 0,
    timestamp: int | None = None,
    time_range: tuple[int | None, int | None] | None = None,
    versions: int | None = None,
) -> Iterator[Cell]:
    """Versions of a row's cells after the first ``skip``, in order, until a limit is reached: all, or the newest
    ``versions`` of each column. With ``raw`` also hidden ones and markers; with ``timestamp`` only those of it, with
    ``time_range`` only those from its first timestamp to before its last."""
    options: dict[str, Any] = {"versions": versions, "raw": raw, "filter": filter, "batch": BATCH_CELLS}
    options |= {} if timestamp is None else {"timestamp": timestamp}
    options |= {} if time_range is None else {"time_range": time_range}
    with table.scan(key, key + b"\0", columns=columns or None, cache_blocks=not raw, **options) as parts:
        for part in parts:
            cells = part.cells
            shown = cells[skip:]
            skip = max(skip - len(cells), 0)
            yield from shown
            if budget.spend(sum(map(cell_bytes, shown))):
                return
