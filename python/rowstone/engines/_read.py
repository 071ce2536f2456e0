"""Batches of a split: a scan, decoded to Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone._core.frames import arrow
from rowstone._core.table import Table
from rowstone.codecs import Codecs
from rowstone.engines._decode import decoded_batches
from rowstone.engines._mask import keep
from rowstone.engines._plan import Plan
from rowstone.filters import Filter, FilterList, MultiRowRangeFilter

if TYPE_CHECKING:
    from rowstone.engines._source import Split

Pair = tuple[bytes, bytes]


def read_split(table: Table, plan: Plan, split: Split, on_error: str) -> Iterator[Any]:
    """See `Source.read`."""
    schema = plan.schema.arrow(plan.columns)
    left = plan.limit
    for batch in _batches(table, plan, split, on_error):
        found = batch if plan.residue is None else keep(batch, plan.residue)
        found = found.slice(0, left)
        if len(found):
            yield found.select(plan.columns).cast(schema)
        if left is not None:
            left -= len(found)
            if left <= 0:
                return


def _batches(table: Table, plan: Plan, split: Split, on_error: str) -> Iterator[Any]:
    """The rows of the split before the residue, with all columns that were read."""
    columns = [field.pair for field in plan.scanned]
    with table.scan(
        split.ranges[0].start or None,
        split.ranges[-1].stop or None,
        columns=columns,
        filter=_filter(plan, split),
        limit=plan.limit if plan.residue is None else None,
        cache_blocks=False,
    ) as rows:
        if on_error != "raise" or plan.schema.timestamp in plan.needed:
            yield from decoded_batches(rows, plan, on_error)
            return
        read = [plan.schema.field(name) for name in plan.reads]
        codecs = Codecs({field.column or b"": field.codec for field in read if field.codec != "avro"})
        with arrow(rows, codecs=codecs, key=plan.schema.key, columns=columns) as stream:
            yield from _renamed(stream, plan, columns)


def _renamed(stream: Any, plan: Plan, columns: list[Pair]) -> Iterator[Any]:
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


def _filter(plan: Plan, split: Split) -> Filter | None:
    parts = [] if plan.filter is None else [plan.filter]
    if len(split.ranges) > 1:
        # First, because it seeks.
        parts.insert(0, MultiRowRangeFilter([(start or None, stop or None) for start, stop in split.ranges]))
    return parts[0] if len(parts) == 1 else FilterList("MUST_PASS_ALL", tuple(parts)) if parts else None
