"""The engines that run in the process of the tests: Polars, DuckDB, pyarrow and Dask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rowstone.engines import Predicate, RowSchema, Source, arrow_dataset, duckdb_view, scan_polars
from rowstone.engines import dask as rowstone_dask
from tests.engines.expressions import to_arrow, to_polars, to_sql
from tests.engines.judge import Engine, Rows

dask = pytest.importorskip("dask")
duckdb = pytest.importorskip("duckdb")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


def read_by_polars(source: Source, wanted: Sequence[Predicate]) -> Iterator[Rows]:
    """The rows of lazy frames."""
    for predicate in wanted:
        yield scan_polars(source).filter(to_polars(predicate, source.schema)).collect().to_dicts()


def filter_by_polars(copy: Any, schema: RowSchema, predicate: Predicate) -> Rows:
    """The rows of a frame in memory."""
    frame: Any = polars.from_arrow(copy)
    found: Rows = frame.filter(to_polars(predicate, schema)).to_dicts()
    return found


def read_by_duckdb(source: Source, wanted: Sequence[Predicate]) -> Iterator[Rows]:
    """The rows of a view."""
    with duckdb.connect() as connection:
        duckdb_view(connection, "t", source)
        for predicate in wanted:
            yield _select(connection, source.schema, predicate)


def filter_by_duckdb(copy: Any, schema: RowSchema, predicate: Predicate) -> Rows:
    """The rows of a table of DuckDB."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM copy")
        return _select(connection, schema, predicate)


def _select(connection: Any, schema: RowSchema, predicate: Predicate) -> Rows:
    condition, values = to_sql(predicate, schema)
    found: Rows = connection.sql(f"SELECT * FROM t WHERE {condition}", params=values).to_arrow_table().to_pylist()
    return found


def read_by_arrow(source: Source, wanted: Sequence[Predicate]) -> Iterator[Rows]:
    """The rows of a dataset."""
    for predicate in wanted:
        yield arrow_dataset(source).to_table(filter=to_arrow(predicate, source.schema)).to_pylist()


def filter_by_arrow(copy: Any, schema: RowSchema, predicate: Predicate) -> Rows:
    """The rows of a table in memory."""
    found: Rows = copy.filter(to_arrow(predicate, schema)).to_pylist()
    return found


def read_by_dask(source: Source, wanted: Sequence[Predicate]) -> Iterator[Rows]:
    """The rows of frames with a condition, all computed at once."""
    frames = [rowstone_dask.from_rowstone(source, where=predicate) for predicate in wanted]
    for frame in dask.compute(*frames, scheduler="synchronous"):
        yield pyarrow.Table.from_pandas(frame, source.schema.arrow(), preserve_index=False).to_pylist()


ENGINES = {
    "polars": Engine(read_by_polars, filter_by_polars),
    "duckdb": Engine(read_by_duckdb, filter_by_duckdb),
    "arrow": Engine(read_by_arrow, filter_by_arrow, is_sql=False),
    "dask": Engine(read_by_dask),
}
