"""Heat map of all clients of a cluster or a server, from region counters that are polled repeatedly.

A process counts only its own requests. The servers count all reads and writes, per region. So
this map shows whole regions, not the keys within them, and only the time of polling.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from rowstone._base.options import check_number
from rowstone.errors import InvalidArgument
from rowstone.schema.heat._map import HeatMap, heat_map
from rowstone.schema.heat._side import Window

if TYPE_CHECKING:
    from rowstone._core.database import Database

_Counts = dict[bytes, tuple[int, int]]


class Watch:
    """Reads and writes of a table's regions since it was created, from counters that are polled again and again.

    `poll` and `map` may be called from different threads.

    Args:
        max_polls: Number of polls to keep.
        now: Returns the time in seconds.
    """

    def __init__(self, db: Database, table: str, *, max_polls: int, now: Callable[[], float] = time.time) -> None:
        self._db, self._table, self._now = db, table, now
        self._sides: tuple[deque[Window], deque[Window]] = (deque(maxlen=max_polls), deque(maxlen=max_polls))
        self._before, self._began = _counts(db, table), now()
        self._lock = threading.Lock()

    def poll(self) -> None:
        """Read the counters, and store what has changed since the last poll."""
        after, ended = _counts(self._db, self._table), self._now()
        start, width = round(self._began * 1000), max(1, round((ended - self._began) * 1000))
        for windows, side in zip(self._sides, (0, 1), strict=True):
            # The counters of a region that is new, or was moved, start from zero.
            grown = {
                row: counts[side] - known
                if counts[side] >= (known := self._before.get(row, (0, 0))[side])
                else counts[side]
                for row, counts in after.items()
            }
            if total := sum(grown.values()):
                weights = tuple((row or b"", float(count)) for row, count in grown.items() if count)
                with self._lock:
                    windows.append(Window(start, width, total, weights))
        self._before, self._began = after, ended

    def map(self, width_ms: int) -> HeatMap:
        """Return the map, in windows of this width: about the time between two polls."""
        with self._lock:
            reads, writes = (_even(list(windows), width_ms) for windows in self._sides)
        return heat_map(self._table, reads, writes, is_sample=False)


def watch(
    db: Database,
    table: str,
    *,
    seconds: float,
    polls: int = 40,
    sleep: Callable[[float], object] = time.sleep,
    now: Callable[[], float] = time.time,
) -> HeatMap:
    """Poll the counters of a table's regions for ``seconds``, and return their map.

    Args:
        seconds: Duration. A region's first row stands for all of its rows.
        polls: Number of evenly spaced polls. A cluster's servers report every few seconds: more polls show nothing new.
        sleep, now: Functions to wait and to read the time, in seconds.

    Raises:
        TableNotFound: The table does not exist.
        InvalidArgument: ``seconds`` is negative, or ``polls`` is below 1.
    """
    check_number("polls", polls)
    if not seconds >= 0:
        raise InvalidArgument(f"seconds is {seconds}: at least 0")
    found = Watch(db, table, max_polls=polls, now=now)
    for _ in range(polls):
        sleep(seconds / polls)
        found.poll()
    return found.map(round(seconds * 1000 / polls) or 1)


def _counts(db: Database, table: str) -> _Counts:
    return {
        one.start_key or b"": (one.region_reads or 0, one.region_writes or 0)
        for one in db.admin.metrics.stores(table).sums("region")
    }


def _even(windows: list[Window], width_ms: int) -> list[Window]:
    """Interpolate to even time steps, since polls are never quite even."""
    if not windows:
        return []
    first = windows[0].start_ms
    steps = [round((one.start_ms - first) / width_ms) for one in windows]
    return [
        Window(first + step * width_ms, width_ms, one.total, one.rows) for step, one in zip(steps, windows, strict=True)
    ]
