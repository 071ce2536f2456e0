"""Comparable answers of parties with clocks of their own.

The one thing that is normalised is a timestamp that a server gave: it lies between the moments at which its
command began and ended, so it is replaced by the number of that command. Commands on one row are some
milliseconds apart, so the number is the same whoever gave the timestamp. What is left alone: order, keys,
types, values, timestamps that the script gave, error classes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from tests.script.answers import Answer

FIRST_CLOCK_MS = 1_000_000_000_000
"""Scripts give smaller timestamps than this, clocks larger ones."""

_STAMP = re.compile(r"@(\d{13})(?=[#=])")


@dataclass
class Clock:
    """When each command ran, by one party's clock."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    commands: list[int] = field(default_factory=list)

    def ran(self, command: int, span_ms: tuple[int, int]) -> None:
        """Command number `command` ran from `span_ms[0]` to `span_ms[1]`, both included."""
        self.starts.append(span_ms[0])
        self.ends.append(span_ms[1])
        self.commands.append(command)

    def command_at(self, stamp: int) -> str:
        """The command that ran at this moment, or the moment itself where none did."""
        place = bisect_right(self.starts, stamp) - 1
        if place < 0 or stamp > self.ends[place]:
            return f"@{stamp}"
        return f"@command{self.commands[place]}"

    def plain(self, answer: Answer) -> Answer:
        """The answer, with the commands in place of the clock's timestamps."""
        return [_STAMP.sub(lambda found: self.command_at(int(found[1])), line) for line in answer]
