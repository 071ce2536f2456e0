"""Memory budget of all requests of a server together: bodies as sent, unpacked and parsed."""

from __future__ import annotations

import threading


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
