"""Every engine answers a predicate as it would on a copy of the table, whatever of it is pushed down."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

import rowstone as rs
from rowstone.engines import Predicate
from rowstone.engines.reading import scan
from tests.engines.in_process import ENGINES
from tests.engines.judge import cases, judge
from tests.engines.random_tables import RandomTable

# Warnings of Dask and pandas are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")

EXAMPLES = settings.default.max_examples // 7
"""28 by default, 714 with ROWSTONE_HYPOTHESIS=long: about 2,100 predicates for each engine."""


@pytest.fixture(scope="module", name="tables_db")
def open_database() -> Iterator[rs.Database]:
    """A database for the tables of all examples."""
    with rs.connect(":memory:") as opened:
        yield opened


@pytest.fixture(scope="module", autouse=True)
def _early_filters() -> Iterator[None]:
    """Filters after the first row of a table in this process, whatever share of the rows passes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "PROBED_ROWS", 1)
        patch.setattr(scan, "MOST_PASSING", {False: 1.0, True: 1.0})
        yield


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=EXAMPLES)
@given(case=cases())
def test_engines_answer_as_on_a_copy(
    tables_db: rs.Database, engine: str, case: tuple[RandomTable, list[Predicate]]
) -> None:
    table, wanted = case
    with table.create(tables_db) as source:
        judge(ENGINES[engine], source, table, wanted)
