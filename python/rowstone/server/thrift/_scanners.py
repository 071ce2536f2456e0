"""Open scanners by id, shared by all connections of a gateway: a client may open on one and read on another.

A scanner belongs to the user who opened it, and is closed when idle for too long. It is opened in the store when
it is first read, as in HBase: opening one on a missing table fails at the first row.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from rowstone.errors import RetryError

if TYPE_CHECKING:
    from rowstone._native import Row, Scanner

MOST_SCANNERS = 10_000
_LARGEST_NUMBER = 2**31 - 1


class UnknownScanner(LookupError):
    """No scanner with this id: unknown, expired, or another user's."""


class TooManyScanners(RetryError):
    """The limit of open scanners is reached."""


@dataclass
class OpenScanner:
    """A scanner of a client. Concurrent calls on it wait for each other.

    Idle time starts at the end of a call, so that a long call does not count as idle.
    """

    start: Callable[[], Scanner]
    user: str | None
    sorted_columns: bool = False
    last_use: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _scanner: Scanner | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, count: int) -> list[Row]:
        """Return its next rows, at most ``count``; none at its end."""
        with self._lock:
            try:
                if self._scanner is None:
                    self._scanner = self.start()
                return list(islice(self._scanner, count))
            finally:
                self.last_use = self.clock()

    def close(self) -> None:
        """Release its resources; waits for a call in progress."""
        with self._lock:
            if self._scanner is not None:
                self._scanner.close()

    @property
    def is_busy(self) -> bool:
        """Whether a call on it is in progress."""
        return self._lock.locked()


class Scanners:
    """All open scanners of a gateway. They expire ``timeout_s`` after their last use."""

    def __init__(
        self, timeout_s: float, *, most: int = MOST_SCANNERS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._timeout_s = timeout_s
        self._most = most
        self._clock = clock
        self._open: dict[int, OpenScanner] = {}
        self._next_number = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, scanner: OpenScanner) -> int:
        """Store a scanner and return its id. Raises `TooManyScanners`."""
        self.forget_idle()
        with self._lock:
            if len(self._open) >= self._most:
                raise TooManyScanners(f"{self._most} scanners are open")
            while self._next_number in self._open:
                self._next_number = (self._next_number + 1) & _LARGEST_NUMBER
            number = self._next_number
            self._next_number = (number + 1) & _LARGEST_NUMBER
            scanner.clock = self._clock
            scanner.last_use = self._clock()
            self._open[number] = scanner
        return number

    def get(self, number: int, user: str | None) -> OpenScanner:
        """Look up the user's scanner and mark it as in use. Raises `UnknownScanner`."""
        self.forget_idle()
        with self._lock:
            scanner = self._open.get(number)
            if scanner is None or scanner.user != user:
                raise UnknownScanner(number)
            scanner.last_use = self._clock()
            return scanner

    def close(self, number: int, user: str | None) -> None:
        """Close and remove the user's scanner. Raises `UnknownScanner`."""
        scanner = self.get(number, user)
        with self._lock:
            self._open.pop(number, None)
        scanner.close()

    def forget_idle(self) -> None:
        """Remove idle scanners after the timeout. Does not wait for scanners in use."""
        oldest = self._clock() - self._timeout_s
        with self._lock:
            idle = [number for number, each in self._open.items() if not each.is_busy and each.last_use < oldest]
            gone = [self._open.pop(number) for number in idle]
        for scanner in gone:
            scanner.close()

    def close_all(self) -> None:
        """Close and remove all scanners."""
        with self._lock:
            gone = list(self._open.values())
            self._open.clear()
        for scanner in gone:
            scanner.close()
