"""Memory that requests of a server may take together: bodies as they came, unpacked, and parsed."""

from __future__ import annotations

import threading


class OverBudget(Exception):
    """There is no memory for the request now; others have it."""


class Budget:
    """A number of bytes that requests share; used by the event loop and by threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._used_bytes = 0
        self._lock = threading.Lock()

    def share(self) -> Share:
        """What one request takes of it: nothing so far."""
        return Share(self)

    def change(self, by: int) -> None:
        """Takes so many bytes, or gives them back. Raises `OverBudget`."""
        with self._lock:
            if by > 0 and self._used_bytes + by > self._most_bytes:
                raise OverBudget("Service Unavailable: too many bytes of requests at once")
            self._used_bytes += by


class Share:
    """The bytes that one request has taken."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._taken_bytes = 0

    def take(self, count: int) -> None:
        """Takes more. Raises `OverBudget`."""
        self._budget.change(count)
        self._taken_bytes += count

    def release(self) -> None:
        """Gives all of them back."""
        self._budget.change(-self._taken_bytes)
        self._taken_bytes = 0
