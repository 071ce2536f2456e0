"""Increments of engines that may run a task twice: tasks sum them up, and the driver adds the sums once.

A task writes nothing, so it may run any number of times. The driver gets a sum for each row and column from each task
that succeeded, and adds them when all tasks have. If the driver itself dies while it adds, some rows are done and
others are not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone.engines.writing.sink import Sink
from rowstone.errors import InvalidArgument

MOST_ROWS = 1_000_000
"""The limit of rows that one write may increment. All of them are in the driver's memory."""

_BATCH_ROWS = 10_000


def sums(sink: Sink, batches: Iterable[Any], most_rows: int = MOST_ROWS) -> Any:
    """Return a `pyarrow.Table` with one line per row key: the sums of all columns of the batches.

    Nulls add nothing.

    Raises:
        InvalidArgument: There are more than ``most_rows`` row keys.
    """
    pyarrow = import_optional("pyarrow", "increments", "arrow")
    keys = list(sink.schema.key_names)
    total = None
    for batch in batches:
        piece = pyarrow.Table.from_batches([batch]) if isinstance(batch, pyarrow.RecordBatch) else batch
        joined = piece if total is None else pyarrow.concat_tables([total, piece.select(total.column_names)])
        names = [name for name in joined.column_names if name not in keys]
        grouped = joined.group_by(keys).aggregate([(name, "sum") for name in names])
        total = grouped.select([*keys, *(f"{name}_sum" for name in names)]).rename_columns([*keys, *names])
        if len(total) > most_rows:
            raise InvalidArgument(
                f"the write increments more than {most_rows} rows, whose sums the driver has to hold: put the sums, or "
                "increment in portions"
            )
    return total


def add(sink: Sink, tables: Iterable[Any], most_rows: int = MOST_ROWS) -> int:
    """Add the sums of all tasks to the table; return the number of rows. For the driver, once.

    Raises:
        InvalidArgument: There are more than ``most_rows`` row keys; nothing is added.
    """
    total = sums(sink, (table for table in tables if table is not None), most_rows)
    return 0 if total is None else sink.write(total.to_batches(_BATCH_ROWS))
