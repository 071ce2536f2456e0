"""Datasets of tables, and tables of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rowstone._base.lazy import RAY
from rowstone.engines._conditions import condition
from rowstone.engines._predicate import Predicate
from rowstone.engines._source import Source
from rowstone.engines.ray._datasink import Writing
from rowstone.engines.ray._datasource import Reading
from rowstone.engines.writing.sink import Sink


def from_rowstone(source: Source, columns: Sequence[str] | None = None, where: Predicate | str | None = None) -> Any:
    """Return a `ray.data.Dataset` of a table. Later ``filter(expr=…)`` and ``select_columns`` reach the scan as well.

    Args:
        columns: Names of columns; None for all.
        where: The condition on rows, or its text (``"age >= 18"``); columns of it need not be in ``columns``.

    Raises:
        ImportError: Ray is missing. NotFoundError: There is no such column. TableNotFound, when it is read.
    """
    return RAY.module("ray.data").read_datasource(datasource(source, columns, where))


def datasource(source: Source, columns: Sequence[str] | None = None, where: Predicate | str | None = None) -> Any:
    """Return the `ray.data.Datasource` of `from_rowstone`, for ``ray.data.read_datasource`` with options of its own."""
    return RAY.derive(Reading, "Datasource")(source, columns, condition(where))


def to_rowstone(dataset: Any, sink: Sink) -> int:
    """Write a `ray.data.Dataset` to a table, and return the number of rows. Runs the dataset.

    A task that runs twice writes the same cells. Increments are summed by the tasks, and added by this process at the
    end.

    Raises:
        ImportError: Ray is missing. Errors of a task, such as `NotFoundError` for a column that the schema does not
            have, are the cause of Ray's error; rows of other tasks may be written.
    """
    writing = datasink(sink)
    dataset.write_datasink(writing)
    rows: int = writing.rows
    return rows


def datasink(sink: Sink) -> Any:
    """Return the `ray.data.Datasink` of `to_rowstone`, for ``Dataset.write_datasink`` with options of its own."""
    return RAY.derive(Writing, "Datasink")(sink)
