"""Batch and stream writes: tasks write puts and deletes; increments are added by the driver.

The driver chooses one timestamp for all cells of a write. A task that runs again therefore writes the same cells, and
no version twice. HBase has no transactions over rows: rows become visible as they are written, and an aborted write
leaves the rows that its tasks have written. The same write with the same ``timestamp`` completes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import SPARK
from rowstone.engines._increments import add, sums

if TYPE_CHECKING:
    from rowstone.engines._sink import Sink


class Written:
    """Result of a task: the number of rows it wrote, or the sums that the driver adds."""

    def __init__(self, rows: int, sums: Any = None) -> None:
        self.rows = rows
        self.sums = sums


class Writing:
    """The methods of Spark's ``DataSourceArrowWriter``."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, iterator: Iterator[Any]) -> Any:
        """Write the `pyarrow.RecordBatch` of a task; return the message for the driver."""
        message = SPARK.derive(Written, "WriterCommitMessage")
        if self._sink.mode == "increment":
            return message(0, sums(self._sink, iterator))
        return message(self._sink.write(iterator))

    def commit(self, messages: Sequence[Any]) -> None:
        """Called when all tasks have succeeded. Puts and deletes are written already."""
        if self._sink.mode == "increment":
            add(self._sink, [message.sums for message in messages])

    def abort(self, messages: Sequence[Any]) -> None:
        """Called when a task has failed for good. Rows that are written stay; increments are not added."""


class StreamWriting(Writing):
    """The methods of Spark's ``DataSourceStreamArrowWriter``: the same for each micro-batch."""

    def commit(self, messages: Sequence[Any], batchId: int = 0) -> None:
        """Called when all tasks of a micro-batch have succeeded."""

    def abort(self, messages: Sequence[Any], batchId: int = 0) -> None:
        """Called when a micro-batch has failed. Spark repeats it when the query is started again."""
