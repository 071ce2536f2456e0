"""What a row shows once a write is done: the newest version of a column, by HBase's rules.

The write is final but not applied. Cells of the row as they are stored, markers included, and the cells of the write
together are read as a scan would read them: newest first, a marker hides what it covers. Without NEW_VERSION_BEHAVIOR
it hides also what is written after it; with it, only what was there before, and what is written with it.
"""

from collections.abc import Iterable, Sequence

from rowstone import _native

Cell = _native.Cell


def newest_after(stored: Sequence[Cell], written: Sequence[Cell], *, by_order: frozenset[bytes]) -> list[Cell]:
    """The newest visible cell of each column once ``written`` is applied, columns in their order.

    Args:
        stored: What is there: of families in ``by_order`` all versions that reads see; of others all cells and markers.
        written: What comes, in any order.
        by_order: The families that have NEW_VERSION_BEHAVIOR.
    """
    markers = [cell for cell in (*stored, *written) if cell.type != "Put"]
    found: dict[bytes, Cell] = {}
    for cells, is_new in ((stored, False), (written, True)):
        for cell in cells:
            if cell.type != "Put" or _is_hidden(cell, markers):
                continue
            known = found.get(cell.column)
            # Of two with one timestamp the one that was written last counts.
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
