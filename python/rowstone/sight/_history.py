"""The last minutes: figures kept every few seconds, so that rates and percentiles are those of late, whoever looks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from rowstone.errors import RowstoneError
from rowstone.sight._figures import Figures

EVERY_SECONDS = 5.0
KEPT = 120
RECENT_SECONDS = 10.0
"""HBase's histograms begin anew every ten seconds; ours tell of the last ten to fifteen."""


class History:
    """Figures by time, of the last ten minutes. `start` lets a thread take them.

    Args:
        take: Gives the figures of now.
    """

    def __init__(self, take: Callable[[], Figures]) -> None:
        self._take = take
        self._kept: deque[Figures] = deque(maxlen=KEPT)
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Takes figures every few seconds until `stop`."""
        self._thread = threading.Thread(target=self._run, name="rowstone-sight", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends that. A second call does nothing."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._end.is_set():
            try:
                self.sample()
            except RowstoneError:
                return  # The database was closed.
            self._end.wait(EVERY_SECONDS)

    def sample(self) -> Figures:
        """Takes the figures of now, and keeps them."""
        figures = self._take()
        with self._lock:
            self._kept.append(figures)
        return figures

    def now(self) -> tuple[Figures, Figures]:
        """The figures of now, and those to compare them with: the newest that are ten seconds old, else the oldest."""
        figures = self._take()
        with self._lock:
            kept = list(self._kept)
        old = [one for one in kept if figures.seconds - one.seconds >= RECENT_SECONDS]
        return figures, (old[-1] if old else kept[0] if kept else figures)

    def all(self) -> list[Figures]:
        """All that are kept, the oldest first."""
        with self._lock:
            return list(self._kept)


def per_second(now: float, before: float, seconds: float) -> float:
    """How fast a counter grew; 0 where no time went by, or it began anew.

    >>> per_second(30, 10, 10)
    2.0
    """
    return max(now - before, 0.0) / seconds if seconds > 0 else 0.0
