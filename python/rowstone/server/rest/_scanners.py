"""Scanners that stay open between requests. Each belongs to the user who opened it, and expires when idle.

Source: HBase's ``ScannerResource``, which keeps 10,000 scanners for an hour after their last use.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rowstone._native import Cell, Scanner

MOST_SCANNERS = 10_000
IDLE_SECONDS = 3600.0
_REMEMBERED = 10_000


class OpenScanner:
    """A scanner that returns cells one by one, for one request at a time. ``batch`` is the number per request."""

    def __init__(self, owner: str, table: str, scanner: Scanner, batch: int) -> None:
        self.owner = owner
        self.table = table
        self.batch = batch
        self.lock = threading.RLock()
        self.used_seconds = 0.0
        self._scanner = scanner
        self._cells: Iterator[Cell] = (cell for row in scanner for cell in row.cells)
        self._kept: Cell | None = None

    def next_cell(self) -> Cell | None:
        """The next cell; None at the end."""
        kept, self._kept = self._kept, None
        return kept or next(self._cells, None)

    def put_back(self, cell: Cell) -> None:
        """Return a cell again on the next call."""
        self._kept = cell

    def close(self) -> None:
        """Release its resources."""
        self._scanner.close()


class Scanners:
    """Open scanners by id, least recently used first."""

    def __init__(
        self,
        *,
        idle_seconds: float = IDLE_SECONDS,
        most: int = MOST_SCANNERS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._idle_seconds = idle_seconds
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._open: OrderedDict[str, OpenScanner] = OrderedDict()
        self._gone: OrderedDict[str, None] = OrderedDict()

    def add(self, scanner: OpenScanner) -> str:
        """Store a scanner and return its id."""
        name = f"{time.time_ns() // 1_000_000}{os.urandom(8).hex()}"
        scanner.used_seconds = self._clock()
        with self._lock:
            self._open[name] = scanner
            expired = self._expired()
        _close(expired)
        return name

    def get(self, name: str) -> OpenScanner | None:
        """Look up a scanner and mark it as used."""
        with self._lock:
            expired = self._expired()
            self._use(name)
            found = self._open.get(name)
        _close(expired)
        return found

    @contextmanager
    def using(self, name: str, scanner: OpenScanner) -> Iterator[None]:
        """Lock the scanner for one request; marks it as used at the end."""
        with scanner.lock:
            try:
                yield
            finally:
                with self._lock:
                    self._use(name)

    def _use(self, name: str) -> None:
        if name in self._open:
            self._open[name].used_seconds = self._clock()
            self._open.move_to_end(name)

    def was_open(self, name: str) -> bool:
        """Whether the scanner existed but has expired."""
        with self._lock:
            return name in self._gone

    def remove(self, name: str) -> None:
        """Close a scanner, if it is open."""
        with self._lock:
            found = self._open.pop(name, None)
        _close([found] if found is not None else [])

    def close(self) -> None:
        """Close all scanners."""
        with self._lock:
            found = list(self._open.values())
            self._open.clear()
        _close(found)

    def _expired(self) -> list[OpenScanner]:
        """Scanners to close now: idle for too long, or over the limit. Scanners in use by a request stay."""
        oldest = self._clock() - self._idle_seconds
        expired = []
        for _ in range(len(self._open)):
            name, scanner = next(iter(self._open.items()))
            if scanner.used_seconds > oldest and len(self._open) <= self._most:
                break
            if not scanner.lock.acquire(blocking=False):
                self._use(name)
                continue
            scanner.lock.release()
            expired.append(self._open.pop(name))
            self._gone[name] = None
            if len(self._gone) > _REMEMBERED:
                self._gone.popitem(last=False)
        return expired


def _close(scanners: list[OpenScanner]) -> None:
    for scanner in scanners:
        with scanner.lock:
            scanner.close()
