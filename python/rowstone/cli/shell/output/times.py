"""Times and durations in the formats of HBase's shell."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from rowstone.cli.shell.errors import ArgumentMistake

_UNITS = (("DAY", 86400), ("HOUR", 3600), ("MINUTE", 60), ("SECOND", 1))
_SIZES = (("TB", 2**40), ("GB", 2**30), ("MB", 2**20), ("KB", 2**10), ("B", 1))
FOREVER_SECONDS = 2_147_483_647
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def local_time(milliseconds: int) -> str:
    """A timestamp in the machine's time zone, in the format of Java's ``LocalDateTime``.

    Zero milliseconds are omitted, and so are zero seconds before them. Years beyond 9999 have a sign.
    """
    seconds, millis = divmod(milliseconds, 1000)
    seconds += _offset_seconds(seconds)
    days, second = divmod(seconds, 86400)
    hour, second = divmod(second, 3600)
    minute, second = divmod(second, 60)
    text = f"{_date(days)}T{hour:02}:{minute:02}"
    if second or millis:
        text += f":{second:02}"
    return f"{text}.{millis:03}" if millis else text


def _offset_seconds(seconds: int) -> int:
    try:
        return time.localtime(seconds).tm_gmtoff
    except (OverflowError, OSError, ValueError):
        return -time.timezone


@lru_cache(maxsize=64)
def _date(days: int) -> str:
    """Format a day, counted from 1970-01-01, in the proleptic Gregorian calendar, even outside of Python's range."""
    cycles, rest = divmod(days, 146_097)  # 400 years
    day = _EPOCH + timedelta(days=rest)
    year = day.year + 400 * cycles
    shown = f"{year:04}" if 0 <= year <= 9999 else f"{'+' if year > 0 else '-'}{abs(year):04}"
    return f"{shown}-{day:%m-%d}"


def zoned_time(milliseconds: int) -> str:
    """A time in the format of Ruby's ``Time``: ``2026-11-20 20:14:52 +0000``."""
    return time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(milliseconds // 1000))


def seconds_text(seconds: int) -> str:
    """Format a time to live.

    >>> seconds_text(86400), seconds_text(1), seconds_text(2147483647)
    ('86400 SECONDS (1 DAY)', '1 SECOND', 'FOREVER')
    """
    if seconds == FOREVER_SECONDS:
        return "FOREVER"
    if seconds < 60:
        return f"{seconds} SECOND{'' if seconds == 1 else 'S'}"
    return f"{seconds} SECONDS ({_parts(seconds, _UNITS, plural=True)})"


def size_text(size_bytes: int) -> str:
    """Format a size.

    >>> size_text(65536), size_text(100)
    ('65536 B (64KB)', '100 B')
    """
    if size_bytes < 1024:
        return f"{size_bytes} B"
    return f"{size_bytes} B ({_parts(size_bytes, _SIZES)})"


def _parts(amount: int, units: tuple[tuple[str, int], ...], plural: bool = False) -> str:
    parts = []
    for unit, size in units:
        count, amount = divmod(amount, size)
        if count and plural:
            parts.append(f"{count} {unit}{'' if count == 1 else 'S'}")
        elif count:
            parts.append(f"{count}{unit}")
    return " ".join(parts)


def seconds_of(text: str) -> int:
    """Parse ``'FOREVER'``, ``'86400'`` or ``'1 DAY 2 HOURS'`` as seconds.

    Raises:
        ArgumentMistake: The text is not a time to live.
    """
    plain = text.strip().upper()
    if plain == "FOREVER":
        return FOREVER_SECONDS
    if re.fullmatch(r"-?\d+", plain):
        return int(plain)
    match = re.fullmatch(
        r"(?:(\d+)\s*SECONDS?\s*)?\(?(?:(\d+)\s*DAYS?)?\s*(?:(\d+)\s*HOURS?)?\s*(?:(\d+)\s*MINUTES?)?"
        r"\s*(?:(\d+)\s*SECONDS?)?\)?",
        plain,
    )
    if match is None or not any(match.groups()):
        raise ArgumentMistake(f"'{text}' is not a time to live: write seconds, FOREVER, or '1 DAY 2 HOURS'")
    given, *parts = (int(part or 0) for part in match.groups())
    total = sum(count * size for count, (_, size) in zip(parts, _UNITS, strict=True))
    return total or given


def size_of(text: str) -> int:
    """Parse ``'134217728'`` or ``'1 GB 5 MB'`` as bytes. Raises `ArgumentMistake`."""
    plain = text.strip().upper()
    if re.fullmatch(r"-?\d+", plain):
        return int(plain)
    match = re.fullmatch(r"(?:\d+\s*B\s*\()?((?:\d+\s*(?:TB|GB|MB|KB|B)\s*)+)\)?", plain)
    if match is None:
        raise ArgumentMistake(f"'{text}' is not a size: write bytes, or '1 GB 5 MB'")
    sizes = dict(_SIZES)
    return sum(int(count) * sizes[unit] for count, unit in re.findall(r"(\d+)\s*(TB|GB|MB|KB|B)", match[1]))
