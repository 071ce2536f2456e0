"""Undo of the explorer's own puts and increments, where it restores exactly what was visible before.

A put adds a version; deleting that version makes the older ones visible again. This is exact only while the older
versions are stored, so each offer compares the stored cells of the column with those after the change. A flush or
compaction may have removed versions beyond the limit of the family, and other clients may have changed the column.
Deletes cannot be undone: their markers also hide cells that are put again with the old timestamps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone.server.dashboard._markup import Markup
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._reader import cell_bytes, read_row
from rowstone.server.dashboard.data.change._change import Change

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell
    from rowstone.server.dashboard._site import Site

_MOST_CELLS = 1_000
_MOST_BYTES = 1 << 20
Stored = tuple[tuple[bytes, int, str, bytes], ...]
"""Column, timestamp, type and value of each cell."""


@dataclass(frozen=True)
class Undo:
    """A change that can be undone.

    Attributes:
        change: The delete of the version that was written. text: The change that it undoes, for the log.
        outcome: What that change has done, for the row's page.
        before: Visible versions of the column before the change. stored: Stored cells after it.
    """

    user: str
    table: str
    change: Change
    text: str
    outcome: Markup
    before: tuple[Cell, ...]
    stored: Stored

    def is_exact(self, source: Table, budget: Budget) -> bool:
        """Whether the column is still as it was after the change."""
        return _stored(_cells(source, self.change, budget, raw=True)) == self.stored


def visible_before(source: Table, change: Change, budget: Budget) -> tuple[Cell, ...] | None:
    """Visible versions of the column that changes; None if the change cannot be undone."""
    family = source.schema.families.get(change.column.partition(b":")[0])
    if change.kind == "delete" or family is None or family.new_version_behavior:
        return None
    return _cells(source, change, budget, raw=False)


def remember(
    site: Site, user: str, source: Table, change: Change, before: tuple[Cell, ...], outcome: Markup, budget: Budget
) -> None:
    """Record the change if its undo would be exact."""
    after, stored = (_cells(source, change, budget, raw=raw) for raw in (False, True))
    if after is None or stored is None:
        return
    old = {cell.timestamp for cell in before}
    new = [cell for cell in after if cell.timestamp not in old]
    puts = set(_stored(stored) or ())
    if len(new) != 1 or not set(_stored(before) or ()) <= puts:
        return
    undo = Change("delete", change.key, change.column, scope="version", timestamp=new[0].timestamp)
    site.changes.append(Undo(user, source.name, undo, str(change), outcome, before, _stored(stored) or ()))


def find_undo(site: Site, user: str, source: Table, key: bytes, budget: Budget) -> Undo | None:
    """The newest change of a row by the user, if it can be undone."""
    for one in reversed(site.changes):
        if (one.user, one.table, one.change.key) == (user, source.name, key):
            found: Undo = one
            return found if found.is_exact(source, budget) else None
    return None


def _cells(source: Table, change: Change, budget: Budget, *, raw: bool) -> tuple[Cell, ...] | None:
    """Versions of the column, raw with markers of the column and its family; None if they are too many or too large."""
    family, _, qualifier = change.column.partition(b":")
    columns: list[Any] = [family] if raw else [(family, qualifier)]
    found, seen = [], 0
    for number, cell in enumerate(read_row(source, change.key, columns, budget, raw=raw)):
        seen += cell_bytes(cell)
        if number >= _MOST_CELLS or seen > _MOST_BYTES:
            return None
        if cell.column == change.column or cell.type.startswith("DeleteFamily"):
            found.append(cell)
    return None if budget.spend(0) else tuple(found)


def _stored(cells: tuple[Cell, ...] | None) -> Stored | None:
    return None if cells is None else tuple((cell.column, cell.timestamp, cell.type, cell.value) for cell in cells)
