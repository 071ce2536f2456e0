"""Increments and appends whose timestamps are ahead of the clock.

A counter that is incremented twice within a millisecond gets a timestamp ahead of the clock, as in HBase. A put right
after it would be older, and hidden. HBase's gateway is too slow for that to happen. Here such a change is answered
when the clock has reached its timestamp, so that all later changes of the client are newer.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._native import Row

_LONGEST_MS = 50
_TICK_S = 0.001


def wait_a_tick() -> None:
    """Wait until the clock shows another millisecond, so that an earlier delete does not cover the next write."""
    time.sleep(_TICK_S)


def reached(row: Row) -> Row:
    """Return ``row`` once the clock has reached its timestamps. Timestamps far ahead were set on purpose."""
    ahead_ms = max((cell.timestamp for cell in row.cells), default=0) - time.time() * 1000
    if 0 < ahead_ms <= _LONGEST_MS:
        time.sleep(ahead_ms / 1000)
    return row
