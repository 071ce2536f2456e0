"""Eight typical questions about these tables. Each returns printable lines and the number of rows read.

The answers to the same data are always the same: writes use fixed
timestamps or, for the board, fixed offsets from now.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import rowstone as rs
from rowstone.cli.demo._keys import aircraft_key, aircraft_time, flight_time, reversed_time_key
from rowstone.cli.demo._load import MARK

_HOUR_MS = 3_600_000


@dataclass
class Answer:
    """The answer to a question."""

    lines: list[str] = field(default_factory=list)
    row_count: int = 0

    def add(self, line: str, rows: int = 1) -> None:
        """Add a line that needed this many rows."""
        self.lines.append(line)
        self.row_count += rows


def text(row: rs.Row, column: str) -> str:
    """A value as text, ``-`` if it is missing."""
    return row.get(column, b"-").decode()


def when(time_ms: int) -> str:
    """A human-readable time, UTC."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _latest_flight(db: rs.Database, airport: str) -> bytes:
    with db.table("flights").scan(prefix=airport, limit=1) as rows:
        return next(rows).key


def latest_departures(db: rs.Database) -> Answer:
    """The five latest departures from JFK."""
    answer = Answer()
    with db.table("flights").scan(prefix="JFK", limit=5) as rows:
        for row in rows:
            flight = f"{text(row, 'f:carrier')}{text(row, 'f:number')}"
            delay = text(row, "d:departure")
            answer.add(f"{when(flight_time(row.key))}  {flight:<7} to {text(row, 'f:to')}  {delay:>4} min late")
    return answer


def aircraft_month(db: rs.Database) -> Answer:
    """Flights of the busiest aircraft in January 2013."""
    tail = text(db.table("demo")[MARK], "d:busiest")
    first, after = (int(datetime(2013, month, 1, tzinfo=UTC).timestamp()) * 1000 for month in (1, 2))
    plane = db.table("planes").get(tail)
    answer = Answer()
    answer.add(f"{tail}: {text(plane, 'p:manufacturer')} {text(plane, 'p:model')}, {text(plane, 'p:seats')} seats")
    legs = []
    with db.table("aircraft").scan(aircraft_key(tail, first), aircraft_key(tail, after)) as rows:
        legs = [(aircraft_time(row.key), text(row, "f:route"), text(row, "f:flight")) for row in rows]
    for leg_ms, route, flight in legs[:4]:
        answer.add(f"{when(leg_ms)}  {route}  {flight}")
    answer.add(f"… {len(legs)} flights in the month", rows=max(0, len(legs) - 4))
    return answer


def corrected_delay(db: rs.Database) -> Answer:
    """The delay of one flight, corrected twice: its versions, and an earlier state."""
    flights = db.table("flights")
    key = _latest_flight(db, "EWR")
    left_ms = flight_time(key)
    for hours, minutes in ((1, "25"), (3, "31")):
        flights.put(key, {"d:departure": minutes}, timestamp=left_ms + hours * _HOUR_MS)
    answer = Answer()
    row = flights.get(key, ["d:departure"], versions=5)
    for cell in row.versions("d:departure"):
        answer.add(f"reported {when(cell.timestamp)}: {cell.value.decode():>3} minutes", rows=0)
    known = flights.as_of(left_ms + 2 * _HOUR_MS).get(key)
    answer.add(f"as of {when(left_ms + 2 * _HOUR_MS)} the delay was {text(known, 'd:departure')} minutes", rows=2)
    return answer


def carrier_counters(db: rs.Database) -> Answer:
    """Counters per carrier: flights, and how many left more than 15 minutes late."""

    def number(row: rs.Row, column: str) -> int:
        return int.from_bytes(row.get(column, b""), "big")

    with db.table("carriers").scan() as rows:
        lines = [(number(row, "c:flights"), number(row, "c:late"), row.key, text(row, "n:name")) for row in rows]
    answer = Answer(row_count=len(lines))
    for flights, late, key, name in sorted(lines, reverse=True)[:5]:
        answer.add(f"{key.decode()}  {flights:>6,} flights  {late / max(flights, 1):>4.0%} late  {name}", rows=0)
    return answer


def deleted_row(db: rs.Database) -> Answer:
    """A flight entered by mistake and deleted: hidden from readers, visible to a raw scan until a major compaction."""
    flights = db.table("flights")
    entered_ms = flight_time(_latest_flight(db, "LGA"))
    key = b"LGA" + reversed_time_key(entered_ms) + b"XX0"
    flights.put(key, {"f:to": "XXX", "f:carrier": "XX", "d:departure": "0"}, timestamp=entered_ms)
    flights.delete(key, timestamp=entered_ms + _HOUR_MS)
    answer = Answer()
    answer.add(f"get finds {'a row' if flights.get(key) else 'nothing'}; a raw scan shows:")
    with flights.scan(key, key, include_stop=True, raw=True) as rows:
        for row in rows:
            kinds: dict[tuple[bytes, str], int] = {}
            for cell in row.cells:
                place = (cell.family, cell.type)
                kinds[place] = kinds.get(place, 0) + 1
            for (family, kind), count in kinds.items():
                answer.add(f"family {family.decode()}: {count} x {kind}", rows=0)
            answer.row_count += 1
    return answer


def departure_board(db: rs.Database) -> Answer:
    """A board whose entries expire after a day: half of them have a timestamp of more than a day ago."""
    board = db.table("board")
    now_ms = time.time_ns() // 1_000_000
    with db.table("flights").scan(prefix="EWR", limit=48) as rows:
        entries = [f"{text(row, 'f:carrier')}{text(row, 'f:number')} to {text(row, 'f:to')}" for row in rows]
    for hours, entry in enumerate(entries):
        age_ms = hours * _HOUR_MS + _HOUR_MS // 2
        board.put(f"{hours:02}:30 hours ago", {"b:flight": entry}, timestamp=now_ms - age_ms)
    with board.scan() as rows:
        shown = [(row.key.decode(), text(row, "b:flight")) for row in rows]
    answer = Answer(row_count=len(entries) + len(shown))
    answer.add(f"{len(entries)} entries written, {len(shown)} are younger than a day; the oldest of them:", rows=0)
    answer.add("  ".join(shown[-1]), rows=0)
    return answer


def wide_row(db: rs.Database) -> Answer:
    """A year of weather in one row: a page of its gusts, which are missing for most hours."""
    weather = db.table("weather")
    page = weather.get("JFK", ["g"], cells_per_family=3, offset_per_family=100)
    answer = Answer()
    for cell in page.cells:
        hour = int.from_bytes(cell.qualifier, "big")
        answer.add(f"{when(hour)}  gusts of {float(cell.value):.0f} mph", rows=0)
    row = weather.get("JFK")
    families = row.families()
    answer.add(f"the row has {len(families[b't']):,} temperatures and {len(families[b'g']):,} gusts", rows=2)
    return answer


def flight_before(db: rs.Database) -> Answer:
    """The last flight of the busiest aircraft before the evening of 2 January: a reverse scan finds it."""
    tail = text(db.table("demo")[MARK], "d:busiest")
    moment = datetime(2013, 1, 2, 23, tzinfo=UTC)
    answer = Answer(row_count=1)
    start = aircraft_key(tail, int(moment.timestamp()) * 1000)
    with db.table("aircraft").scan(start, tail.encode(), reverse=True, limit=1) as rows:
        for row in rows:
            answer.add(
                f"{tail} had left at {when(aircraft_time(row.key))} as {text(row, 'f:flight')}, {text(row, 'f:route')}"
            )
    if not answer.lines:
        answer.add(f"{tail} had not left yet", rows=0)
    return answer


QUESTIONS: tuple[Callable[[rs.Database], Answer], ...] = (
    latest_departures,
    aircraft_month,
    corrected_delay,
    carrier_counters,
    deleted_row,
    departure_board,
    wide_row,
    flight_before,
)


def answer_all(db: rs.Database) -> Iterator[tuple[str, Answer, timedelta]]:
    """Every question: its text, its answer, the time it took."""
    for question in QUESTIONS:
        began = time.perf_counter()
        answer = question(db)
        yield (question.__doc__ or "").strip(), answer, timedelta(seconds=time.perf_counter() - began)
