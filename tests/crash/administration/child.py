"""The process that is killed: says what it finds, then does random operations and tells a pipe of each.

Lines of the pipe, each written at once: a letter, then JSON.

    S       it is about to open the database
    T name  a table as it is found: families, whether it is enabled, rows
    N       names of snapshots
    E       that was all; work begins
    I       an operation is about to be done: number, kind, arguments
    A       the last one was acknowledged
    C       so many scans were compared, so many could not be
    M       so much maintenance was done, by kind
    X       something is wrong
"""

from __future__ import annotations

import json
import os
import random
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

import rowstone as rs
from rowstone import errors
from tests.crash.administration.model import TABLE, Model, Table
from tests.crash.administration.operations import ROWS, Chooser, perform, table_of
from tests.crash.administration.scanning import Watch, check_once

CONFIGURATION = {
    "hbase.hregion.memstore.flush.size": 128 * 1024,
    "hbase.hregion.percolumnfamilyflush.size.lower.bound.min": 16 * 1024,
    "hbase.regionserver.logroll.size": 256 * 1024,
    "hbase.regionserver.maxlogs": 4,
    "hbase.master.logcleaner.ttl": 1000,
}
REFUSALS = (
    errors.ConstraintViolation,
    errors.InvalidArgument,
    errors.NotFoundError,
    errors.NoSuchColumnFamily,
    errors.TableNotEnabled,
)
"""Errors that maintenance may meet while tables and regions come and go."""
TELL_EVERY = 10


class Child:
    """The threads and what they share."""

    def __init__(self, path: str, seed: int, pipe: int, snapshots: dict[str, Table], number: int) -> None:
        self.pipe, self.seed = pipe, seed
        self.db = rs.connect(path, configuration=CONFIGURATION, cache_bytes=1 << 20, memstore_bytes=4 << 20)
        tables = {name: table_of(self.db, name) for name in self.db.admin.tables.list()}
        there = {snapshot.name for snapshot in self.db.admin.snapshots.list()}
        self.watch = Watch(Model(tables, {name: table for name, table in snapshots.items() if name in there}))
        self.chooser = Chooser(seed, number)

    def say(self, letter: str, what: Any = None) -> None:
        """One line, however long: only the writer's thread and the others' short lines share the pipe."""
        line = f"{letter} {json.dumps(what)}\n".encode()
        while line:
            line = line[os.write(self.pipe, line[:4096]) :]

    def dump(self) -> None:
        """Report the contents of the database; the parent checks them."""
        for name, table in self.watch.model.tables.items():
            self.say("T", [name, sorted(table.families), table.is_enabled, table.rows])
        self.say("N", [snapshot.name for snapshot in self.db.admin.snapshots.list()])
        self.say("E")

    def write(self) -> None:
        """Operation after operation."""
        while True:
            operation = self.chooser.next(self.watch.model)
            self.say("I", [operation.number, operation.kind, operation.arguments])
            self.watch.begin(operation)
            try:
                perform(self.db, operation)
            except Exception as error:
                raise AssertionError(f"{operation}: {type(error).__name__}: {error}") from error
            self.watch.end(operation)
            self.say("A", operation.number)
            if operation.kind == "clone":
                name = operation.arguments["table"]
                self.compare_clone(name, self.watch.model.tables[name])

    def compare_clone(self, name: str, expected: Table) -> None:
        difference = table_of(self.db, name).describe(expected)
        if difference:
            raise AssertionError(f"clone {name}: found is not expected: {difference}")

    def check_snapshots(self) -> None:
        """Clones each snapshot, compares, and drops the clone."""
        for snapshot, expected in self.watch.model.snapshots.items():
            self.db.admin.snapshots.clone(snapshot, "look")
            self.compare_clone("look", expected)
            self.db.admin.drop_table("look", force=True)

    def scan(self) -> None:
        """Scan after scan."""
        dice, counts = random.Random(self.seed + 1), Counter[bool]()
        while True:
            try:
                counts[check_once(self.db.table(TABLE), self.watch, dice)] += 1
            except errors.TableNotFound:
                # Not made yet.
                continue
            if counts.total() >= TELL_EVERY:
                self.say("C", [counts[True], counts[False]])
                counts.clear()

    def maintain(self) -> None:
        """Split, merge, flush and compact random regions."""
        dice = random.Random(self.seed + 2)
        works = {"split": 4, "merge": 4, "flush": 3, "flush region": 2, "compact": 3, "major": 2, "compact region": 2}
        while True:
            kind = dice.choices(list(works), list(works.values()))[0]
            try:
                self.maintain_once(kind, dice)
            except REFUSALS:
                kind = f"refused {kind}"
            self.say("M", kind)
            threading.Event().wait(dice.random() * 0.2)

    def maintain_once(self, kind: str, dice: random.Random) -> None:
        admin = self.db.admin
        # Before the first operation there is none.
        name = dice.choice(admin.tables.list() or [TABLE])
        regions = admin.regions.list(name)
        region = dice.choice(regions)
        match kind:
            case "split":
                row = f"r{dice.randrange(ROWS):03}".encode()
                if len(regions) < 12:
                    admin.regions.split(region, row if dice.random() < 0.7 and row > region.start_key else None)
            case "merge":
                first = dice.randrange(max(1, len(regions) - 1))
                admin.regions.merge(regions[first : first + dice.randint(2, 3)])
            case "flush":
                admin.flush(name)
            case "flush region":
                admin.regions.flush(region)
            case "compact region":
                admin.regions.compact(region, major=dice.random() < 0.5)
            case "compact" | "major":
                (admin.compact if kind == "compact" else admin.major_compact)(name)

    def guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except BaseException as error:
                self.say("X", f"{type(error).__name__}: {error}"[:3500])

        return run

    def work(self) -> None:
        """Until it is killed."""
        works = [self.write, self.scan, self.maintain]
        threads = [threading.Thread(target=self.guarded(work), daemon=True) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def live(path: str, seed: int, pipe: int, snapshots: dict[str, Table], number: int, checks_only: bool) -> NoReturn:
    """Main function of a forked process. With `checks_only` it ends after its report of the contents, otherwise never.

    `snapshots` is what those hold that there may be; operations get numbers after `number`.
    """
    code = 1
    try:
        os.write(pipe, b"S null\n")
        child = Child(path, seed, pipe, snapshots, number)
        child.dump()
        if checks_only:
            child.check_snapshots()
        else:
            child.work()
        child.db.close()
        code = 0
    except BaseException as error:
        os.write(pipe, f"X {json.dumps(f'{type(error).__name__}: {error}'[:3500])}\n".encode())
    finally:
        # Nothing of what the parent wants to do at its end is to be done here.
        os._exit(code)
