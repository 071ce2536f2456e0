"""A scanner over all families: rows in a range, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.reference.cells import Cell, in_order
from tests.reference.errors import HBaseError, do_not_retry, no_such_family
from tests.reference.filtered import FilteredRow, candidates
from tests.reference.filters import build
from tests.reference.store import Store, StoreFile
from tests.reference.visibility import FamilyRead, read_row
from tests.script import commands as c
from tests.script.filter_text import parse_filter


class Scanner:
    """Sees what existed when it was opened, by that moment's clock.

    A flush in between moves the cells it has yet to read from memory to a file, as the flush leaves
    them. A compaction does not concern it: it holds on to the files it began with.
    """

    def __init__(self, stores: Mapping[bytes, Store], rows: c.Rows, read: c.Read, read_point: int, now: int) -> None:
        self.read_point = read_point
        self._rows = rows
        self._reads = family_reads(read, stores)
        self._stores = {name: stores[name] for name in self._reads}
        self._files = {name: list(store.files) for name, store in self._stores.items()}
        self._now = now
        self._last_row: bytes | None = None
        self._pieces: list[list[Cell]] = []
        self._rows_given = 0
        self._filter = None if read.filter is None else build(parse_filter(read.filter), rows.reverse)
        self._closed: set[bytes] = set()
        self._goals: dict[bytes, bytes] = {}
        self._over = False

    def flushed(self, family: bytes, file: StoreFile | None) -> None:
        """The family's memory went to this file."""
        if file is not None and family in self._files:
            self._files[family].append(file)

    def next(self) -> list[Cell]:
        """The next row, or with `batch` the next piece of a row; empty at the end."""
        if not self._pieces:
            self._pieces = self._pieces_of(self._next_row())
        return self._pieces.pop(0) if self._pieces else []

    def __iter__(self) -> Iterator[list[Cell]]:
        while piece := self.next():
            yield piece

    def has_more(self) -> bool:
        """Whether rows are left in the range, even if nothing of them is visible."""
        return bool(self._pieces) or bool(self._remaining(self._cells()))

    def _pieces_of(self, row: list[Cell]) -> list[list[Cell]]:
        size = self._rows.batch if self._rows.batch > 0 else max(1, len(row))
        return [row[start : start + size] for start in range(0, len(row), size)]

    def _next_row(self) -> list[Cell]:
        limit = self._rows.limit
        if limit is not None and 0 < limit <= self._rows_given:
            return []
        cells = self._cells()
        for row in self._remaining(cells):
            self._last_row = row
            if self._filter is not None:
                found = self._filtered_row(row, cells)
                if found:
                    self._rows_given += 1
                if found or self._over:
                    return found
                continue
            found = [
                cell
                for name, store in self._stores.items()
                for cell in read_row(
                    [cell for cell in cells[name] if cell.row == row],
                    store.family,
                    self._reads[name],
                    self._now,
                )
            ]
            if found:
                self._rows_given += 1
                return found
        return []

    def _filtered_row(self, row: bytes, cells: Mapping[bytes, list[Cell]]) -> list[Cell]:
        """The row as the filter leaves it. A filter that skips a row is shown its cells all the same."""
        filter = self._filter
        assert filter is not None
        here = {name: [cell for cell in cells[name] if cell.row == row] for name in self._stores}
        present = [name for name in self._stores if here[name] and self._takes_part(name, row)]
        if self._over or not present:
            return []
        skipped = filter.done() or filter.skips_row(row)
        if skipped and filter.done():
            self._over = True
            return []
        found: list[Cell] = []
        for name in present:
            family, read = self._stores[name].family, self._reads[name]
            passed = FilteredRow(family, read, self._now, filter, self._rows.reverse)
            seen = passed.run(candidates(here[name], family, read, self._now))
            found += seen.cells
            if seen.closed:
                self._closed.add(name)
            if seen.goal is not None:
                self._goals[name] = seen.goal
        if skipped:
            found = []
        if found and filter.whole_rows:
            found = filter.retain(found)
        if found and filter.drops_row():
            found = []
        filter.reset()
        self._over = filter.done()
        return found

    def _takes_part(self, family: bytes, row: bytes) -> bool:
        if family in self._closed:
            return False
        goal = self._goals.get(family)
        if goal is None:
            return True
        return row <= goal if self._rows.reverse else row >= goal

    def _cells(self) -> dict[bytes, list[Cell]]:
        """Every cell that exists for this scanner, by family."""
        existing = {}
        for name, store in self._stores.items():
            cells = [*store.memory, *(cell for file in self._files[name] for cell in file.cells)]
            existing[name] = in_order(cell for cell in cells if cell.sequence <= self.read_point)
        return existing

    def _remaining(self, cells: Mapping[bytes, list[Cell]]) -> list[bytes]:
        """The rows still to visit, in the order of the scan."""
        rows = {cell.row for family in cells.values() for cell in family}
        return sorted(
            (row for row in rows if self._in_range(row) and self._is_ahead(row)),
            reverse=self._rows.reverse,
        )

    def _is_ahead(self, row: bytes) -> bool:
        if self._last_row is None:
            return True
        return row < self._last_row if self._rows.reverse else row > self._last_row

    def _in_range(self, row: bytes) -> bool:
        """An empty start or stop is an open end; in reverse, start is the upper one."""
        rows = self._rows
        if rows.start:
            behind = row > rows.start if rows.reverse else row < rows.start
            if behind or (row == rows.start and not rows.include_start):
                return False
        if rows.stop:
            beyond = row < rows.stop if rows.reverse else row > rows.stop
            if beyond or (row == rows.stop and not rows.include_stop):
                return False
        return True


def family_reads(read: c.Read, stores: Mapping[bytes, Store]) -> dict[bytes, FamilyRead]:
    """Split a read into reads of each family, in order. Rejects what HBase rejects."""
    named = {*read.families, *(family for family, _ in read.columns)}
    for family in sorted(named):
        if family not in stores:
            raise no_such_family(family)
    if read.raw and read.columns:
        raise do_not_retry("Cannot specify any column for a raw scan")
    own_ranges = {family: checked_range(ends) for family, ends in read.family_time_ranges}
    whole_range = checked_range(read.time_range)
    reads = {}
    for family in stores:
        if named and family not in named:
            continue
        qualifiers = frozenset(qualifier for name, qualifier in read.columns if name == family)
        reads[family] = FamilyRead(
            qualifiers=qualifiers or None,
            versions=read.versions,
            time_range=own_ranges.get(family, whole_range),
            raw=read.raw,
            limit=read.cells_per_family,
            offset=read.offset_per_family,
        )
    return reads


def checked_range(time_range: c.TimeRange) -> c.TimeRange:
    """The range, if HBase accepts it."""
    first, second = time_range
    if first < 0 or second < 0:
        message = f"Timestamp cannot be negative. minStamp:{first}, maxStamp:{second}"
        raise HBaseError("IllegalArgumentException", message)
    if second < first:
        raise HBaseError("IllegalArgumentException", "maxStamp is smaller than minStamp")
    return time_range
