"""Limits of an HTTP server: on its clients, and on the memory of all requests together."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from rowstone.server.listening import connection_limit


@dataclass(frozen=True)
class Limits:
    """Limits on the requests and connections of clients.

    Attributes:
        head_bytes: Size of the request line and headers. HBase's REST server has the same limit.
        body_bytes: Size of a body, as sent and unpacked.
        parsed_bytes: Estimated memory of a parsed body.
        in_flight_bytes: Memory of all requests together: bodies as sent, unpacked and parsed.
        connections: Number of open connections. By default 1,000, or about a sixteenth of the files that the process
            may have open, if that is less.
        connections_per_address: How many of them one address may have; by default half.
        body_bytes_per_second: Average rate that a client must reach after ``patience_seconds``.
        body_seconds: Time in which a body must be complete.
        patience_seconds: Time for the head, between two pieces of the body, and to read 64 KiB of a response.
        farewell_seconds: Time that running requests get when the server stops.
    """

    head_bytes: int = 64 << 10
    body_bytes: int = 64 << 20
    parsed_bytes: int = 256 << 20
    in_flight_bytes: int = 512 << 20
    connections: int = field(default_factory=lambda: connection_limit(1000, 16))
    connections_per_address: int = field(default_factory=lambda: connection_limit(500, 32))
    body_bytes_per_second: int = 16 << 10
    body_seconds: float = 600.0
    patience_seconds: float = 30.0
    farewell_seconds: int = 5


class OverBudget(Exception):
    """The budget is used up by other requests at the moment."""


class Budget:
    """A byte budget that requests share. The event loop and threads use it."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._used_bytes = 0
        self._lock = threading.Lock()

    def share(self) -> Share:
        """Return the share of a new request, which is empty."""
        return Share(self)

    def change(self, by: int) -> None:
        """Take ``by`` bytes, or return them if it is negative. Raises `OverBudget`."""
        with self._lock:
            if by > 0 and self._used_bytes + by > self._most_bytes:
                raise OverBudget("Service Unavailable: too many bytes of requests at once")
            self._used_bytes += by


class Share:
    """The part of the budget that one request uses."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._taken_bytes = 0

    def take(self, count: int) -> None:
        """Take ``count`` more bytes. Raises `OverBudget`."""
        self._budget.change(count)
        self._taken_bytes += count

    def release(self) -> None:
        """Return all of it."""
        self._budget.change(-self._taken_bytes)
        self._taken_bytes = 0
