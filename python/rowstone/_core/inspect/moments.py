"""Timestamps of cells as text, with their date in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

FIRST_MS, LAST_MS = 100_000_000_000, 253_402_300_799_999
"""From 1973 to 9999: other timestamps were not taken from a clock."""


def is_moment(timestamp: int) -> bool:
    """Whether a timestamp may be milliseconds of a clock."""
    return FIRST_MS <= timestamp <= LAST_MS


def moment_text(milliseconds: int) -> str:
    """A date and time with milliseconds.

    >>> moment_text(1_700_000_000_007)
    '2023-11-14 22:13:20.007 UTC'
    """
    date = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{date:%Y-%m-%d %H:%M:%S}.{milliseconds % 1000:03} UTC"


def stamp_text(timestamp: int) -> str:
    """A timestamp, with its date if it is from a clock.

    >>> stamp_text(1_700_000_000_007), stamp_text(7)
    ('1700000000007 (2023-11-14 22:13:20.007 UTC)', '7')
    """
    return f"{timestamp} ({moment_text(timestamp)})" if is_moment(timestamp) else str(timestamp)
