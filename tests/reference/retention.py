"""Cells that a flush or a compaction retains. Any deviation shows in raw scans.

One pass over the cells of a row in one family, in store order:

* Cells past the family's TTL (without MIN_VERSIONS) or their own are dropped.
* A marker newer than some open scanner's moment is kept and does nothing yet. Any other marker
  hides puts from here on, unless the family keeps deleted cells. A compaction of all files then
  drops it; every other pass keeps it.
* Hidden puts are dropped, and behind a put hidden by a family or column marker the rest of the
  column, markers included.
* Of each column VERSIONS puts are kept; behind them the rest of the column is dropped.
* Puts newer than some open scanner's moment are kept and not counted.

Columns with an empty qualifier share their place with family markers, so there nothing is dropped
unseen: every cell is judged for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby

from tests.reference.cells import FOREVER_AGO, Cell, Kind
from tests.reference.new_versions import visible_puts
from tests.reference.schema import Family


@dataclass(frozen=True)
class Pass:
    """The circumstances of a flush or compaction."""

    now: int
    cut: int
    """The smallest read point of the open scanners."""
    all_files: bool = False
    """A compaction of all files of the store: the only pass that drops markers."""
    earliest_put: int = FOREVER_AGO
    """The smallest timestamp of any put in the files read; only used with `all_files`."""


class Verdict(Enum):
    """Decision about a cell: retained, dropped, or dropped with the rest of its column."""

    KEEP = auto()
    DROP = auto()
    DROP_COLUMN = auto()


def retain(cells: Sequence[Cell], family: Family, circumstances: Pass) -> list[Cell]:
    """The cells that are written, of all cells of one store in store order."""
    if family.new_version_behavior and not circumstances.all_files:
        return list(cells)
    kept: list[Cell] = []
    for _, row in groupby(cells, key=lambda cell: cell.row):
        kept.extend(_RowPass(list(row), family, circumstances).retain())
    return kept


class _RowPass:
    """The state while passing over one row."""

    def __init__(self, cells: list[Cell], family: Family, circumstances: Pass) -> None:
        self.cells = cells
        self.family = family
        self.pass_ = circumstances
        self.oldest = family.oldest_living(circumstances.now)
        self.family_deleted_up_to = FOREVER_AGO
        self.deleted_family_versions: set[int] = set()
        self.column_marker: Cell | None = None
        self.qualifier: bytes | None = None
        self.versions = 0
        self.last: tuple[int, Kind] | None = None
        self.visible = self._visible_under_new_behavior()

    def _visible_under_new_behavior(self) -> set[Cell]:
        if not self.family.new_version_behavior:
            return set()
        living = [cell for cell in self.cells if not cell.outlived(self.pass_.now)]
        puts = [cell for cell in living if cell.is_put]
        markers = [cell for cell in living if not cell.is_put and cell.sequence <= self.pass_.cut]
        return visible_puts(puts, markers, self.family.max_versions)

    def retain(self) -> list[Cell]:
        kept: list[Cell] = []
        dropped_column: bytes | None = None
        for cell in self.cells:
            if cell.qualifier == dropped_column and cell.qualifier != b"":
                continue
            verdict = self._judge(cell)
            if verdict == Verdict.KEEP:
                kept.append(cell)
            elif verdict == Verdict.DROP_COLUMN:
                dropped_column = cell.qualifier
        return kept

    def _judge(self, cell: Cell) -> Verdict:
        past_ttl = cell.timestamp < self.oldest
        if past_ttl and self.family.min_versions == 0 and not self.family.new_version_behavior:
            return Verdict.DROP_COLUMN
        if cell.outlived(self.pass_.now):
            return Verdict.DROP
        verdict = self._judge_hidden(cell) if cell.is_put else self._judge_marker(cell)
        return verdict if verdict is not None else self._count(cell)

    def _judge_marker(self, marker: Cell) -> Verdict | None:
        """Decide about a marker. None: it is counted with the versions."""
        if marker.sequence > self.pass_.cut:
            return Verdict.KEEP
        keep_deleted = self.family.keep_deleted == "TRUE" or (
            self.family.keep_deleted == "TTL" and marker.timestamp >= self.oldest
        )
        if not keep_deleted:
            self._remember(marker)
        if not self.pass_.all_files:
            return Verdict.KEEP
        purge_after = self.family.purge_deletes_after_ms
        if purge_after > 0 and self.pass_.now - marker.timestamp <= purge_after:
            return Verdict.KEEP
        if not keep_deleted:
            return Verdict.DROP
        return Verdict.DROP_COLUMN if marker.timestamp < self.pass_.earliest_put else None

    def _remember(self, marker: Cell) -> None:
        if marker.kind == Kind.DELETE_FAMILY:
            self.family_deleted_up_to = max(self.family_deleted_up_to, marker.timestamp)
        elif marker.kind == Kind.DELETE_FAMILY_VERSION:
            self.deleted_family_versions.add(marker.timestamp)
        else:
            seen = self.column_marker
            column_is_gone = seen is not None and seen.qualifier == marker.qualifier and seen.kind == Kind.DELETE_COLUMN
            if not column_is_gone:
                self.column_marker = marker

    def _judge_hidden(self, put: Cell) -> Verdict | None:
        """None: not hidden."""
        if self.family.new_version_behavior:
            return None if put in self.visible else Verdict.DROP
        if put.timestamp <= self.family_deleted_up_to:
            return Verdict.DROP_COLUMN
        if put.timestamp in self.deleted_family_versions:
            return Verdict.DROP
        marker = self.column_marker
        if marker is not None and marker.qualifier == put.qualifier:
            if marker.kind == Kind.DELETE_COLUMN:
                return Verdict.DROP_COLUMN
            if marker.timestamp == put.timestamp:
                return Verdict.DROP
        return None

    def _count(self, cell: Cell) -> Verdict:
        """Versions, duplicates and MIN_VERSIONS."""
        if cell.qualifier != self.qualifier:
            self.qualifier = cell.qualifier
            self.versions = 0
            self.last = None
        if cell.sequence > self.pass_.cut:
            return Verdict.KEEP
        new_behavior = self.family.new_version_behavior
        if not new_behavior and self.last == (cell.timestamp, cell.kind):
            return Verdict.DROP
        self.versions += cell.is_put
        if not new_behavior and self.versions > self.family.max_versions:
            return Verdict.DROP_COLUMN
        if self.versions > self.family.min_versions and cell.timestamp < self.oldest:
            return Verdict.DROP_COLUMN
        self.last = (cell.timestamp, cell.kind)
        return Verdict.KEEP
