"""Spark and Ray answer a predicate as plain Python does: random predicates on random tables of a server.

A key range sends little more than its cells.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import Phase, given, settings

import rowstone as rs
from rowstone.engines import Predicate, Source
from tests.engines.clusters.engines import ENGINES
from tests.engines.judge import cases, judge
from tests.engines.random_tables import RandomTable
from tests.engines.served_rows import check_key_range, served_rows

# Warnings of Spark, Ray and pandas are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")

IS_LONG = settings.default.max_examples > 1000
EXAMPLES, LEAST = (170, 12) if IS_LONG else (4, 2)
"""Tables, and the fewest predicates for each: with ROWSTONE_HYPOTHESIS=long 2,040 predicates for each engine."""


@pytest.fixture(scope="module")
def server() -> Iterator[rs.Server]:
    """A server of a database for the tables of all examples."""
    with rs.connect(":memory:") as db, rs.serve(db, port=0, zk_port=None) as server:
        yield server


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """The engine's name. Starts it."""
    name: str = request.param
    request.getfixturevalue(name.partition(" ")[0])
    return name


# A smaller failing case would take many more queries.
@settings(max_examples=EXAMPLES, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(case=cases(LEAST, LEAST + 2, least_rows=8))
def test_engines_answer_as_plain_python(
    server: rs.Server, engine: str, case: tuple[RandomTable, list[Predicate]]
) -> None:
    table, wanted = case
    with table.create(server.database, [b"a"]) as local:
        judge(ENGINES[engine], Source(server.url, local.table, local.schema), table, wanted)


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "spark filter"])
def test_a_key_range_sends_little_more_than_its_cells(request: pytest.FixtureRequest, name: str) -> None:
    """Spark's own filters stay with Spark, so they are left out."""
    request.getfixturevalue(name.partition(" ")[0])
    with served_rows() as served:
        check_key_range(ENGINES[name], served)
