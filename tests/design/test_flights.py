"""Five keys for real flights: what the simulator predicts from a sample, and what a load of all flights then shows.

`make design-full` takes all 336,776 flights and every tenth of them as the sample; otherwise a few, all of them.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import pytest

from rowstone.cli.demo._data import flights
from rowstone.keys import parse_key
from rowstone.schema import design
from tests.design.loads import check

COUNT = int(os.environ.get("ROWSTONE_DESIGN_FLIGHTS", "4000"))
EVERY = int(os.environ.get("ROWSTONE_DESIGN_EVERY", "1"))

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
    check(FOUND[name], ROWS, EVERY)
