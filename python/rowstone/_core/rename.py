"""Renaming a row. Row keys never change, so its cells are written again under the new key, and the old ones deleted.

Source: "Immutability of row keys" in HBase's reference guide: delete the row and insert it again.
"""

from typing import TYPE_CHECKING

from rowstone import _native
from rowstone._base.printable import printable
from rowstone.errors import ExistsError, InvalidArgument, NotFoundError, StateError

if TYPE_CHECKING:
    from rowstone._core.table import Table


def rename_row(table: "Table", old: bytes, new: bytes, *, replace: bool) -> int:
    """See `Table.rename_row`."""
    if old == new:
        raise InvalidArgument(f"row '{printable(old)}' has that key already")
    cells = table.get(old, versions=None).cells
    if not cells:
        raise NotFoundError(f"table '{table.name}' has no row '{printable(old)}'")
    if not replace and table.exists(new):
        raise ExistsError(
            f"row '{printable(new)}' of table '{table.name}' exists already; replace=True replaces its cells"
        )
    with table.scan(new, new + b"\0", raw=True, versions=None) as rows:
        there = [cell for row in rows for cell in row.cells]
    _check_markers(table, new, cells, there)
    # One mutation of the new row: readers never see it in parts, or empty.
    table.mutate_row(new, [*_removals(new, cells, there if replace else []), *_copies(new, cells)])
    delete = _native.Delete(old)
    for family in {cell.family for cell in cells}:
        # Up to the newest copied cell: cells written later stay.
        delete = delete.add_family(family, max(cell.timestamp for cell in cells if cell.family == family))
    table.mutate_row(old, delete)
    return len(cells)


def _copies(row: bytes, cells: list[_native.Cell]) -> list[_native.Put]:
    """Puts of the cells, grouped by tags, because the tags of a put apply to all its cells."""
    groups: dict[tuple[tuple[int, bytes], ...], list[tuple[tuple[bytes, bytes], bytes, int]]] = {}
    for cell in cells:
        groups.setdefault(tuple(cell.tags), []).append(((cell.family, cell.qualifier), cell.value, cell.timestamp))
    return [_native.Put(row, data, tags=tags or None) for tags, data in groups.items()]


def _removals(row: bytes, cells: list[_native.Cell], there: list[_native.Cell]) -> list[_native.Delete]:
    """A delete of each stored version that no copy overwrites; a marker on those would hide the copy."""
    kept = {(cell.column, cell.timestamp) for cell in cells}
    delete: _native.Delete | None = None
    for cell in there:
        if cell.type == "Put" and (cell.column, cell.timestamp) not in kept:
            delete = (delete or _native.Delete(row)).add_column((cell.family, cell.qualifier), cell.timestamp)
    return [delete] if delete is not None else []


def _check_markers(table: "Table", row: bytes, cells: list[_native.Cell], there: list[_native.Cell]) -> None:
    """Refuse if delete markers of an earlier row would hide a copy."""
    families = table.schema.families
    for marker in there:
        if marker.type == "Put" or families[marker.family].new_version_behavior:
            continue
        if any(_hides(marker, cell) for cell in cells):
            raise StateError(
                f"row '{printable(row)}' of table '{table.name}' was deleted before, up to {marker.timestamp}: "
                "copies with older timestamps would be invisible; a major compaction removes the marker"
            )


def _hides(marker: _native.Cell, cell: _native.Cell) -> bool:
    if marker.family != cell.family:
        return False
    is_exact = marker.type in ("Delete", "DeleteFamilyVersion")
    of_column = marker.type in ("Delete", "DeleteColumn")
    if of_column and marker.qualifier != cell.qualifier:
        return False
    return marker.timestamp == cell.timestamp if is_exact else marker.timestamp >= cell.timestamp
