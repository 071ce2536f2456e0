"""Batch and stream writes: tasks write puts and deletes; increments and bulk loads are done by the driver.

The driver chooses one timestamp for all cells of a write. A task that runs again therefore writes the same cells, and
no version twice. HBase has no transactions over rows: rows become visible as they are written, and an aborted write
leaves the rows that its tasks have written. The same write with the same ``timestamp`` completes it.

With a ``staging_dir``, tasks write store files instead, and rows become visible when the driver loads the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import SPARK
from rowstone.engines.writing.increments import add, sums

if TYPE_CHECKING:
    from rowstone.engines.writing.sink import Sink
    from rowstone.engines.writing.staging import Staged


class Written:
    """Result of a task: the number of rows it wrote, or what the driver has to add or to load."""

    def __init__(self, rows: int, sums: Any = None, staged: Staged | None = None) -> None:
        self.rows = rows
        self.sums = sums
        self.staged = staged


class Writing:
    """The methods of Spark's ``DataSourceArrowWriter``."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        if sink.is_staged:
            sink.prepare()

    def write(self, iterator: Iterator[Any]) -> Any:
        """Write the `pyarrow.RecordBatch` of a task; return the message for the driver."""
        message = SPARK.derive(Written, "WriterCommitMessage")
        if self._sink.mode == "increment":
            return message(0, sums(self._sink, iterator))
        if self._sink.is_staged:
            staged = self._sink.stage(iterator)
            return message(staged.row_count, staged=staged)
        return message(self._sink.write(iterator))

    def commit(self, messages: Sequence[Any]) -> None:
        """Called when all tasks have succeeded. Puts and deletes are written already."""
        if self._sink.is_staged:
            self._sink.load(_staged(messages))
        if self._sink.mode == "increment":
            add(self._sink, [message.sums for message in messages])

    def abort(self, messages: Sequence[Any]) -> None:
        """Called when a task has failed for good. Rows that were put stay; nothing is added or loaded."""
        if self._sink.is_staged:
            self._sink.discard(_staged(messages))


def _staged(messages: Sequence[Any]) -> list[Staged]:
    """The files of the tasks that succeeded. The others have no message."""
    return [message.staged for message in messages if message is not None]


class StreamWriting(Writing):
    """The methods of Spark's ``DataSourceStreamArrowWriter``: the same for each micro-batch."""

    def commit(self, messages: Sequence[Any], batchId: int = 0) -> None:
        """Called when all tasks of a micro-batch have succeeded."""

    def abort(self, messages: Sequence[Any], batchId: int = 0) -> None:
        """Called when a micro-batch has failed. Spark repeats it when the query is started again."""
