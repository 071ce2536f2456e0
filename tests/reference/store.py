"""A store: the cells of one family of one region, in memory and in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference.cells import Cell, Kind, in_order
from tests.reference.retention import Pass, retain
from tests.reference.schema import Family
from tests.reference.selection import Selection, choose_files
from tests.script.commands import LATEST


@dataclass(frozen=True, eq=False)
class StoreFile:
    """An immutable file: cells in order, and the moment it was flushed at."""

    cells: tuple[Cell, ...]
    sequence: int

    @property
    def size(self) -> int:
        """About the bytes of the file: enough to tell a large file from a small one."""
        return 4096 + sum(40 + len(c.row) + len(c.family) + len(c.qualifier) + len(c.value) for c in self.cells)

    @property
    def newest(self) -> int:
        """The greatest timestamp; an empty file counts as never old."""
        return max((cell.timestamp for cell in self.cells), default=LATEST)

    @property
    def earliest_put(self) -> int:
        return min((cell.timestamp for cell in self.cells if cell.is_put), default=LATEST)

    @property
    def time_range(self) -> tuple[int, int] | None:
        """(min, max) as HBase records them: column and family markers reach back to 0."""
        stamps = [cell.timestamp for cell in self.cells]
        if any(cell.kind in (Kind.DELETE_COLUMN, Kind.DELETE_FAMILY) for cell in self.cells):
            stamps.append(0)
        return (min(stamps), max(stamps)) if stamps else None


class Store:
    """Memory and files of one family."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.memory: list[Cell] = []
        self.files: list[StoreFile] = []
        self.major_requested = False

    def add(self, cell: Cell) -> None:
        """Puts a cell into memory; one with the same key and sequence is replaced."""
        self.memory = [other for other in self.memory if other.order != cell.order] + [cell]

    def cells(self) -> list[Cell]:
        """Every cell there is, in order."""
        return in_order([*self.memory, *(cell for file in self.files for cell in file.cells)])

    def flush(self, sequence: int, now: int, cut: int) -> StoreFile | None:
        """Writes memory to a file; None if there was nothing to write."""
        if not self.memory:
            return None
        kept = retain(in_order(self.memory), self.family, Pass(now, cut))
        file = StoreFile(tuple(kept), sequence)
        self.files = [*self.files, file]
        self.memory = []
        return file

    def drop_expired_files(self, now: int) -> bool:
        """Removes the files whose every cell is past the TTL, except the newest file."""
        family = self.family
        if family.ttl_seconds is None or family.min_versions > 0 or not family.drop_expired_files:
            return False
        oldest = family.oldest_living(now)
        expired = [file for file in self.files[:-1] if file.newest < oldest]
        self.files = [file for file in self.files if file not in expired]
        return bool(expired)

    def select(self, by_user: bool, window: tuple[int, int] | None) -> Selection | None:
        """The files the next compaction takes; a requested major one is then no longer due."""
        sizes = [file.size for file in self.files]
        selection = choose_files(sizes, self.family, self.major_requested, by_user, window)
        if selection is not None and selection.major:
            self.major_requested = False
        return selection

    def compact(self, selection: Selection, now: int, cut: int) -> None:
        """Replaces the selected files by one."""
        chosen = self.files[selection.first : selection.first + selection.count]
        circumstances = Pass(now, cut, selection.all_files, min(file.earliest_put for file in chosen))
        cells = in_order(cell for file in chosen for cell in file.cells)
        written = retain(cells, self.family, circumstances)
        merged = StoreFile(tuple(written), max(file.sequence for file in chosen))
        after = selection.first + selection.count
        self.files = [*self.files[: selection.first], merged, *self.files[after:]]


def cells_of(row: bytes, cells: Sequence[Cell], read_point: int) -> list[Cell]:
    """The cells of one row that exist for a reader at this moment."""
    return [cell for cell in cells if cell.row == row and cell.sequence <= read_point]
