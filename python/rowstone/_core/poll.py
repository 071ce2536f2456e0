"""A thread that repeats a piece of work."""

from __future__ import annotations

import threading
from collections.abc import Callable

from rowstone.errors import RowstoneError


class PollThread:
    """Repeats ``work`` in a thread from `start` to `stop`, or until it raises `RowstoneError`: the database was closed.

    Args:
        every_seconds: The time between two repetitions.
        waits_first: Wait before the first one too.
    """

    def __init__(
        self, work: Callable[[], object], every_seconds: float, name: str, *, waits_first: bool = False
    ) -> None:
        self._work = work
        self._every_seconds = every_seconds
        self._first_seconds = every_seconds if waits_first else 0.0
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._has_started = False

    def start(self) -> None:
        """Start the thread. A second call does nothing."""
        with self._lock:
            if not self._has_started:
                self._thread.start()
                self._has_started = True

    def stop(self) -> None:
        """End the thread, if it was started. A second call does nothing."""
        self._end.set()
        with self._lock:
            if not self._has_started:
                return
        self._thread.join()

    def _run(self) -> None:
        seconds = self._first_seconds
        while not self._end.wait(seconds):
            try:
                self._work()
            except RowstoneError:
                return
            seconds = self._every_seconds
