"""Traffic of known shapes, by a clock that tests move."""

from __future__ import annotations

import random
from collections.abc import Callable

import rowstone as rs
from rowstone.testing import ManualClock

ROWS = 10_000
SECONDS = 120


def key(number: int) -> str:
    """A row key."""
    return f"user{number:06}"


def put_for_a_while(
    table: rs.Table, clock: ManualClock, row: Callable[[int, random.Random], int], *, count: Callable[[int], int]
) -> None:
    """Two minutes of writes, ``count(second)`` of them in a second, each of ``row(how many before, dice)``."""
    draw, written = random.Random(163), 0
    for second in range(SECONDS):
        with table.batch() as writer:
            for _ in range(count(second)):
                writer.put(key(row(written, draw)), {"f:q": ""})
                written += 1
        clock.advance(1_000)
