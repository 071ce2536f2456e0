"""Timestamps of cells as age and date, for all pages with data."""

from __future__ import annotations

from rowstone._core.inspect.moments import is_moment, moment_text
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._words import moment, since


def age(timestamp: int, now_ms: int) -> Markup:
    """The time since a timestamp, and its date below; a dash for timestamps that are not from a clock.

    >>> age(7, 0), age(1_700_000_000_000, 1_700_000_060_000)[-69:]
    ('–', '>1 min 0 s<small class="about">2023-11-14 22:13:20 UTC</small></time>')
    """
    if not is_moment(timestamp):
        return Markup("–")
    shown = (moment_text(timestamp), _span(timestamp, now_ms), moment(timestamp))
    return markup('<time title="{}">{}<small class="about">{} UTC</small></time>', *shown)


def date(timestamp: int, now_ms: int) -> Markup:
    """The date and time of a timestamp in UTC, where there is no room for the age; timestamps of the future have it.

    >>> date(7, 0), date(1_700_000_000_000, 1_700_000_060_000)[-27:]
    ('timestamp 7', '>2023-11-14 22:13:20</time>')
    """
    if not is_moment(timestamp):
        return markup("timestamp {}", timestamp)
    span = _span(timestamp, now_ms)
    title, later = f"{moment_text(timestamp)}, {span}", f" ({span})" if timestamp > now_ms else ""
    return markup('<time title="{}">{}{}</time>', title, moment(timestamp), later)


def _span(timestamp: int, now_ms: int) -> str:
    span = since(abs(now_ms - timestamp) / 1000)
    return span if timestamp <= now_ms else f"in {span}"
