"""Row keys of the demo, chosen for its queries.

| question | table | row key | why |
|---|---|---|---|
| latest departures of an airport | ``flights`` | airport (3) + reversed time (8) + flight | a prefix, newest first |
| what an aircraft did in a month | ``aircraft`` | tail number + 0 + time (8) | a month is one range |

Times are 8 big-endian bytes, so bytes sort as numbers do. A reversed time is ``2**63 - 1 - time``.
"""

from rowstone.cli.demo._data import Flight

_LONGEST = 2**63 - 1


def time_key(time_ms: int) -> bytes:
    """Return a key that sorts by time, oldest first."""
    return time_ms.to_bytes(8, "big")


def reversed_time_key(time_ms: int) -> bytes:
    """Return a key that sorts by time, newest first."""
    return (_LONGEST - time_ms).to_bytes(8, "big")


def flight_key(flight: Flight) -> bytes:
    """The row of a flight in ``flights``."""
    return flight.origin.encode() + reversed_time_key(flight.scheduled_ms) + flight.name.encode()


def flight_time(key: bytes) -> int:
    """The scheduled departure of a row in ``flights``, in milliseconds."""
    return _LONGEST - int.from_bytes(key[3:11], "big")


def aircraft_key(tail: str, time_ms: int) -> bytes:
    """The row of a flight in ``aircraft``."""
    return tail.encode() + b"\0" + time_key(time_ms)


def aircraft_time(key: bytes) -> int:
    """The scheduled departure of a row in ``aircraft``, in milliseconds."""
    return int.from_bytes(key[-8:], "big")
