"""Checks the rows that a writer finds against the journal of the killed writer before it.

Each thread writes rows of its own, so its operations have a known order. Guarantees by durability:

* `SYNC_WAL`, `FSYNC_WAL`: all acknowledged operations, and perhaps the one that was running.
* `ASYNC_WAL`: the first so many operations, no fewer than were acknowledged before some acknowledged operation of a
  stronger class began, or some flush: the log is in order.
* `SKIP_WAL`: the first so many operations, no fewer than were acknowledged before an acknowledged flush began.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.crash.writer import CLASSES

NOTHING = "-"


@dataclass
class Operation:
    """One operation of a thread."""

    number: int
    kind: str
    rows: list[str]
    acknowledged: bool = False


@dataclass
class Content:
    """Contents of a thread's rows: the last operation of each row, and the counter."""

    rows: dict[str, str] = field(default_factory=dict)
    counter: int = 0

    def after(self, operation: Operation) -> Content:
        """The content once the operation is done."""
        rows, counter = dict(self.rows), self.counter
        if operation.kind == "count":
            counter += 1
        elif operation.kind == "delete":
            rows.pop(operation.rows[0], None)
        elif operation.kind != "shared":
            rows.update(dict.fromkeys(operation.rows, str(operation.number)))
        return Content(rows, counter)


@dataclass
class Thread:
    """Known state of one thread."""

    content: Content = field(default_factory=Content)
    last: int = 0
    operations: list[Operation] = field(default_factory=list)
    acknowledged: int = 0
    """Number of acknowledged operations: all but the last, or all."""
    floor: int = 0
    """Number of operations that must be present."""


class Lost(AssertionError):
    """The database broke its promise."""


class Oracle:
    """Follows a directory through many kills."""

    def __init__(self) -> None:
        self.threads = [Thread() for _ in CLASSES]
        self.shared = 0
        self.acknowledged = 0
        self.unknown = 0
        self.lost_async = 0
        self.lost_skip = 0
        self._found: dict[str, tuple[str, int]] = {}

    @property
    def starts(self) -> list[int]:
        """The numbers from which the next writer's threads go on."""
        return [thread.last for thread in self.threads]

    def read(self, journal: bytes) -> bool:
        """Read a writer's journal; return whether its report of the contents is complete."""
        self._found = {}
        is_whole = False
        pending: dict[int, list[int]] = {}
        for line in journal.decode().splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "S":
                continue
            if kind == "X":
                raise Lost(rest)
            if kind == "R":
                row, identity, counter = rest.split(" ")
                self._found[row] = (identity, int(counter))
            elif kind == "E":
                is_whole = True
                self.check(self._found)
            elif kind == "I":
                thread, number, what, rows = rest.split(" ")
                pending[int(thread)] = [known.acknowledged for known in self.threads]
                self.threads[int(thread)].operations.append(Operation(int(number), what, rows.split(",")))
                self.threads[int(thread)].last = int(number)
            elif kind == "A":
                thread, number = rest.split(" ")
                operation = self.threads[int(thread)].operations[-1]
                assert operation.number == int(number)
                operation.acknowledged = True
                self.threads[int(thread)].acknowledged += 1
                if CLASSES[int(thread)] in ("SYNC_WAL", "FSYNC_WAL"):
                    self._raise_floors("ASYNC_WAL", pending[int(thread)])
            elif kind == "F":
                done = [int(number) for number in rest.split(",")]
                # Numbers go up by one.
                counts = [
                    limit - thread.last + len(thread.operations)
                    for thread, limit in zip(self.threads, done, strict=True)
                ]
                self._raise_floors("ASYNC_WAL", counts)
                self._raise_floors("SKIP_WAL", counts)
        return is_whole

    def _raise_floors(self, durability: str, counts: list[int]) -> None:
        for thread, known, count in zip(CLASSES, self.threads, counts, strict=True):
            if thread == durability:
                known.floor = max(known.floor, count)

    def check(self, found: dict[str, tuple[str, int]]) -> None:
        """Compare the contents that a writer found with the operations of all writers before it.

        Raises:
            Lost: An acknowledged write is missing, or a row was never written.
        """
        for index, thread in enumerate(self.threads):
            rows = {row: seen for row, seen in found.items() if row.startswith(f"{index}-")}
            counter = rows.pop(f"{index}-counter", (NOTHING, 0))[1]
            rows.pop("0-shared", None)
            present = Content({row: seen[0] for row, seen in rows.items() if seen[0] != NOTHING}, counter)
            if CLASSES[index] in ("SYNC_WAL", "FSYNC_WAL"):
                self._check_exact(index, thread, present)
            else:
                self._check_prefix(index, thread, present)
        self._check_shared(found.get("0-shared", (NOTHING, 0))[1])
        for thread in self.threads:
            thread.operations, thread.acknowledged, thread.floor = [], 0, 0

    def _check_exact(self, index: int, thread: Thread, present: Content) -> None:
        before = thread.content
        for operation in thread.operations[: thread.acknowledged]:
            before = before.after(operation)
        after = before
        for operation in thread.operations[thread.acknowledged :]:
            after = after.after(operation)
        for row in sorted({*before.rows, *after.rows, *present.rows}):
            seen = present.rows.get(row)
            if seen not in (before.rows.get(row), after.rows.get(row)):
                raise Lost(
                    f"thread {index} ({CLASSES[index]}), row {row}: found {seen}, acknowledged {before.rows.get(row)}, "
                    f"under way {after.rows.get(row)}"
                )
        if present.counter not in (before.counter, after.counter):
            raise Lost(f"thread {index}: counter {present.counter}, acknowledged {before.counter}")
        self.acknowledged += thread.acknowledged
        self.unknown += len(thread.operations) - thread.acknowledged
        thread.content = present

    def _check_prefix(self, index: int, thread: Thread, present: Content) -> None:
        content, matches = thread.content, -1
        for count in range(len(thread.operations) + 1):
            if content == present:
                matches = count
            if count < len(thread.operations):
                content = content.after(thread.operations[count])
        if matches < thread.floor:
            raise Lost(
                f"thread {index} ({CLASSES[index]}): found the first {matches} of {len(thread.operations)} operations, "
                f"{thread.floor} must be there: {present}"
            )
        lost = max(thread.acknowledged - matches, 0)
        if CLASSES[index] == "SKIP_WAL":
            self.lost_skip += lost
        else:
            self.lost_async += lost
        self.acknowledged += thread.acknowledged - lost
        thread.content = present

    def _check_shared(self, present: int) -> None:
        added = [operation for thread in self.threads for operation in thread.operations if operation.kind == "shared"]
        least = self.shared + sum(operation.acknowledged for operation in added)
        if not least <= present <= self.shared + len(added):
            raise Lost(f"shared counter {present}, acknowledged {least}, issued {self.shared + len(added)}")
        self.shared = present
