"""Comparable answers of parties with clocks of their own.

Only timestamps given by a server are normalized. Such a timestamp lies between the start and the end of its command, so
it is replaced by the number of that command. Commands on one row are some milliseconds apart, so the number is the same
for every party. Order, keys, types, values, timestamps in the script and error classes stay unchanged.
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
    """Start and end of each command, by one party's clock."""

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
