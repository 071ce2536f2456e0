"""Dask: tables as data frames, a partition for each region, and data frames written to tables.

Columns have pandas' Arrow types, such as ``int32[pyarrow]``, so missing cells change no type. Dask asks only for the
columns that a computation uses. Pass conditions on rows as ``where``: Dask passes no filters to sources.

Example:
    >>> import rowstone as rs
    >>> from rowstone.engines import RowSchema, Source
    >>> from rowstone.engines import dask as rowstone_dask
    >>> with rs.connect(":memory:") as db:
    ...     _ = db.create_table("people", ["f"])
    ...     for name, age in [("ann", 41), ("bob", 17)]:
    ...         db.table("people").put(name, {"f:age": age.to_bytes(4)})
    ...     source = Source(db, "people", RowSchema("text", {"age": ("f:age", "int32")}))
    ...     adults = rowstone_dask.from_rowstone(source, where="age >= 18")
    ...     print(adults.compute(scheduler="threads").values.tolist())
    [['ann', 41]]
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone.engines._conditions import condition
from rowstone.engines._predicate import Predicate
from rowstone.engines._source import Source, Split
from rowstone.engines.planner.plan import Plan
from rowstone.engines.writing.increments import add, sums
from rowstone.engines.writing.sink import Sink

if TYPE_CHECKING:
    import pandas
    from dask.dataframe import DataFrame


def from_rowstone(
    source: Source, columns: Sequence[str] | None = None, where: Predicate | str | None = None
) -> DataFrame:
    """Return a `dask.dataframe.DataFrame` of a table. Each partition is a region, or the part of it that is needed.

    The splits are chosen now, the rows are read when the frame is computed. Partitions are in key order.

    Args:
        columns: Names of columns; None for all.
        where: The condition on rows, or its text (``"age >= 18"``); columns of it need not be in ``columns``.

    Raises:
        ImportError: Dask or its data frames are missing. TableNotFound. NotFoundError: There is no such column.
    """
    frames = import_optional("dask.dataframe", "from_rowstone()", "dask-dataframe")
    plan = source.plan(condition(where), columns)
    # A frame needs a partition: without rows it has an empty one.
    splits: list[Split | None] = [*source.splits(plan)] or [None]
    read = _Read(source, plan)
    found: DataFrame = frames.from_map(read, splits, meta=read(None), label="rowstone", enforce_metadata=False)
    return found


class _Read:
    """Reads a partition. Dask passes ``columns`` if a computation needs only some."""

    def __init__(self, source: Source, plan: Plan) -> None:
        self._source = source
        self._plan = plan
        # Another call may find other rows, so its frame is another one.
        self._token = uuid.uuid4().hex

    def __call__(self, split: Split | None, columns: Sequence[str] | None = None) -> pandas.DataFrame:
        pyarrow = import_optional("pyarrow", "from_rowstone()", "arrow")
        plan = self._plan if columns is None else self._source.plan(self._plan.predicate, columns)
        batches = [] if split is None else self._source.read(plan, split)
        table = pyarrow.Table.from_batches(batches, plan.schema.arrow(plan.columns))
        kind = import_optional("pandas", "from_rowstone()", "pandas").ArrowDtype
        found: pandas.DataFrame = table.to_pandas(types_mapper=kind)
        return found

    def __dask_tokenize__(self) -> str:
        return self._token


def to_rowstone(frame: Any, sink: Sink) -> int:
    """Write a `dask.dataframe.DataFrame` to a table, and return the number of rows. Computes the frame.

    The columns of the frame, and its index if that has a name, are columns of the sink's schema. A task that runs twice
    writes the same cells. Increments are summed by the tasks, and added by this process at the end.

    Raises:
        NotFoundError: A column is not in the schema. InvalidArgument: A value does not fit its column; rows of other
            partitions may be written.
    """
    dask = import_optional("dask", "to_rowstone()", "dask-dataframe")
    write = dask.delayed(_add_up if sink.mode == "increment" else _write)
    done = dask.compute(*(write(part, sink) for part in frame.to_delayed()))
    return add(sink, done) if sink.mode == "increment" else sum(done)


def _write(part: pandas.DataFrame, sink: Sink) -> int:
    return sink.write([_table(part, sink)])


def _add_up(part: pandas.DataFrame, sink: Sink) -> Any:
    return sums(sink, [_table(part, sink)])


def _table(part: pandas.DataFrame, sink: Sink) -> Any:
    """The rows of a partition with the types of the sink's columns."""
    pyarrow = import_optional("pyarrow", "to_rowstone()", "arrow")
    whole = part if part.index.name is None else part.reset_index()
    return pyarrow.Table.from_pandas(whole, sink.schema.arrow(whole.columns), preserve_index=False)
