"""Plans of `rowstone.engines` on a real HBase: it evaluates the filters as the planner expects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

import rowstone as rs
from rowstone.engines.reading import scan
from tests.engines.random_tables import comparable
from tests.engines.test_planner import cases, read

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module", autouse=True)
def _all_filters() -> Iterator[None]:
    """Every filter after the first row, whatever it saves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "PROBED_ROWS", 1)
        patch.setattr(scan, "MOST_PASSING", {False: 1.0, True: 1.0})
        patch.setattr(scan, "LEAST_SAVED_BYTES", 0)
        yield


@settings(max_examples=settings.default.max_examples // 8)
@given(case=cases())
def test_a_real_hbase_answers_what_the_predicate_says(cluster: rs.Database, case: Any) -> None:
    table, queries, splits = case
    with table.create(cluster, splits) as source:
        for predicate, columns in queries:
            expected = [{name: row[name] for name in columns} for row in table.matching(predicate)]
            plan = source.plan(predicate, columns)
            assert comparable(read(source, predicate, columns)) == comparable(expected), plan.explain()
