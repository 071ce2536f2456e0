"""Every engine answers a predicate as it would on a copy of the table, whatever of it is pushed down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone.engines import Predicate, Source, arrow_dataset, duckdb_view, scan_polars
from rowstone.engines.reading import scan
from tests.engines.expressions import to_arrow, to_polars, to_sql
from tests.engines.random_tables import RandomTable, comparable, predicates, tables

pyarrow = pytest.importorskip("pyarrow")
polars = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

EXAMPLES = settings.default.max_examples // 8
"""25 by default, 625 with ROWSTONE_HYPOTHESIS=long: about two thousand predicates for each engine."""


@st.composite
def cases(draw: st.DrawFn) -> tuple[RandomTable, list[Predicate]]:
    """A table and some predicates, with constants of the columns' own types."""
    table = draw(tables())
    return table, draw(st.lists(predicates(table, has_other_types=False), min_size=1, max_size=5))


@pytest.fixture(scope="module", name="tables_db")
def open_database() -> Iterator[rs.Database]:
    """A database for the tables of all examples."""
    with rs.connect(":memory:") as opened:
        yield opened


def check_polars(source: Source, copy: Any, table: RandomTable, predicate: Predicate) -> None:
    """Polars, with the predicate pushed down, and on a copy."""
    condition = to_polars(predicate, source.schema)
    expected = polars.from_arrow(copy).filter(condition).to_dicts()
    assert comparable(expected) == comparable(table.matching(predicate))
    assert comparable(scan_polars(source).filter(condition).collect().to_dicts()) == comparable(expected)


def check_duckdb(source: Source, copy: Any, table: RandomTable, predicate: Predicate) -> None:
    """DuckDB, with the predicate pushed down, and on a copy."""
    with duckdb.connect() as connection:
        duckdb_view(connection, "view", source)
        connection.execute("CREATE TABLE copy AS SELECT * FROM copy")
        condition, values = to_sql(predicate, source.schema)
        expected, found = (
            connection.sql(f"SELECT * FROM {name} WHERE {condition}", params=values).to_arrow_table().to_pylist()
            for name in ("copy", "view")
        )
        assert comparable(expected) == comparable(table.matching(predicate)), condition
        assert comparable(found) == comparable(expected), condition


def check_arrow(source: Source, copy: Any, table: RandomTable, predicate: Predicate) -> None:
    """A dataset of pyarrow, with the filter pushed down, and a table of pyarrow."""
    condition = to_arrow(predicate, source.schema)
    expected = copy.filter(condition).to_pylist()
    assert comparable(arrow_dataset(source).to_table(filter=condition).to_pylist()) == comparable(expected)


CHECKS = {"polars": check_polars, "duckdb": check_duckdb, "arrow": check_arrow}


@pytest.fixture(scope="module", autouse=True)
def _early_filters() -> Iterator[None]:
    """Filters after the first row of a table in this process, whatever share of the rows passes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "PROBED_ROWS", 1)
        patch.setattr(scan, "MOST_PASSING", {False: 1.0, True: 1.0})
        yield


@pytest.mark.parametrize("engine", CHECKS)
@settings(max_examples=EXAMPLES)
@given(case=cases())
def test_engines_answer_as_on_a_copy(
    tables_db: rs.Database, engine: str, case: tuple[RandomTable, list[Predicate]]
) -> None:
    table, wanted = case
    with table.create(tables_db) as source:
        copy = pyarrow.Table.from_pylist(table.rows, schema=source.schema.arrow())
        for predicate in wanted:
            CHECKS[engine](source, copy, table, predicate)
