"""Journal of a workload, and the contents that a database must have after a power cut at any moment of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.crash.oracle import Content
from tests.power.workload import CLASSES, INDEXED, THREADS, operation


class Broken(AssertionError):
    """The database broke a promise."""


@dataclass
class Action:
    """An action that runs next to the writers: a snapshot, a backup, a load, …"""

    kind: str
    name: str
    before: list[int]
    begin: int
    after: list[int] = field(default_factory=list)
    end: int | None = None

    def is_acknowledged(self, moment: int) -> bool:
        return self.end is not None and self.end <= moment


class Journal:
    """Operations and actions of a workload, with their times."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.start = 0
        self.times: list[list[int]] = [[] for _ in range(THREADS)]
        self.actions: list[Action] = []
        self.refused = 0
        self._contents: list[list[Content]] = []

    def read(self, line: str) -> None:
        """Process a line of the workload's output.

        Raises:
            Broken: It says that something is wrong.
        """
        kind, _, rest = line.partition(" ")
        parts = rest.split(" ")
        if kind == "X":
            raise Broken(rest)
        if kind == "O":
            self.start = int(rest)
        elif kind == "A":
            times = self.times[int(parts[0])]
            times.append(int(parts[2]))
            assert len(times) == int(parts[1])
        elif kind == "b":
            self.actions.append(Action(parts[0], parts[1], _counts(parts[2]), int(parts[3])))
        elif kind == "e":
            self.actions[-1].after, self.actions[-1].end = _counts(parts[2]), int(parts[3])
        else:
            self.refused += 1

    def complete(self) -> None:
        """Compute the contents of each thread's rows after each of its operations."""
        for thread in range(len(CLASSES)):
            contents = [Content()]
            for number in range(1, len(self.times[thread]) + 2):
                contents.append(contents[-1].after(operation(self.seed, thread, number)))
            self._contents.append(contents)

    def acknowledged(self, thread: int, moment: int) -> int:
        """Count the operations of a thread that were acknowledged by then."""
        return bisect_right(self.times[thread], moment)

    def begun(self, thread: int, moment: int) -> int:
        """Count the operations of a thread that may have begun by then."""
        return self.acknowledged(thread, moment) + 1

    def floor(self, thread: int, moment: int) -> int:
        """Count the operations that must be there after a power cut: a sync covers everything logged before it."""
        done = self.acknowledged(thread, moment)
        if CLASSES[thread] == "FSYNC_WAL":
            return done
        floors = [0]
        for synced in (0, INDEXED):
            last = self.acknowledged(synced, moment)
            # It began after the previous one was acknowledged.
            floors += [self.acknowledged(thread, self.times[synced][last - 2])] if last > 1 else []
        return max(floors)

    def match(self, thread: int, present: Content, floor: int, ceiling: int) -> int:
        """Count the operations of a thread, from the first on, that lead to the content `present`; the most that fit.

        Raises:
            Broken: It is the outcome of none of `floor` to `ceiling` operations.
        """
        contents = self._contents[thread]
        for count in range(min(ceiling, len(contents) - 1), floor - 1, -1):
            if contents[count] == present:
                return count
        other = next((count for count in range(len(contents)) if contents[count] == present), None)
        nearest = f"it is that of {other}" if other is not None else differences(contents[floor], present)
        raise Broken(
            f"thread {thread} ({CLASSES[thread]}): the content is of none of {floor} to {ceiling} operations: {nearest}"
        )

    def check_rows(self, thread: int, present: Content, floor: int, ceiling: int) -> None:
        """Checks rows one by one, for what is not of one moment over all regions.

        Raises:
            Broken: A row is not what it was after any of `floor` to `ceiling` operations.
        """
        contents = self._contents[thread][floor : ceiling + 1]
        for row in {*present.rows, *(row for content in contents for row in content.rows)}:
            allowed = {content.rows.get(row) for content in contents}
            if present.rows.get(row) not in allowed:
                raise Broken(f"row {row}: {present.rows.get(row)}, not one of {sorted(map(str, allowed))}")
        counts = [content.counter for content in contents]
        if not counts[0] <= present.counter <= counts[-1]:
            raise Broken(f"thread {thread}: counter {present.counter}, not in {counts[0]} to {counts[-1]}")


def differences(expected: Content, present: Content) -> str:
    """Summary of the differences of two contents."""
    rows = sorted({*expected.rows, *present.rows})
    unlike = [row for row in rows if expected.rows.get(row) != present.rows.get(row)]
    found = ", ".join(f"{row} {present.rows.get(row)} and not {expected.rows.get(row)}" for row in unlike[:5])
    return (
        f"{len(unlike)} rows are not as they must be at least: {found}; counter {present.counter}, {expected.counter}"
    )


def _counts(text: str) -> list[int]:
    return [int(count) for count in text.split(",")]


def worst(losses: Sequence[int]) -> str:
    """Losses in milliseconds: how many there are, the median and the worst."""
    ordered = sorted(losses)
    if not ordered:
        return "nothing lost"
    middle, most = ordered[len(ordered) // 2] / 1e6, ordered[-1] / 1e6
    return f"{len(ordered)} times, {middle:.0f} ms in the middle, {most:.0f} ms at most"
