"""The scan of a split, decoded to Arrow.

A row exists if it has a cell in a column of the schema. If a plan reads fewer columns, and these do not tell which rows
exist, the scan has all columns. A filter reduces them to those that are read, and to the key of one more cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rowstone import filters
from rowstone._base.lazy import import_optional
from rowstone._core.frames import arrow
from rowstone._core.table import Table
from rowstone.codecs import Codecs
from rowstone.engines.planner.plan import Plan
from rowstone.engines.reading.decode import decoded_batches
from rowstone.engines.reading.mask import keep
from rowstone.filters import Filter

if TYPE_CHECKING:
    from rowstone.engines._source import Split


def read_split(table: Table, plan: Plan, split: Split, on_error: str) -> Iterator[Any]:
    """See `Source.read`."""
    left = plan.limit
    for batch in _batches(table, plan, split, on_error):
        found = batch if plan.residue is None else keep(batch, plan.residue)
        found = found.slice(0, left)
        if len(found):
            yield found.select(plan.columns)
        if left is not None:
            left -= len(found)
            if left <= 0:
                return


def _batches(table: Table, plan: Plan, split: Split, on_error: str) -> Iterator[Any]:
    """The rows of the split before the residue, with all columns that are read."""
    columns = [plan.schema.field(name).pair for name in plan.scanned]
    with table.scan(
        split.ranges[0].start or None,
        split.ranges[-1].stop or None,
        columns=columns,
        filter=scan_filter(plan, split),
        limit=plan.limit if plan.residue is None else None,
        cache_blocks=False,
    ) as rows:
        if on_error != "raise" or plan.needs_timestamp:
            yield from decoded_batches(rows, plan, on_error)
            return
        read = [plan.schema.field(name) for name in plan.reads]
        codecs = Codecs({field.column or b"": field.codec for field in read if field.codec != "avro"})
        with arrow(rows, codecs=codecs, key=plan.schema.key, columns=columns) as stream:
            yield from _renamed(stream, plan, columns)


def _renamed(stream: Any, plan: Plan, columns: list[tuple[bytes, bytes]]) -> Iterator[Any]:
    """Batches with the schema's names and types instead of those of the stream."""
    pyarrow = import_optional("pyarrow", "reading a Source", "arrow")
    # The stream has the columns sorted, after those of the row key.
    lead = len(plan.schema.key_fields)
    places = {column: lead + place for place, column in enumerate(sorted(columns))}
    names = [*plan.schema.key_names, *plan.reads]
    picked = [*range(lead), *(places[plan.schema.field(name).pair] for name in plan.reads)]
    schema = plan.schema.arrow(names)
    for piece in stream:
        batch = pyarrow.record_batch(piece)
        yield pyarrow.record_batch([batch.column(place) for place in picked], names=names).cast(schema)


def scan_filter(plan: Plan, split: Split) -> Filter | None:
    """Return the filter of the scan of a split: its ranges, the plan's filter of rows, and the cells to return."""
    parts: list[Filter] = []
    if len(split.ranges) > 1:
        # First, because it seeks.
        ranges = [(start or None, stop or None) for start, stop in split.ranges]
        parts.append(filters.MultiRowRangeFilter(ranges))
    if plan.filter is not None:
        parts.append(plan.filter)
    if not {*plan.scanned} <= {*plan.reads, *plan.tested} and not plan.needs_timestamp:
        # Last, because tests of columns do not see the cells that an earlier filter leaves out.
        parts.append(_cells_filter(plan))
    return parts[0] if len(parts) == 1 else filters.FilterList("MUST_PASS_ALL", tuple(parts)) if parts else None


def _cells_filter(plan: Plan) -> Filter:
    """Return the filter that leaves the columns that are needed, and the key of the first cell if it is in another."""
    needed = {plan.schema.field(name).pair[1] for name in (*plan.reads, *plan.tested)}
    first = [filters.FirstKeyOnlyFilter(), *(filters.QualifierFilter("NOT_EQUAL", one) for one in sorted(needed))]
    existence = filters.FilterList("MUST_PASS_ALL", (*first, filters.KeyOnlyFilter()))
    wanted = (filters.QualifierFilter("EQUAL", one) for one in sorted(needed))
    return filters.FilterList("MUST_PASS_ONE", (*wanted, existence)) if needed else existence
