"""The reference model of a region: HBase's answers from the slowest and most obvious code.

It keeps every cell in plain lists and evaluates each row again for every read. Sequence numbers are assigned as in
HBase, including those of markers in its log, so even files can be compared cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.reference.cells import Cell
from tests.reference.errors import HBaseError, no_such_family
from tests.reference.scanner import Scanner, checked_range, family_reads
from tests.reference.schema import Family
from tests.reference.selection import Selection
from tests.reference.store import Store, cells_of
from tests.reference.visibility import FamilyRead, read_row
from tests.reference.writes import Moment, Prepared, check, check_families, check_row, prepare
from tests.script import commands as c

FIRST_SEQUENCE = 1
IN_ROW_MUTATIONS = ("in the recently added Mutation", "WrongRowIOException")


class Region:
    """One table with one region. `now` is the clock: set it."""

    def __init__(self, families: Iterable[Family], now: int) -> None:
        by_name = sorted(families, key=lambda family: family.name)
        self.stores = {family.name: Store(family) for family in by_name}
        self.now = now
        self.sequence = FIRST_SEQUENCE
        self.scanners: list[Scanner] = []

    # ---- writes

    def write(self, mutation: c.Mutation) -> list[Cell]:
        """One mutation; gives the new cells of an increment or append."""
        check(mutation)
        check_families(mutation, list(self.stores))
        return self._apply([mutation])[0].reported or []

    def batch(self, mutations: Sequence[c.Mutation]) -> list[HBaseError | None]:
        """Mutations of any rows. Those with an unknown family fail alone, unless an increment or
        append among them makes the batch all or nothing."""
        for mutation in mutations:
            check(mutation)
        errors: list[HBaseError | None] = []
        for mutation in mutations:
            try:
                check_families(mutation, list(self.stores))
                errors.append(None)
            except HBaseError as refused:
                errors.append(refused)
        if any(isinstance(m, c.Increment | c.Append) for m in mutations):
            for error in errors:
                if error is not None:
                    raise error
        good = [m for m, error in zip(mutations, errors, strict=True) if error is None]
        self._apply(good)
        return errors

    def mutate_row(self, mutations: Sequence[c.Mutation]) -> list[Cell] | None:
        """Mutations of one row, all or nothing; None without increments and appends."""
        for mutation in mutations:
            check(mutation)
            check_row(mutation, mutations[0].row, *IN_ROW_MUTATIONS)
        for mutation in mutations:
            check_families(mutation, list(self.stores))
        reports = [done.reported for done in self._apply(mutations)]
        if all(report is None for report in reports):
            return None
        return [cell for report in reports for cell in report or []]

    def check_and_mutate(self, request: c.CheckAndMutate) -> tuple[bool, list[Cell] | None]:
        """(whether the check passed, what increments and appends report). A put without timestamp
        is stamped not earlier than the cell it was checked against."""
        family, qualifier = request.column
        for mutation in request.mutations:
            check(mutation)
            if len(request.mutations) > 1:
                check_row(mutation, request.row, *IN_ROW_MUTATIONS)
            else:
                check_row(mutation, request.row, "of the action", "IllegalArgumentException")
        time_range = checked_range(request.time_range or (0, c.LATEST))
        if request.filter is not None:
            found = self.get(request.row, c.Read(time_range=time_range, filter=request.filter))[:1]
            passes = bool(found)
        else:
            if family not in self.stores:
                raise no_such_family(family)
            read = FamilyRead(frozenset([qualifier]), time_range=time_range)
            found = self._read(request.row, family, read)
            passes = _passes(request.operator, request.expected, found)
        if not passes:
            return False, None
        stamp = max([self.now, *(cell.timestamp for cell in found)])
        stamped = [_stamped(mutation, stamp) for mutation in request.mutations]
        if len(stamped) == 1:
            reported = self.write(stamped[0])
            is_write = isinstance(stamped[0], c.Put | c.Delete)
            return True, None if is_write else reported
        return True, self.mutate_row(stamped)

    def _apply(self, mutations: Sequence[c.Mutation]) -> list[Prepared]:
        """All mutations with one sequence number; each sees the state before all of them."""
        if not mutations:
            return []
        moment = Moment(self.now, self.sequence + 1, list(self.stores), self._read)
        prepared = [prepare(mutation, moment) for mutation in mutations]
        self.sequence += 1
        for done in prepared:
            for cell in done.cells:
                self.stores[cell.family].add(cell)
        return prepared

    # ---- reads

    def _read(self, row: bytes, family: bytes, read: FamilyRead) -> list[Cell]:
        store = self.stores[family]
        cells = cells_of(row, store.cells(), self.sequence)
        return read_row(cells, store.family, read, self.now)

    def get(self, row: bytes, read: c.Read) -> list[Cell]:
        """The cells of one row."""
        if read.versions is not None and read.versions <= 0:
            raise HBaseError("IOException", "versions must be positive")
        if read.filter is not None:
            rows = c.Rows(start=row, stop=row, include_stop=True)
            return Scanner(self.stores, rows, read, self.sequence, self.now).next()
        reads = family_reads(read, self.stores)
        return [cell for family, asked in reads.items() for cell in self._read(row, family, asked)]

    def scan(self, rows: c.Rows, read: c.Read) -> Scanner:
        """Open a scanner over the current cells; call `close_scanner` when done."""
        read_point = c.LATEST if read.uncommitted else self.sequence
        scanner = Scanner(self.stores, rows, read, read_point, self.now)
        self.scanners.append(scanner)
        return scanner

    def close_scanner(self, scanner: Scanner) -> None:
        """Flushes and compactions need no longer keep cells for it."""
        self.scanners.remove(scanner)

    @property
    def smallest_read_point(self) -> int:
        """The smallest read point of the open scanners, or now."""
        return min([self.sequence, *(scanner.read_point for scanner in self.scanners)])

    # ---- flush and compaction

    def flush(self) -> None:
        """Memory to files, in every family."""
        self.sequence += 1
        if not any(store.memory for store in self.stores.values()):
            return
        flushed_at = self.sequence
        self.sequence += 2
        cut = self.smallest_read_point
        for name, store in self.stores.items():
            file = store.flush(flushed_at, self.now, cut)
            for scanner in self.scanners:
                scanner.flushed(name, file)

    def reopen(self) -> None:
        """Closes the region, which flushes memory, and opens it: numbers go on after the files'."""
        self.scanners.clear()
        self.flush()
        for store in self.stores.values():
            store.major_requested = False
        flushed = [file.sequence for store in self.stores.values() for file in store.files]
        self.sequence = max([FIRST_SEQUENCE, *flushed]) + 1

    def compact(self, window: tuple[int, int] | None = None) -> list[Selection | None]:
        """A compaction of every family, chosen by the policy or of exactly the window of files."""
        return [self._compact(store, True, window) for store in self.stores.values()]

    def major_compact(self) -> None:
        """A compaction of all files of every family."""
        for store in self.stores.values():
            store.major_requested = True
        for store in self.stores.values():
            self._compact(store, False, None)

    def _compact(self, store: Store, by_user: bool, window: tuple[int, int] | None) -> Selection | None:
        if store.drop_expired_files(self.now):
            self.sequence += 1
        selection = store.select(by_user, window)
        if selection is not None:
            store.compact(selection, self.now, self.smallest_read_point)
            self.sequence += 1
        return selection


def _passes(operator: str, expected: bytes | None, found: Sequence[Cell]) -> bool:
    """Whether `expected OPERATOR stored` holds. No expectation means "absent or empty"."""
    if not expected:
        absent = not found or not found[0].value
        return absent == (operator != "NOT_EQUAL")
    if not found:
        return False
    stored = found[0].value
    return {
        "EQUAL": expected == stored,
        "NOT_EQUAL": expected != stored,
        "LESS": expected < stored,
        "LESS_OR_EQUAL": expected <= stored,
        "GREATER": expected > stored,
        "GREATER_OR_EQUAL": expected >= stored,
    }[operator]


def _stamped(mutation: c.Mutation, timestamp: int) -> c.Mutation:
    """Gives a put without a timestamp this one."""
    if not isinstance(mutation, c.Put) or mutation.timestamp is not None:
        return mutation
    return c.Put(mutation.row, mutation.column, timestamp, mutation.value, mutation.ttl_ms)
