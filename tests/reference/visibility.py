"""Visible cells of one row in one family.

The rules, for the cells in store order:

1. The family's TTL (if MIN_VERSIONS is 0) and a cell's own TTL hide cells and markers alike. Raw
   reads ignore the family's.
2. Markers hide puts, whichever was written first. A marker before the time range does not count; a
   marker after it counts, unless the family keeps deleted cells.
3. The time range and the wanted columns choose among the rest.
4. Of a column, the newest `versions` puts are returned, at most the family's VERSIONS. Raw reads
   return markers too and ignore the family's VERSIONS.
5. With MIN_VERSIONS, cells past the family's TTL count only up to that number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.reference.cells import Cell, Kind
from tests.reference.new_versions import visible_puts
from tests.reference.schema import Family
from tests.script.commands import LATEST, TimeRange


@dataclass(frozen=True)
class FamilyRead:
    """The part of a read that concerns one family."""

    qualifiers: frozenset[bytes] | None = None
    """None is every column."""
    versions: int | None = 1
    time_range: TimeRange = (0, LATEST)
    raw: bool = False
    limit: int = -1
    """Cells per row; 0 is the same as 1, negative is no limit."""
    offset: int = 0

    def in_range(self, timestamp: int) -> bool:
        return self.time_range[0] <= timestamp < self.time_range[1]


def read_row(cells: Sequence[Cell], family: Family, read: FamilyRead, now: int) -> list[Cell]:
    """The cells a read returns, of all the cells of one row and family in store order."""
    living = [cell for cell in cells if not cell.outlived(now)]
    if not read.raw:
        oldest = family.oldest_living(now)
        if family.min_versions == 0:
            living = [cell for cell in living if cell.timestamp >= oldest]
        markers = [cell for cell in living if not cell.is_put and counts(cell, family, read)]
        is_hidden = hidden_by(markers, living, family)
        living = [cell for cell in living if cell.is_put and not is_hidden(cell)]
    chosen: list[Cell] = []
    for qualifier, column in groupby(living, key=lambda cell: cell.qualifier):
        if read.qualifiers is None or qualifier in read.qualifiers:
            in_range = [cell for cell in column if read.in_range(cell.timestamp)]
            chosen.extend(choose_versions(in_range, family, read, now))
    return page(chosen, read)


def counts(marker: Cell, family: Family, read: FamilyRead) -> bool:
    """Whether a read pays attention to a marker, by its timestamp."""
    if family.keep_deleted == "FALSE":
        return marker.timestamp >= read.time_range[0]
    return read.in_range(marker.timestamp)


def hidden_by(markers: Sequence[Cell], living: Sequence[Cell], family: Family) -> Callable[[Cell], bool]:
    """Tells for a put whether it is deleted."""
    if family.new_version_behavior:
        puts = [cell for cell in living if cell.is_put]
        visible = visible_puts(puts, markers, family.max_versions)
        return lambda put: put not in visible
    return lambda put: any(covers(marker, put) for marker in markers)


def covers(marker: Cell, put: Cell) -> bool:
    """Whether a marker deletes a put of the same row and family."""
    if marker.kind == Kind.DELETE_FAMILY:
        return put.timestamp <= marker.timestamp
    if marker.kind == Kind.DELETE_FAMILY_VERSION:
        return put.timestamp == marker.timestamp
    if marker.qualifier != put.qualifier:
        return False
    if marker.kind == Kind.DELETE_COLUMN:
        return put.timestamp <= marker.timestamp
    return put.timestamp == marker.timestamp


def choose_versions(column: Iterable[Cell], family: Family, read: FamilyRead, now: int) -> list[Cell]:
    """Return the visible cells of one column; deleted cells and those out of range are left out."""
    wanted = read.versions if read.versions is not None else LATEST
    if read.raw:
        return _choose_raw(column, wanted)
    wanted = min(wanted, family.max_versions)
    oldest = family.oldest_living(now)
    if family.new_version_behavior:
        return _choose_new(column, wanted, family.min_versions, oldest)
    if read.qualifiers is not None:
        return _choose_explicit(column, wanted, family.min_versions, oldest)
    return _choose_any(column, wanted, family.min_versions, oldest)


def _choose_raw(column: Iterable[Cell], wanted: int) -> list[Cell]:
    """Markers are returned but not counted; below the last counted put nothing is."""
    chosen: list[Cell] = []
    puts = 0
    for cell in column:
        if chosen and (chosen[-1].timestamp, chosen[-1].kind) == (cell.timestamp, cell.kind):
            continue
        puts += cell.is_put
        if puts > wanted:
            break
        chosen.append(cell)
    return chosen


def _choose_any(column: Iterable[Cell], wanted: int, minimum: int, oldest: int) -> list[Cell]:
    """A read of every column: past the TTL, only up to MIN_VERSIONS."""
    chosen: list[Cell] = []
    for cell in column:
        if chosen and chosen[-1].timestamp == cell.timestamp:
            continue
        count = len(chosen) + 1
        if count > wanted or (count > minimum and cell.timestamp < oldest):
            break
        chosen.append(cell)
    return chosen


def _choose_explicit(column: Iterable[Cell], wanted: int, minimum: int, oldest: int) -> list[Cell]:
    """A read that names its columns. As in HBase, the test comes after the cell is taken: with
    MIN_VERSIONS one cell more is returned than by a read of every column, and with versions=0 one
    cell instead of none."""
    chosen: list[Cell] = []
    for cell in column:
        if chosen and chosen[-1].timestamp == cell.timestamp:
            continue
        chosen.append(cell)
        if len(chosen) >= wanted or (len(chosen) >= minimum and cell.timestamp < oldest):
            break
    return chosen


def _choose_new(column: Iterable[Cell], wanted: int, minimum: int, oldest: int) -> list[Cell]:
    """New version behavior: surplus versions are already hidden."""
    chosen: list[Cell] = []
    for cell in column:
        count = len(chosen) + 1
        if count > wanted or (count > minimum and cell.timestamp < oldest):
            break
        chosen.append(cell)
    return chosen


def page(cells: list[Cell], read: FamilyRead) -> list[Cell]:
    """Offset and limit of cells per row and family."""
    cells = cells[read.offset :]
    return cells if read.limit < 0 else cells[: max(read.limit, 1)]
