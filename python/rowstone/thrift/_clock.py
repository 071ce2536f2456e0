"""Increments and appends that are quicker than the clock.

A counter that is counted twice within a millisecond gets a timestamp ahead of the clock, as in HBase. A put right
behind it would be older, and hidden. HBase's gateway is too slow for that to happen; here such a change is answered
when the clock has reached its timestamp, so that whatever a client does after the answer is newer.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._native import Row

_LONGEST_MS = 50
_TICK_S = 0.001


def wait_a_tick() -> None:
    """Until the clock shows another millisecond: what is done then is not under a delete that was done before."""
    time.sleep(_TICK_S)


def reached(row: Row) -> Row:
    """``row``, when the clock has reached its timestamps; one far ahead was meant so."""
    ahead_ms = max((cell.timestamp for cell in row.cells), default=0) - time.time() * 1000
    if 0 < ahead_ms <= _LONGEST_MS:
        time.sleep(ahead_ms / 1000)
    return row
