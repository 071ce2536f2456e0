"""A key range moves only its rows: the bytes that leave a server, by its own counter, whatever engine asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

import rowstone as rs
from rowstone.engines import Compare, IsNull, Predicate, RowSchema, Sink, Source, duckdb_view, scan_polars

pyarrow = pytest.importorskip("pyarrow")
polars = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

SCHEMA = RowSchema("text", {"age": ("f:age", "int32"), "town": ("g:town", "text")})
ROWS = 20_000
FIRST, STOP = "r008000", "r010000"


@dataclass(frozen=True)
class Served:
    """A table on a server."""

    server: rs.Server
    source: Source

    def sent_bytes(self) -> int:
        """The bytes of all answers so far: ``sentBytes`` of HBase's metrics."""
        total: int = self.server._native.measured()["series"]["response"][1]
        return total


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A table of two regions."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"], splits=["r009"])
        columns = {
            "row": [f"r{number:06}" for number in range(ROWS)],
            "age": pyarrow.array(range(ROWS), "int32"),
            "town": ["x" * 50] * ROWS,
        }
        Sink(db, "t", SCHEMA).write(pyarrow.table(columns).to_batches())
        with rs.serve(db, port=0, zk_port=None) as server:
            yield Served(server, Source(server.url, "t", SCHEMA))


def cell_bytes(db: rs.Database) -> int:
    """The size of the result's cells as HBase sends them: a length, then the serialised KeyValue."""
    with db.table("t").scan(FIRST, STOP) as rows:
        return sum(
            4 + 8 + 2 + len(row.key) + 1 + len(cell.column) - 1 + 8 + 1 + len(cell.value)
            for row in rows
            for cell in row.cells
        )


def by_plan(source: Source) -> int:
    """Rows by the source itself."""
    plan = source.plan(Compare("row", ">=", FIRST) & Compare("row", "<", STOP))
    return sum(len(batch) for split in source.splits(plan) for batch in source.read(plan, split))


def by_polars(source: Source) -> int:
    """Rows by Polars."""
    column = polars.col("row")
    return len(scan_polars(source).filter((column >= FIRST) & (column < STOP)).collect())


def by_duckdb(source: Source) -> int:
    """Rows by DuckDB."""
    with duckdb.connect() as connection:
        duckdb_view(connection, "t", source)
        return len(connection.execute(f"SELECT * FROM t WHERE row >= '{FIRST}' AND row < '{STOP}'").fetchall())


@pytest.mark.parametrize("query", [by_plan, by_polars, by_duckdb])
def test_a_key_range_sends_little_more_than_its_cells(served: Served, query: Callable[[Source], int]) -> None:
    before = served.sent_bytes()
    assert query(served.source) == 2000
    sent = served.sent_bytes() - before
    expected = cell_bytes(served.server.database)
    assert expected < sent <= 1.1 * expected


def test_a_count_sends_less_than_the_values(served: Served) -> None:
    before = served.sent_bytes()
    source = served.source
    plan = source.plan(columns=[])
    assert sum(batch.num_rows for split in source.splits(plan) for batch in source.read(plan, split)) == ROWS
    assert served.sent_bytes() - before < 50 * ROWS


def read(source: Source, predicate: Predicate | None, columns: list[str]) -> int:
    """The number of rows of a query."""
    plan = source.plan(predicate, columns)
    return sum(batch.num_rows for split in source.splits(plan) for batch in source.read(plan, split))


def test_large_values_stay_on_the_server_unless_they_are_needed() -> None:
    """Also those of rows that a filter leaves out; only the first 256 rows are read without filters."""
    schema = RowSchema("text", {"age": ("f:age", "int32"), "photo": ("f:photo", "bytes")})
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        columns = {
            "row": [f"r{number:04}" for number in range(2000)],
            "age": pyarrow.array([number % 100 for number in range(2000)], "int32"),
            "photo": [bytes(5000)] * 2000,
        }
        Sink(db, "t", schema).write(pyarrow.table(columns).to_batches())
        with rs.serve(db, port=0, zk_port=None) as server:
            served = Served(server, Source(server.url, "t", schema))
            for predicate, names, rows, needed in (
                (None, ["age"], 2000, 0),
                (Compare("age", "==", 7), ["photo"], 20, 20),
                (Compare("age", "==", 7) | IsNull("age"), ["row"], 20, 0),
            ):
                before = served.sent_bytes()
                assert read(served.source, predicate, names) == rows
                assert served.sent_bytes() - before < 5000 * (256 + needed) + 150 * 2000
