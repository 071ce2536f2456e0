"""Destinations of an airport's flights on its last day: a scan that stops by itself, on the demo's tables."""

from collections import Counter
from pathlib import Path

import rowstone as rs
from rowstone.cli.demo import run

FOLDER = Path("demo-data")
DAY_MS = 24 * 3_600_000

if not FOLDER.exists():
    run(FOLDER, flight_count=1_000)

with rs.connect(FOLDER, read_only=True) as db:
    flights, destinations, first = db.table("flights"), Counter(), None
    with flights.scan(prefix="JFK", columns=["f:to"]) as rows:
        for row in rows:
            # Keys end in a reversed time: the first row is the latest flight.
            reversed_time = int.from_bytes(row.key[3:11], "big")
            first = reversed_time if first is None else first
            if reversed_time - first > DAY_MS:
                break
            destinations[row["f:to"].decode()] += 1

for destination, count in destinations.most_common(5):
    print(f"{destination}  {count}")
