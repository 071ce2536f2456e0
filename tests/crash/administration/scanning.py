"""The scanner: the contents that each row may show while other threads write.

`Watch` is called before and after every operation. A scan may show each row as it was when the scan began, or as any
later operation makes it, up to the one that was running when the scan ended.
"""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from dataclasses import dataclass

import rowstone as rs
from rowstone import errors
from tests.crash.administration.model import TABLE, Content, Model, Operation, Rows
from tests.crash.administration.operations import ROWS, WRITES, content_of


@dataclass
class Begin:
    """State at the start of a scan."""

    rows: Rows
    place: int
    is_steady: bool
    """Whether the table took reads, and no change of all of its rows was under way."""


class Watch:
    """The model, and what was done to it lately; for one writer and many scanners."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._lock = threading.Lock()
        self._changes: list[Rows | None] = []
        """For each operation that began on the table: the rows that it changes, None if that may be all."""
        self._done = 0

    def begin(self, operation: Operation) -> None:
        """An operation is about to be done."""
        with self._lock:
            is_of_table = operation.arguments.get("table") == TABLE or operation.kind == "restore"
            changed: Rows | None = {}
            if is_of_table and operation.kind in WRITES:
                changed = self.model.changed_rows(operation)
            elif is_of_table and operation.kind not in ("snapshot", "alter", "add family"):
                changed = None
            self._changes.append(changed)

    def end(self, operation: Operation) -> None:
        """End an operation."""
        with self._lock:
            self.model.apply(operation)
            self._done = len(self._changes)

    def start_scan(self) -> Begin:
        """A scan is about to begin."""
        with self._lock:
            table = self.model.tables.get(TABLE)
            if table is None or not table.is_enabled:
                return Begin({}, self._done, is_steady=False)
            return Begin(dict(table.rows), self._done, is_steady=None not in self._changes[self._done :])

    def possible(self, begin: Begin) -> dict[str, set[Content]] | None:
        """The contents that each row may have shown since then; None if all rows were changed together."""
        with self._lock:
            changes = self._changes[begin.place :]
        possible: defaultdict[str, set[Content]] = defaultdict(set)
        for changed in changes:
            if changed is None:
                return None
            for row, content in changed.items():
                possible[row].add(content)
        for row in {*begin.rows, *possible}:
            possible[row].add(begin.rows.get(row, ()))
        return possible


def compare(possible: dict[str, set[Content]], found: list[tuple[str, Content]], within: range, reverse: bool) -> None:
    """Raises AssertionError where a scan of the rows `within` cannot have found this."""
    keys = [row for row, _ in found]
    if keys != sorted(set(keys), reverse=reverse):
        raise AssertionError(f"a scan gave rows twice or out of order: {keys}")
    for row, content in found:
        if content not in possible.get(row, ()):
            raise AssertionError(f"a scan found {row}: {content}, not one of {possible.get(row)}")
    seen = set(keys)
    for row, contents in possible.items():
        if int(row[1:]) in within and () not in contents and row not in seen:
            raise AssertionError(f"a scan missed {row}: {contents}; it found {keys}")


def check_once(table: rs.Table, watch: Watch, dice: random.Random) -> bool:
    """One scan, or gets of many rows; whether it could be compared."""
    begin = watch.start_scan()
    if not begin.is_steady:
        # A disabled table is so for a moment only.
        threading.Event().wait(0.002)
        return False
    ends = sorted((dice.randrange(ROWS), dice.randrange(ROWS)))
    within = range(ROWS) if dice.random() < 0.5 else range(ends[0], ends[1] + 1)
    reverse = dice.random() < 0.3
    try:
        found = read(table, within, reverse, dice.random() < 0.8)
    except (errors.TableNotEnabled, errors.TableNotFound, errors.NoSuchColumnFamily):
        if watch.possible(begin) is None:
            return False
        raise
    possible = watch.possible(begin)
    if possible is None:
        return False
    compare(possible, found, within, reverse)
    return True


def read(table: rs.Table, within: range, reverse: bool, scans: bool) -> list[tuple[str, Content]]:
    """The rows `within`, by a scan or by gets."""
    if not scans:
        keys = [f"r{number:03}" for number in (reversed(within) if reverse else within)]
        return [(row.key.decode(), content_of(row)) for row in table.get_many(keys) if row]
    start, stop = f"r{within[0]:03}", f"r{within[-1] + 1:03}"
    with (
        table.scan(start, stop)
        if not reverse
        else table.scan(stop, start, reverse=True, include_start=False, include_stop=True) as rows
    ):
        return [(row.key.decode(), content_of(row)) for row in rows]
