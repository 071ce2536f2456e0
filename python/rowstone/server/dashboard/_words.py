"""Human-readable numbers."""

from __future__ import annotations

from datetime import UTC, datetime

from rowstone._base.printable import size_text


def count(number: float | None) -> str:
    """A number with thousands separators.

    >>> count(1234567), count(0.25), count(None)
    ('1,234,567', '0.25', '–')
    """
    if number is None:
        return "–"
    return f"{number:,.0f}" if number >= 100 or float(number).is_integer() else f"{number:,.2f}"


def not_a(text: str, kind: str, hint: str) -> str:
    """The error for a text that a user typed, which is cut after 100 characters.

    >>> not_a("l2", "filter", "a filter looks like Name(...)")
    "'l2' is not a filter: a filter looks like Name(...)"
    """
    return f"'{text[:100]}{'…' if len(text) > 100 else ''}' is not a {kind}: {hint}"


def size(number: float | None) -> str:
    """A number of bytes with its unit.

    >>> size(1536), size(None)
    ('1.5 KiB', '–')
    """
    return "–" if number is None else size_text(number)


def duration(nanoseconds: float) -> str:
    """Format a duration in nanoseconds.

    >>> duration(0), duration(1_234), duration(5_600_000), duration(12e9)
    ('0', '1.2 µs', '5.6 ms', '12.0 s')
    """
    for limit, unit in ((1e3, ("ns", 1.0)), (1e6, ("µs", 1e3)), (1e9, ("ms", 1e6))):
        if nanoseconds < limit:
            return f"{nanoseconds / unit[1]:.{0 if unit[0] == 'ns' else 1}f} {unit[0]}" if nanoseconds else "0"
    return f"{nanoseconds / 1e9:,.1f} s"


def percent(part: float, whole: float) -> str:
    """Format a fraction as a percentage.

    >>> percent(1, 8), percent(0, 0)
    ('12.5%', '–')
    """
    return f"{100 * part / whole:.1f}%" if whole else "–"


def since(seconds: float) -> str:
    """Format a time span in seconds.

    >>> since(59), since(3_700), since(200_000)
    ('59 s', '1 h 1 min', '2 d 7 h')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def moment(milliseconds: int) -> str:
    """Format a timestamp in UTC.

    >>> moment(0)
    '1970-01-01 00:00:00'
    """
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
