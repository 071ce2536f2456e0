"""State of a row after a write: the newest version of a column, by HBase's rules.

The write is final but not applied. The stored cells of the row, markers included, are combined with the cells of the
write and read as a scan would read them: newest first, and a marker hides what it covers. Without NEW_VERSION_BEHAVIOR
a marker also hides cells written after it; with it, only cells written before it or with it.
"""

from collections.abc import Iterable, Sequence

from rowstone import _native

Cell = _native.Cell


def newest_after(stored: Sequence[Cell], written: Sequence[Cell], *, by_order: frozenset[bytes]) -> list[Cell]:
    """Return the newest visible cell of each column once ``written`` is applied, in the order of the columns.

    Args:
        stored: Stored cells: of families in ``by_order`` all visible versions, of others all cells and markers.
        written: The cells of the write, in any order.
        by_order: The families with NEW_VERSION_BEHAVIOR.
    """
    markers = [cell for cell in (*stored, *written) if cell.type != "Put"]
    found: dict[bytes, Cell] = {}
    for cells, is_new in ((stored, False), (written, True)):
        for cell in cells:
            if cell.type != "Put" or _is_hidden(cell, markers):
                continue
            known = found.get(cell.column)
            # Of two cells with one timestamp the one written last counts.
            if known is None or cell.timestamp > known.timestamp or (is_new and cell.timestamp == known.timestamp):
                found[cell.column] = cell
    return [found[column] for column in sorted(found)]


def _is_hidden(cell: Cell, markers: Iterable[Cell]) -> bool:
    for marker in markers:
        if marker.family != cell.family:
            continue
        kind, timestamp = marker.type, marker.timestamp
        if kind == "DeleteFamily" and cell.timestamp <= timestamp:
            return True
        if kind == "DeleteFamilyVersion" and cell.timestamp == timestamp:
            return True
        if marker.qualifier == cell.qualifier and (
            (kind == "DeleteColumn" and cell.timestamp <= timestamp)
            or (kind == "Delete" and cell.timestamp == timestamp)
        ):
            return True
    return False
