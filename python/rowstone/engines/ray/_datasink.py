"""Writes of Ray Data: tasks write puts and deletes; increments are added by the driver."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rowstone._base.lazy import RAY
from rowstone.engines.writing.increments import add, sums
from rowstone.engines.writing.sink import Sink


@dataclass(frozen=True)
class Written:
    """Result of a task: the number of rows it wrote, or the sums that the driver adds."""

    rows: int
    sums: Any = None


class Writing:
    """The methods of Ray's ``Datasink``.

    Attributes:
        rows: The number of rows, when the write is complete.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.rows = 0

    def get_name(self) -> str:
        """The name of the write's tasks."""
        return "Rowstone"

    def write(self, blocks: Iterable[Any], ctx: Any) -> Written:
        """Write the blocks of a task. It may run again: puts and deletes have the timestamp of the sink."""
        accessor = RAY.module("ray.data.block").BlockAccessor
        tables = (table for block in blocks if len(table := accessor.for_block(block).to_arrow()))
        if self._sink.mode == "increment":
            return Written(0, sums(self._sink, tables))
        return Written(self._sink.write(tables))

    def on_write_complete(self, write_result: Any) -> None:
        """Called on the driver when all tasks have succeeded."""
        done: list[Written] = write_result.write_returns
        if self._sink.mode == "increment":
            self.rows = add(self._sink, [one.sums for one in done])
        else:
            self.rows = sum(one.rows for one in done)
