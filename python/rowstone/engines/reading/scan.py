"""The scan of a split, decoded to Arrow.

A row exists if it has a cell in a column of the schema. If a plan needs fewer columns, and these do not tell which rows
exist, the scan has all columns. A filter can then trim the rows to the cells that are needed and the key of one more.

Filters take time in the store for each cell. So the first rows of a split are read without, to learn what they would
save.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rowstone import filters
from rowstone._base.lazy import import_optional
from rowstone._core.frames import arrow
from rowstone._core.table import Table
from rowstone.codecs import Codecs
from rowstone.engines.planner.byte_ranges import Ranges, intersection
from rowstone.engines.planner.plan import Plan
from rowstone.engines.reading.decode import cast, decoded_batches
from rowstone.engines.reading.mask import keep
from rowstone.filters import Filter
from rowstone.keys import KeyRange

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone.engines._source import Split

PROBED_ROWS = 256
"""Rows of a split that are read without filters first."""
MOST_PASSING = {False: 0.25, True: 0.5}
"""Share of passing rows up to which a filter of rows is worth its time: in this process, and in a remote store."""
LEAST_SAVED_BYTES = 256
"""Bytes for each cell of a remote store that trimming must save."""


def read_split(table: Table, plan: Plan, split: Split, on_error: str, *, is_remote: bool) -> Iterator[Any]:
    """See `Source.read`."""
    is_fast = on_error == "raise" and not plan.needs_timestamp
    scan = _Scan(table, plan, on_error, is_trimmed=not plan.needed and not plan.needs_timestamp)
    may_trim = is_remote and bool(plan.needed) and not plan.needed.issuperset(plan.scanned)
    has_choice = is_fast and (plan.filter is not None or may_trim)
    left = plan.limit
    if left == 0:
        return
    for batch in _probed(scan, split.ranges, is_remote) if has_choice else scan.read(split.ranges):
        found = batch.select(plan.columns).slice(0, left)
        if len(found):
            yield found
        if left is not None:
            left -= len(found)
            if left <= 0:
                return


def _probed(scan: _Scan, ranges: Ranges, is_remote: bool) -> Iterator[Any]:
    """The rows of ranges: the first without filters, the rest with those that are worth their time."""
    whole = replace(scan, plan=scan.plan.without_filter())
    with whole.open(ranges, limit=PROBED_ROWS) as rows:
        first = list(rows)
    kept = 0
    for batch in decoded_batches(first, whole.plan, whole.on_error):
        kept += len(batch if scan.plan.pushed is None else keep(batch, scan.plan.pushed))
        yield from whole.checked([batch])
    if len(first) < PROBED_ROWS:
        return
    is_filtered = kept <= PROBED_ROWS * MOST_PASSING[is_remote]
    chosen = scan if is_filtered else whole
    share = kept / PROBED_ROWS if is_filtered else 1
    is_trimmed = is_remote and _saved_bytes(chosen.plan, first) * share >= LEAST_SAVED_BYTES
    rest = intersection(ranges, (KeyRange(first[-1].key + b"\0", b""),))
    yield from replace(chosen, is_trimmed=is_trimmed).read(rest)


def _saved_bytes(plan: Plan, rows: Sequence[_native.Row]) -> float:
    """The bytes for each cell that trimming would save."""
    needed = {plan.schema.field(name).column for name in plan.needed}
    sizes = [len(cell.value) if cell.column not in needed else 0 for row in rows for cell in row.cells]
    return sum(sizes) / len(sizes)


@dataclass(frozen=True)
class _Scan:
    """The scan of a plan over ranges of a table."""

    table: Table
    plan: Plan
    on_error: str
    is_trimmed: bool

    def read(self, ranges: Ranges) -> Iterator[Any]:
        """The rows for which the plan's predicate holds, with all columns that are read."""
        if ranges:
            # Rows that do not count may be left out after the scan.
            is_final = self.plan.residue is None and self.on_error != "drop"
            with self.open(ranges, limit=self.plan.limit if is_final else None) as rows:
                yield from self.checked(self.decoded(rows))

    def open(self, ranges: Ranges, *, limit: int | None) -> _native.Scanner:
        """Start the scan."""
        return self.table.scan(
            ranges[0].start or None,
            ranges[-1].stop or None,
            columns=[self.plan.schema.field(name).pair for name in self.plan.scanned],
            filter=scan_filter(self.plan, ranges, is_trimmed=self.is_trimmed),
            limit=limit,
            cache_blocks=False,
        )

    def decoded(self, rows: _native.Scanner) -> Iterator[Any]:
        """The rest of a scan as record batches."""
        if self.on_error != "raise" or self.plan.needs_timestamp:
            yield from decoded_batches(rows, self.plan, self.on_error)
            return
        schema = self.plan.schema
        codecs = {
            one.column: one.codec for one in map(schema.field, self.plan.reads) if one.column and one.codec != "avro"
        }
        columns = [schema.field(name).pair for name in self.plan.scanned]
        with arrow(rows, codecs=Codecs(codecs), key=schema.key, columns=columns) as stream:
            yield from _renamed(stream, self.plan, columns)

    def checked(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The rows for which the residue holds, unless the engine checks it."""
        residue = None if self.plan.engine_checks else self.plan.residue
        for batch in batches:
            yield batch if residue is None else keep(batch, residue)


def _renamed(stream: Any, plan: Plan, columns: list[tuple[bytes, bytes]]) -> Iterator[Any]:
    """Batches with the schema's names and types instead of those of the stream."""
    pyarrow = import_optional("pyarrow", "reading a Source", "arrow")
    # The stream has the columns sorted, after those of the row key.
    lead = len(plan.schema.key_fields)
    places = {column: lead + place for place, column in enumerate(sorted(columns))}
    names = [*plan.schema.key_names, *plan.reads]
    picked = [*range(lead), *(places[plan.schema.field(name).pair] for name in plan.reads)]
    for piece in stream:
        batch = pyarrow.record_batch(piece)
        found = pyarrow.record_batch([batch.column(place) for place in picked], names=names)
        yield cast(found, plan.schema)


def scan_filter(plan: Plan, ranges: Ranges, *, is_trimmed: bool) -> Filter | None:
    """Return the filter of a scan: its ranges, the plan's filter of rows, and if it is trimmed the cells to return."""
    parts: list[Filter] = []
    if len(ranges) > 1:
        # First, because it seeks.
        parts.append(filters.MultiRowRangeFilter([(start or None, stop or None) for start, stop in ranges]))
    if plan.filter is not None:
        parts.append(plan.filter)
    if is_trimmed:
        # Last, because tests of columns do not see the cells that an earlier filter leaves out.
        parts.append(_cells_filter(plan))
    return parts[0] if len(parts) == 1 else filters.FilterList("MUST_PASS_ALL", tuple(parts)) if parts else None


def _cells_filter(plan: Plan) -> Filter:
    """Return the filter that leaves the columns that are needed, and the key of the first cell if it is in another."""
    needed = {plan.schema.field(name).pair[1] for name in plan.needed}
    first = [filters.FirstKeyOnlyFilter(), *(filters.QualifierFilter("NOT_EQUAL", one) for one in sorted(needed))]
    existence = filters.FilterList("MUST_PASS_ALL", (*first, filters.KeyOnlyFilter()))
    wanted = (filters.QualifierFilter("EQUAL", one) for one in sorted(needed))
    return filters.FilterList("MUST_PASS_ONE", (*wanted, existence)) if needed else existence
