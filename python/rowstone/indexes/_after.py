"""State of a row after a write: the newest version of a column, by HBase's rules.

The write is final but not applied. The stored cells of the row, markers included, are combined with the cells of the
write and read as a scan would read them: newest first, and a marker hides what it covers. Without NEW_VERSION_BEHAVIOR
a marker also hides cells written after it; with it, only cells written before it or with it.

Only cells that can decide are read, so that a write costs the same whatever its row contains.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.filters import ColumnRangeFilter
from rowstone.indexes._definition import Definition

if TYPE_CHECKING:
    from rowstone._core.table import Table

Cell = _native.Cell
_FEW_CELLS = 8
"""A family with at most this many cells in a row is read whole: one read is faster than three."""
_COVERING = ("DeleteFamily", "DeleteColumn")
"""Markers that hide all versions up to their timestamp; the others hide one version."""
_FOREVER = 2**63 - 1


def newest_after(stored: Sequence[Cell], written: Sequence[Cell], *, by_order: frozenset[bytes]) -> list[Cell]:
    """Return the newest visible cell of each column once ``written`` is applied, in the order of the columns.

    Args:
        stored: Stored cells: of families in ``by_order`` visible versions, of others cells and markers.
        written: The cells of the write, in any order.
        by_order: The families with NEW_VERSION_BEHAVIOR.
    """
    is_hidden = _hidden_by((*stored, *written))
    found: dict[bytes, Cell] = {}
    for cells, is_new in ((stored, False), (written, True)):
        for cell in cells:
            if cell.type != "Put" or is_hidden(cell):
                continue
            known = found.get(cell.column)
            # Of two cells with one timestamp the one written last counts.
            if known is None or cell.timestamp > known.timestamp or (is_new and cell.timestamp == known.timestamp):
                found[cell.column] = cell
    return [found[column] for column in sorted(found)]


def _hidden_by(cells: Sequence[Cell]) -> Callable[[Cell], bool]:
    """Return a function that reports whether a marker among ``cells`` hides a cell."""
    covered: dict[bytes, int] = {}
    versions: set[tuple[bytes, int]] = set()
    for cell in cells:
        if cell.type == "Put":
            continue
        scope = cell.family if cell.type.startswith("DeleteFamily") else cell.column
        if cell.type in _COVERING:
            covered[scope] = max(covered.get(scope, -1), cell.timestamp)
        else:
            versions.add((scope, cell.timestamp))

    def is_hidden(cell: Cell) -> bool:
        if cell.timestamp <= max(covered.get(cell.family, -1), covered.get(cell.column, -1)):
            return True
        return (cell.family, cell.timestamp) in versions or (cell.column, cell.timestamp) in versions

    return is_hidden if covered or versions else lambda cell: False


def deciding_cells(
    table: "Table", definition: Definition, row: bytes, written: Sequence[Cell], *, by_order: frozenset[bytes]
) -> list[Cell]:
    """Return the stored cells of a row that decide its value before and after a write, for `newest_after`."""
    if not isinstance(definition.on, bytes):
        return _of_any_column(table, row, written, by_order)
    family, _, qualifier = definition.on.partition(b":")
    column = (family, qualifier)
    markers = [cell for cell in written if cell.type != "Put"]
    if family in by_order:
        return table.get(row, [column], versions=None if markers else 1).cells
    if (few := _few_cells(table, row, family)) is not None:
        return few
    visible = table.get(row, [column]).cells
    stay = [cell for cell in visible if not _hidden_by(markers)(cell)]
    # An older put does not replace a version that stays.
    times = [
        cell.timestamp for cell in written if cell.type == "Put" and (not stay or cell.timestamp >= stay[0].timestamp)
    ]
    since = _since(times, markers if visible and not stay else ())
    if since is None:
        return visible
    # Family markers are in the column without a qualifier.
    return visible + [cell for one in {b"", qualifier} for cell in _column_since(table, row, family, one, since)]


def _of_any_column(table: "Table", row: bytes, written: Sequence[Cell], by_order: frozenset[bytes]) -> list[Cell]:
    """The same for an index on the row key: it has an entry if any cell of the row is visible."""
    markers = [cell for cell in written if cell.type != "Put"]
    # One more cell than the markers can hide one by one.
    visible = table.get(row, cells_per_family=1 + len(markers)).cells
    is_hidden = _hidden_by(markers)
    if any(not is_hidden(cell) for cell in visible):
        return visible
    cells = list(visible)
    if visible and by_order:
        cells += table.get(row, sorted(by_order), versions=None).cells
    since = _since([cell.timestamp for cell in written if cell.type == "Put"], markers if visible else ())
    if since is not None:
        with table.scan(row, row, include_stop=True, versions=None, raw=True, time_range=(since, _FOREVER)) as found:
            cells += [cell for one in found for cell in one.cells if cell.family not in by_order]
    return cells


def _since(times: list[int], markers: Sequence[Cell]) -> int | None:
    """Return the timestamp from which on stored cells matter to puts of ``times``, once ``markers`` have hidden the
    newest visible versions; None if none matter."""
    for marker in markers:
        if marker.type not in _COVERING:
            # An older version may become visible.
            return 0
        if marker.type == "DeleteFamily":
            times = [*times, marker.timestamp + 1]
    return min(times, default=None)


def _few_cells(table: "Table", row: bytes, family: bytes) -> list[Cell] | None:
    """Return all cells and markers of a family in a row, or None if there are many."""
    cells = _first_cells(table, row, family, _FEW_CELLS + 1)
    return cells if len(cells) <= _FEW_CELLS else None


def _column_since(table: "Table", row: bytes, family: bytes, qualifier: bytes, since: int) -> list[Cell]:
    """Return a column's cells and markers of that time or later, newest first."""
    count = 4
    # A time range would be checked before the filter, in every column of the row.
    while True:
        cells = _first_cells(table, row, family, count, filter=_only(qualifier))
        if len(cells) < count or cells[-1].timestamp < since:
            return [cell for cell in cells if cell.timestamp >= since]
        count *= 4


@lru_cache(maxsize=256)
def _only(qualifier: bytes) -> ColumnRangeFilter:
    return ColumnRangeFilter(qualifier, True, qualifier, True)


def _first_cells(table: "Table", row: bytes, family: bytes, count: int, **options: Any) -> list[Cell]:
    """Return the first cells and markers of a family in a row. As in HBase, such a read accepts no columns."""
    options |= {"include_stop": True, "versions": None, "raw": True, "cells_per_family": count}
    with table.scan(row, row, columns=[family], **options) as found:
        return [cell for one in found for cell in one.cells]
