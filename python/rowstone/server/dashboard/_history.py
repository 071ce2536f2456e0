"""Recent metrics, sampled every few seconds, so that rates and percentiles cover the last seconds for every reader."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from rowstone._core.poll import PollThread
from rowstone.server.dashboard._figures import Figures

EVERY_SECONDS = 5.0
KEPT = 120
RECENT_SECONDS = 10.0
"""HBase resets its histograms every ten seconds; ours cover the last ten to fifteen."""


class History:
    """Metrics of the last ten minutes, by time. `start` samples them in a thread.

    Args:
        take: Returns the current metrics.
    """

    def __init__(self, take: Callable[[], Figures]) -> None:
        self._take = take
        self._kept: deque[Figures] = deque(maxlen=KEPT)
        self._lock = threading.Lock()
        self._poll = PollThread(self.sample, EVERY_SECONDS, "rowstone-dashboard")

    def start(self) -> None:
        """Sample every few seconds until `stop`."""
        self._poll.start()

    def stop(self) -> None:
        """Stop sampling. A second call does nothing."""
        self._poll.stop()

    def sample(self) -> Figures:
        """Take and store a sample."""
        figures = self._take()
        with self._lock:
            self._kept.append(figures)
        return figures

    def now(self) -> tuple[Figures, Figures]:
        """The current metrics, and those to compare them with: at least ten seconds old, else the oldest."""
        figures = self._take()
        with self._lock:
            kept = list(self._kept)
        old = [one for one in kept if figures.seconds - one.seconds >= RECENT_SECONDS]
        return figures, (old[-1] if old else kept[0] if kept else figures)

    def all(self) -> list[Figures]:
        """All stored samples, oldest first."""
        with self._lock:
            return list(self._kept)


def per_second(now: float, before: float, seconds: float) -> float:
    """Rate of a counter per second; 0 if no time passed or the counter was reset.

    >>> per_second(30, 10, 10)
    2.0
    """
    return max(now - before, 0.0) / seconds if seconds > 0 else 0.0
