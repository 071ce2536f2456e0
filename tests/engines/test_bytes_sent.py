"""A key range moves only its rows: the bytes that leave a server, by its own counter, whatever engine asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, IsNull, Predicate, RowSchema, Sink, Source
from tests.engines.in_process import ENGINES
from tests.engines.judge import Engine
from tests.engines.served_rows import ROWS, Served, check_key_range, served_rows

pyarrow = pytest.importorskip("pyarrow")
# Warnings of Dask and pandas are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A table of two regions."""
    with served_rows() as found:
        yield found


def read_by_plan(source: Source, wanted: Sequence[Predicate]) -> Iterator[list[dict[str, Any]]]:
    """Rows by the source itself."""
    for predicate in wanted:
        plan = source.plan(predicate)
        yield [row for split in source.splits(plan) for batch in source.read(plan, split) for row in batch.to_pylist()]


@pytest.mark.parametrize("engine", ["plan", *ENGINES])
def test_a_key_range_sends_little_more_than_its_cells(served: Served, engine: str) -> None:
    check_key_range(Engine(read_by_plan) if engine == "plan" else ENGINES[engine], served)


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
