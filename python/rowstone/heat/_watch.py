"""A map of what all clients of a cluster or a server do: its regions' counters, looked at again and again.

A process counts what goes through it. What others do, the servers know: how often each region was read and written. So
this sees regions only, not what is within them; and only what happens while it looks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rowstone.heat._map import HeatMap, Window, heat_map

if TYPE_CHECKING:
    from rowstone._core.database import Database

_Counts = dict[bytes, tuple[int, int]]


def watch(
    db: Database,
    table: str,
    *,
    seconds: float,
    looks: int = 40,
    sleep: Callable[[float], object] = time.sleep,
    now: Callable[[], float] = time.time,
) -> HeatMap:
    """The map of a table's regions over the next ``seconds``, from so many looks at their counters.

    Args:
        seconds: How long. A region's first row stands for all of its rows.
        looks: How often, evenly; servers of a cluster report every few seconds, so looking oftener shows nothing new.
        sleep, now: How to wait and what time it is, in seconds.

    Raises:
        TableNotFound: There is no such table.
    """
    reads: list[Window] = []
    writes: list[Window] = []
    before, began = _counts(db, table), now()
    for _ in range(looks):
        sleep(seconds / looks)
        after, ended = _counts(db, table), now()
        start, width = round(began * 1000), max(1, round((ended - began) * 1000))
        for windows, side in ((reads, 0), (writes, 1)):
            # A region that is new, or was opened elsewhere, begins from nothing.
            grown = {
                row: counts[side] - known if counts[side] >= (known := before.get(row, (0, 0))[side]) else counts[side]
                for row, counts in after.items()
            }
            if total := sum(grown.values()):
                weights = tuple((row or b"", float(count)) for row, count in grown.items() if count)
                windows.append(Window(start, width, total, weights))
        before, began = after, ended
    even = round(seconds * 1000 / looks) or 1
    return heat_map(table, _even(reads, even), _even(writes, even))


def _counts(db: Database, table: str) -> _Counts:
    return {
        one.start_key or b"": (one.region_reads or 0, one.region_writes or 0)
        for one in db.admin.store_stats(table).sums("region")
    }


def _even(windows: list[Window], width_ms: int) -> list[Window]:
    """The same on even steps of time, as looks are never quite even."""
    if not windows:
        return []
    first = windows[0].start_ms
    steps = [round((one.start_ms - first) / width_ms) for one in windows]
    return [
        Window(first + step * width_ms, width_ms, one.total, one.rows) for step, one in zip(steps, windows, strict=True)
    ]
