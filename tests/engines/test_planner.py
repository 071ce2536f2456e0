"""The planner: the rows that a plan reads, with the residue applied, are the rows that the predicate selects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone.engines import Predicate, Source, _source
from rowstone.engines.reading import scan
from tests.engines.random_tables import RandomTable, comparable, predicates, tables

pytest.importorskip("pyarrow")


def read(source: Source, predicate: Predicate | None = None, columns: Any = None, limit: int | None = None) -> Any:
    """All rows of a query, as records."""
    plan = source.plan(predicate, columns, limit)
    batches = [batch for split in source.splits(plan) for batch in source.read(plan, split)]
    assert all(batch.num_rows and batch.schema == source.schema.arrow(plan.columns) for batch in batches)
    return [row for batch in batches for row in batch.to_pylist() or [{}] * batch.num_rows]


@st.composite
def cases(draw: st.DrawFn) -> tuple[RandomTable, list[tuple[Predicate, list[str]]], list[bytes]]:
    """A table, some predicates with the columns of the result, and split keys."""
    table = draw(tables())
    columns = st.lists(st.sampled_from(table.schema.names), unique=True)
    queries = draw(st.lists(st.tuples(predicates(table), columns), min_size=1, max_size=6))
    return table, queries, sorted(draw(st.sets(st.sampled_from([b"\1", b"a", b"b", b"\x80"]), max_size=2)))


@pytest.fixture(scope="module", name="tables_db")
def open_database() -> Iterator[rs.Database]:
    """A database for the tables of all examples."""
    with rs.connect(":memory:") as opened:
        yield opened


@pytest.fixture(params=["usual", "filtered", "trimmed"], scope="module")
def _way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Scans that read all rows of small tables without filters; with filters after a row; also trimmed as if remote."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "usual":
            patch.setattr(scan, "PROBED_ROWS", 1)
            patch.setattr(scan, "MOST_PASSING", {False: 1.0, True: 1.0})
        if request.param == "trimmed":
            patch.setattr(scan, "LEAST_SAVED_BYTES", 0)
            patch.setattr(_source, "read_split", lambda *rest, is_remote: scan.read_split(*rest, is_remote=True))
        yield


@pytest.mark.usefixtures("_way")
@settings(max_examples=settings.default.max_examples // 4)
@given(case=cases())
def test_a_plan_answers_what_the_predicate_says(tables_db: rs.Database, case: Any) -> None:
    table, queries, splits = case
    with table.create(tables_db, splits) as source:
        for predicate, columns in queries:
            expected = [{name: row[name] for name in columns} for row in table.matching(predicate)]
            plan = source.plan(predicate, columns)
            assert comparable(read(source, predicate, columns)) == comparable(expected), plan.explain()
