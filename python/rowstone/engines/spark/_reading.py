"""Batch reads: a partition for each split of the plan, and batches in Spark's Arrow types.

Spark creates a reader in a process of its own on the driver's machine, asks it for the partitions, and sends the reader
with one partition to each task. Partitions are key ranges. A task therefore reads the same rows when it runs again, or
when its region has been split or moved meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import SPARK
from rowstone.engines._predicate import Predicate, all_of
from rowstone.engines.spark._filters import predicate_of
from rowstone.engines.spark._types import arrow_schema

if TYPE_CHECKING:
    from rowstone.engines._source import Source
    from rowstone.engines.planner.plan import Plan


class Reading:
    """The methods of Spark's ``DataSourceReader``.

    Args:
        source: The table.
        schema: Spark's schema of the rows; its columns are the ones that are read.
        where: The condition on rows.
    """

    def __init__(self, source: Source, schema: Any, where: Predicate | None) -> None:
        self._source = source
        self._schema = schema
        self._parts: tuple[Predicate, ...] = () if where is None else (where,)

    def partitions(self) -> Sequence[Any]:
        """One partition for each split: a region, or the part of it that the condition needs."""
        partition = SPARK.module("pyspark.sql.datasource").InputPartition
        return [partition(split) for split in self._source.splits(self.plan())]

    def read(self, partition: Any) -> Iterator[Any]:
        """Yield the `pyarrow.RecordBatch` of a partition."""
        # Spark adds a partition without a value where a plan has none.
        if partition.value is None:
            return
        schema = arrow_schema(self._schema)
        for batch in self._source.read(self.plan(), partition.value):
            yield batch.select(schema.names).cast(schema)

    def plan(self) -> Plan:
        """The plan of the conditions and columns."""
        return self._source.plan(all_of(self._parts), list(self._schema.fieldNames()))


class FilteredReading(Reading):
    """The same with the filters of queries, which Spark passes before it asks for the partitions.

    Only on request: Spark (4.1.4, 4.3.0) keeps the partitions of the query that was planned last in the loaded frame.
    It uses them for every query on it that has no filter of its own, and for both sides of a self-join.
    """

    def pushFilters(self, filters: Iterable[Any]) -> Iterator[Any]:
        """Keep the filters that the source evaluates; yield the others, which Spark evaluates."""
        for filter in filters:
            predicate = predicate_of(filter)
            if predicate is None:
                yield filter
            else:
                self._parts += (predicate,)
