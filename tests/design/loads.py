"""The simulator's predictions for a key, compared with a table that has that key and all rows."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import rowstone as rs
from rowstone.schema.design import Design

LEAST_ROWS = 100
"""Fewer rows of the sample than these predict nothing."""
TOLERANCE = 0.05


def check(predicted: Design, rows: Sequence[Mapping[str, Any]], every: int) -> None:
    """Loads all rows, of which the sample was one in ``every``: the hottest region and what queries touch."""
    key = predicted.key
    with rs.connect(":memory:") as db:
        db.create_table("t", ["d"], splits=list(predicted.splits))
        table, known = db.table("t"), len(rows) // 10
        encoded = [key.encode({part: row[part] for part in key.fields}) for row in rows]
        with table.batch() as writer:
            for place in encoded:
                writer.put(place, {"d:q": ""})
        # Only what is written after the table was split counts, as it does for the simulator.
        starts = [region.start_key for region in db.admin.regions.list("t")]
        regions = Counter(bisect_right(starts, place) for place in encoded[known:])
        hottest = max(regions.values()) / (len(encoded) - known)
        print(f"\n{predicted.name}: hottest region {predicted.hottest:.3f} predicted, {hottest:.3f} seen")
        assert predicted.hottest == pytest.approx(hottest, rel=TOLERANCE)
        for query, cost in predicted.costs.items():
            touched = sum(_count(table, one.start, one.stop) for one in cost.ranges)
            print(f"  {query}: {cost.rows_touched * every:,} rows predicted, {touched:,} touched")
            if cost.rows_touched >= LEAST_ROWS:
                assert cost.rows_touched * every == pytest.approx(touched, rel=TOLERANCE)


def _count(table: rs.Table, start: bytes, stop: bytes) -> int:
    with table.scan(start or None, stop or None) as scan:
        return sum(1 for _ in scan)
