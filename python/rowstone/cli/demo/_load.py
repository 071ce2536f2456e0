"""Loads the CSV files into tables."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import rowstone as rs
from rowstone.cli.demo import _data
from rowstone.cli.demo._data import Flight
from rowstone.cli.demo._keys import aircraft_key, flight_key

_DAY_SECONDS = 86_400
_BUFFER_BYTES = 1 << 20
_STEP = 2_000
MARK = "load"

Advance = Callable[[int], None]

TABLES: dict[str, dict[str, rs.Family]] = {
    # The facts of a flight never change; delays are corrected, so their old values stay as versions.
    "flights": {"f": rs.Family(), "d": rs.Family(max_versions=5)},
    "aircraft": {"f": rs.Family()},
    "carriers": {"n": rs.Family(), "c": rs.Family()},
    "airports": {"a": rs.Family()},
    "planes": {"p": rs.Family()},
    # One row per airport, one column per hour: wide rows, in which most hours have no cell in family g (gusts).
    "weather": {"t": rs.Family(), "g": rs.Family()},
    # Entries vanish a day after their timestamp.
    "board": {"b": rs.Family(ttl_seconds=_DAY_SECONDS)},
    "demo": {"d": rs.Family()},
}


def loaded_count(db: rs.Database) -> int | None:
    """The number of flights of an earlier complete load; None if there was none."""
    if "demo" not in db.tables():
        return None
    mark = db.table("demo").get(MARK).get("d:flights")
    return None if mark is None else int(mark)


def load(db: rs.Database, count: int, console: Console) -> None:
    """Recreate the tables and load ``count`` flights. The mark in ``demo`` is written last: a torn load is repeated."""
    present = db.tables()
    for name, families in TABLES.items():
        if name in present:
            db.drop_table(name, force=True)
        db.create_table(name, families)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("flights", total=count)
        busiest = _load_flights(db, count, lambda done: progress.advance(task, done))
        task = progress.add_task("weather, airports, planes", total=None)
        _load_rest(db, lambda done: progress.advance(task, done))
        progress.update(task, description="flushing")
        db.table("demo").put(MARK, {"d:flights": str(count), "d:busiest": busiest})
        db.admin.flush()
        progress.update(task, description="weather, airports, planes")


def _batches(flights: Iterator[Flight]) -> Iterator[list[Flight]]:
    while batch := list(islice(flights, _STEP)):
        yield batch


def _load_flights(db: rs.Database, count: int, advance: Advance) -> str:
    """Load flights into both tables and count them by carrier; returns the known aircraft with the most flights."""
    tails: Counter[str] = Counter()
    carriers = db.table("carriers")
    with (
        db.table("flights").batch(buffer_bytes=_BUFFER_BYTES) as flights,
        db.table("aircraft").batch(buffer_bytes=_BUFFER_BYTES) as aircraft,
    ):
        for batch in _batches(islice(_data.flights(), count)):
            totals: dict[str, Counter[str]] = {}
            for flight in batch:
                _put_flight(flights, aircraft, flight)
                tails[flight.tail or ""] += 1
                _count(totals.setdefault(flight.carrier, Counter()), flight)
            for carrier, counts in totals.items():
                carriers.increment(carrier, dict(counts))
            advance(len(batch))
    for code, name in _data.airlines().items():
        carriers.put(code, {"n:name": name})
    known = {line["tailnum"] for line in _data.planes()} & tails.keys()
    return min(known, key=lambda tail: (-tails[tail], tail))


def _put_flight(flights: rs.BufferedWriter, aircraft: rs.BufferedWriter, flight: Flight) -> None:
    key = flight_key(flight)
    facts = {
        "f:to": flight.destination,
        "f:carrier": flight.carrier,
        "f:number": flight.number,
        "f:miles": flight.distance,
    }
    if flight.tail is not None:
        facts["f:tail"] = flight.tail
        route = f"{flight.origin}>{flight.destination}"
        aircraft.put(aircraft_key(flight.tail, flight.scheduled_ms), {"f:route": route, "f:flight": flight.name})
    flights.put(key, facts, timestamp=flight.scheduled_ms)
    delays = {"d:departure": flight.departure_delay, "d:arrival": flight.arrival_delay}
    known = {column: str(minutes) for column, minutes in delays.items() if minutes is not None}
    if known:
        flights.put(key, known, timestamp=flight.scheduled_ms)


def _count(counts: Counter[str], flight: Flight) -> None:
    counts["c:flights"] += 1
    if flight.departure_delay is None:
        counts["c:cancelled"] += 1
    elif flight.departure_delay > 15:
        counts["c:late"] += 1


def _load_rest(db: rs.Database, advance: Advance) -> None:
    with db.table("weather").batch() as batch:
        for hour in _data.weather():
            qualifier = hour.hour_ms.to_bytes(8, "big")
            cells = [(("t", qualifier), hour.temperature), (("g", qualifier), hour.gust)]
            measured = [(column, value) for column, value in cells if value is not None]
            if measured:
                batch.put(hour.airport, measured)
            advance(1)
    for table, family, key, lines in (
        ("airports", "a", "faa", _data.airports()),
        ("planes", "p", "tailnum", _data.planes()),
    ):
        with db.table(table).batch() as batch:
            for line in lines:
                row = line.pop(key)
                batch.put(row, {f"{family}:{name}": value for name, value in line.items() if value != "NA"})
                advance(1)
