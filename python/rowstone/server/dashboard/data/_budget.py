"""Limits of one query: rows, bytes, seconds, and its end when the client disconnects."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from rowstone.errors import StateError
from rowstone.server.dashboard._words import count, size


@dataclass(frozen=True)
class QueryLimits:
    """Limits of one query.

    >>> print(QueryLimits(200, 16 << 20, 5))
    200 rows, 16.0 MiB and 5 seconds
    """

    rows: int
    bytes: int
    seconds: float

    def __str__(self) -> str:
        return f"{count(self.rows)} rows, {size(self.bytes)} and {self.seconds:g} seconds"


PAGE = QueryLimits(rows=200, bytes=16 << 20, seconds=5.0)
DOWNLOAD = QueryLimits(rows=10_000, bytes=32 << 20, seconds=30.0)


class Cancelled(StateError):
    """The client of the query has disconnected."""


class Budget:
    """Rows, bytes and seconds that a query has left. `cancel` may be called from another thread."""

    def __init__(self, limits: QueryLimits, now: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.bytes = 0
        self._now = now
        self._began = now()
        self._is_cancelled = False

    @property
    def seconds(self) -> float:
        """Seconds since the query began."""
        return self._now() - self._began

    def cancel(self) -> None:
        """End the query at its next `check`."""
        self._is_cancelled = True

    def check(self) -> None:
        """Raise `Cancelled` if the client has disconnected."""
        if self._is_cancelled:
            raise Cancelled("the client has disconnected")

    @property
    def is_over(self) -> bool:
        """Whether the client has disconnected or the limit of seconds is reached."""
        return self._is_cancelled or self.seconds >= self.limits.seconds

    def spend(self, byte_count: int) -> str:
        """Count bytes, and return the limit that is reached: ``"bytes"``, ``"seconds"`` or empty."""
        self.check()
        self.bytes += byte_count
        if self.bytes >= self.limits.bytes:
            return "bytes"
        return "seconds" if self.seconds >= self.limits.seconds else ""
