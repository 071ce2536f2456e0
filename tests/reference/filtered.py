"""Filtered reads of one row in one family.

Versions are counted twice: up to the family's VERSIONS before the filter is shown a cell, and up to what the read
asks for among the cells that it includes. (With NEW_VERSION_BEHAVIOR both are what the read asks for.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.reference.cells import Cell
from tests.reference.filters import Code, Filter, place_of
from tests.reference.schema import Family
from tests.reference.visibility import FamilyRead, counts, hidden_by
from tests.script.commands import LATEST


@dataclass
class Found:
    """Result of a filtered read."""

    cells: list[Cell] = field(default_factory=list)
    closed: bool = False
    """The filter is done, and the family has noticed: nothing more is read of it, in no row."""
    goal: bytes | None = None
    """The row the filter wants to go to next, in this family."""


def candidates(cells: Sequence[Cell], family: Family, read: FamilyRead, now: int) -> list[Cell]:
    """The cells that are alive, not deleted, in the time range and in a wanted column."""
    living = [cell for cell in cells if not cell.outlived(now)]
    if not read.raw:
        oldest = family.oldest_living(now)
        if family.min_versions == 0:
            living = [cell for cell in living if cell.timestamp >= oldest]
        markers = [cell for cell in living if not cell.is_put and counts(cell, family, read)]
        is_hidden = hidden_by(markers, living, family)
        living = [cell for cell in living if cell.is_put and not is_hidden(cell)]
    return [
        cell
        for cell in living
        if (read.qualifiers is None or cell.qualifier in read.qualifiers) and read.in_range(cell.timestamp)
    ]


class FilteredRow:
    """One pass over one row of one family."""

    def __init__(self, family: Family, read: FamilyRead, now: int, filter: Filter, reverse: bool) -> None:
        self.family, self.read, self.filter, self.reverse = family, read, filter, reverse
        self.oldest = family.oldest_living(now)
        asked = LATEST if read.versions is None else read.versions
        self.after = asked if read.raw else min(asked, family.max_versions)
        self.new_versions = family.new_version_behavior and not read.raw
        self.before = LATEST if read.raw else self.after if self.new_versions else family.max_versions
        self.column: bytes | None = None
        self.column_done = False
        self.offered = self.included = self.taken = 0
        self.last: tuple[int, int] | None = None
        self.skip_to = None
        self.over = self.full = False

    def run(self, cells: Sequence[Cell]) -> Found:
        """Shows the candidates to the filter, in order."""
        found = Found()
        for cell in cells:
            if self.over or self.filter.done():
                break
            if self.skip_to is not None and place_of(cell) < self.skip_to:
                continue
            if cell.qualifier != self.column:
                self.column, self.column_done = cell.qualifier, False
                self.offered, self.included, self.last = 0, 0, None
            if not self.column_done:
                self._offer(cell, found)
        found.closed = self.filter.done() and not self.full
        return found

    def _offer(self, cell: Cell, found: Found) -> None:
        stamp = (cell.timestamp, cell.kind if self.read.raw else 0)
        if stamp == self.last and not self.new_versions:
            return
        is_last = False
        if not self.read.raw:
            self.offered += 1
            too_old = cell.timestamp < self.oldest
            if self.read.qualifiers is not None and not self.new_versions:
                # As without a filter, a column that is named explicitly returns its last cell and ends then.
                is_last = self.offered >= self.before or (self.offered >= self.family.min_versions and too_old)
            elif self.offered > self.before or (self.offered > self.family.min_versions and too_old):
                self.column_done = True
                return
        self.last = stamp
        code = self.filter.check(cell)
        self.column_done = is_last or (code.jump == 1 and self._can_leave(cell))
        self.over = code.jump == 2
        if code is Code.HINT:
            self._follow(cell, found)
        elif code.includes:
            self._include(cell, found)

    def _include(self, cell: Cell, found: Found) -> None:
        self.included += 1
        if self.included > self.after:
            self.column_done = self._can_leave(cell)
            return
        self.taken += 1
        shown = self.filter.show(cell)
        if self.taken > self.read.offset:
            found.cells.append(shown)
            if self.read.limit >= 0 and self.taken >= self.read.offset + self.read.limit:
                self.over = self.full = True

    def _can_leave(self, cell: Cell) -> bool:
        """The empty qualifier's column is left cell by cell: markers of the family are among them."""
        return cell.qualifier != b"" or self.read.qualifiers is not None

    def _follow(self, cell: Cell, found: Found) -> None:
        """Only a hint that lies ahead is followed."""
        hint = self.filter.hint(cell)
        if hint is None:
            return
        if self.reverse:
            # Backward nothing of a row lies ahead: a hint to its first cell leaves the scan at the cell it is at.
            if hint[0] < cell.row:
                self.over, found.goal = True, hint[0]
        elif hint > place_of(cell):
            self.skip_to = hint
            if hint[0] > cell.row:
                self.over = True
                found.goal = hint[0]
