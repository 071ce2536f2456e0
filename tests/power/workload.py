"""The process on the recorded disk: writers of each durability, snapshots, backups, splits, an index and bulk loads.

Lines of the pipe; times are CLOCK_MONOTONIC, ns:

    O time                      the work begins
    A t number time             thread t's operation was acknowledged; the next one begins then
    b kind name counts time     an action begins; so many operations of each thread were acknowledged before
    e kind name counts time     it has ended; no more operations of each thread than so many had begun
    n kind name text            it was refused, for a reason that is none of the disk's
    X text                      something is wrong
"""

from __future__ import annotations

import ctypes
import os
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import rowstone as rs
from rowstone import hfile
from rowstone.errors import NotFoundError, RowstoneError, StateError, UsageError
from tests.crash.oracle import Operation
from tests.crash.writer import EPOCH_MS, value
from tests.power.children import say

CLASSES = ["FSYNC_WAL", "SYNC_WAL", "SYNC_WAL", "ASYNC_WAL"]
"""The durability of each thread's operations."""
INDEXED = len(CLASSES)
"""The thread that writes the table with an index, under FSYNC_WAL."""
THREADS = INDEXED + 1
ROWS, INDEXED_ROWS, LOADED_ROWS = 60, 40, 50
MOST_SNAPSHOTS, MOST_BACKUPS, MOST_REGIONS = 4, 4, 12
PAUSE_SECONDS = 0.0005
CYCLE_SECONDS, BUSY_SECONDS = 1.2, 0.7
"""In the rest of a cycle nothing requests a disk flush: a disk that is always flushed can lose little."""
FLUSH_BYTES = [64 << 10, 256 << 10, 8 << 20]
CONFIGURATION = {
    "hbase.regionserver.logroll.size": 128 << 10,
    "hbase.regionserver.maxlogs": 4,
    "hbase.master.logcleaner.ttl": 1000,
    "hbase.hregion.percolumnfamilyflush.size.lower.bound.min": 16 << 10,
}
ACTIONS = {"flush": 4, "compact": 3, "split": 2, "merge": 1, "snapshot": 4, "delete": 2, "backup": 2, "load": 4}


def operation(seed: int, thread: int, number: int) -> Operation:
    """The operation of a number: always the same one."""
    dice = random.Random(f"{seed} {thread} {number}")
    kind = dice.choices(["put", "delete", "count", "atomic"], [10, 2, 3, 2])[0]
    row = f"{thread}-counter" if kind == "count" else f"{thread}-{dice.randrange(ROWS):03}"
    return Operation(number, kind, [row])


def indexed_row(number: int) -> str:
    return f"i-{number * 7 % INDEXED_ROWS:03}"


def write(table: rs.Table, thread: int, what: Operation) -> None:
    """Does an operation."""
    row, at, durability = what.rows[0], EPOCH_MS + what.number, CLASSES[thread]
    both = {f"{family}:v": value(thread, what.number, row, family) for family in "ab"}
    if what.kind == "put":
        table.put(row, both, timestamp=at, durability=durability)
    elif what.kind == "delete":
        table.delete(row, ["a:v", "b:v"], timestamp=at, durability=durability)
    elif what.kind == "atomic":
        delete = rs.Delete(row, durability=durability).add_columns("a:v", at - 1).add_columns("b:v", at - 1)
        table.mutate_row(row, [delete, rs.Put(row, both, timestamp=at, durability=durability)])
    else:
        table.increment(row, {"a:n": 1, "b:n": 1}, durability=durability)


class Workload:
    """The database, and what is done to it for some seconds."""

    def __init__(self, path: Path, files: Path, seed: int, pipe: int, seconds: float) -> None:
        self.path, self.files, self.seed, self.pipe = path, files, seed, pipe
        self.done, self.libc = [0] * THREADS, ctypes.CDLL(None)
        settings = {**CONFIGURATION, "hbase.hregion.memstore.flush.size": FLUSH_BYTES[seed % len(FLUSH_BYTES)]}
        self.db = rs.connect(path, configuration=settings, cache_bytes=1 << 20, memstore_bytes=4 << 20)
        self.db.create_table("t", {"a": {}, "b": {}}, splits=["2"])
        self.db.create_table("i", ["f"])
        self.db.create_table("l", ["f"])
        self.db.create_index("i", "by_q", "f:q", strategy="coprocessor")
        self.start = time.monotonic()
        self.end = self.start + seconds

    def goes_on(self) -> bool:
        return time.monotonic() < self.end

    def run(self, thread: int) -> None:
        table = self.db.table("t")
        while self.goes_on():
            number = self.done[thread] + 1
            write(table, thread, operation(self.seed, thread, number))
            self.acknowledge(thread, number)

    def run_indexed(self) -> None:
        table = self.db.table("i")
        while self.goes_on():
            number = self.done[INDEXED] + 1
            table.put(indexed_row(number), {"f:q": str(number)}, durability="FSYNC_WAL")
            self.acknowledge(INDEXED, number)

    def acknowledge(self, thread: int, number: int) -> None:
        say(self.pipe, f"A {thread} {number} {time.monotonic_ns()}")
        self.done[thread] = number
        # Makes an operation more than a small part of a large group commit.
        time.sleep(PAUSE_SECONDS)
        if thread in (0, INDEXED):
            self.wait_in_quiet()

    def wait_in_quiet(self) -> None:
        phase = (time.monotonic() - self.start) % CYCLE_SECONDS
        time.sleep(CYCLE_SECONDS - phase if phase > BUSY_SECONDS else 0.0)

    def write_back(self) -> None:
        """Have the kernel write dirty pages of random files without a flush, as it does on a busy machine."""
        dice = random.Random(self.seed)
        start_only = 2
        while self.goes_on():
            files = [Path(folder, name) for folder, _, names in os.walk(self.path) for name in names]
            for file in dice.sample(files, len(files) // 2):
                with suppress(OSError), file.open("rb") as opened:
                    self.libc.sync_file_range(opened.fileno(), ctypes.c_int64(0), ctypes.c_int64(0), start_only)
            time.sleep(dice.random() * 0.05)

    def administer(self) -> None:
        dice = random.Random(self.seed)
        snapshots: list[str] = []
        backups = number = 0
        while self.goes_on():
            number += 1
            kind = dice.choices(list(ACTIONS), list(ACTIONS.values()))[0]
            name = f"{kind}{number}"
            if (kind == "snapshot" and len(snapshots) == MOST_SNAPSHOTS) or (kind == "delete" and not snapshots):
                continue
            backups += kind == "backup"
            if kind == "backup" and backups > MOST_BACKUPS:
                continue
            if kind == "delete":
                name = snapshots.pop(0)
            if kind == "load":
                self.prepare_load(name)
            say(self.pipe, f"b {kind} {name} {','.join(map(str, self.done))} {time.monotonic_ns()}")
            try:
                self.act(kind, name, dice)
            except (NotFoundError, StateError, UsageError) as error:
                say(self.pipe, f"n {kind} {name} {error}")
                continue
            counts = ",".join(str(done + 1) for done in self.done)
            say(self.pipe, f"e {kind} {name} {counts} {time.monotonic_ns()}")
            snapshots += [name] if kind == "snapshot" else []
            time.sleep(dice.random() * 0.05)
            self.wait_in_quiet()

    def act(self, kind: str, name: str, dice: random.Random) -> None:
        admin = self.db.admin
        if kind == "flush":
            admin.flush(dice.choice(["t", "i", None]))
        elif kind == "compact":
            dice.choice([admin.compact, admin.major_compact])(dice.choice(["t", "t", "i", "l"]))
        elif kind == "split":
            if len(admin.regions.list("t")) < MOST_REGIONS:
                admin.regions.split("t", f"{dice.randrange(len(CLASSES))}-{dice.randrange(ROWS):03}")
        elif kind == "merge":
            regions = admin.regions.list("t")
            at = dice.randrange(len(regions) - 1) if len(regions) > 1 else 0
            if len(regions) > 1:
                admin.regions.merge([regions[at].encoded_name, regions[at + 1].encoded_name])
        elif kind == "snapshot":
            admin.snapshot(name, "t")
        elif kind == "delete":
            admin.snapshots.delete(name)
        elif kind == "backup":
            admin.backup(self.path.parent / name)
        else:
            admin.tables.bulk_load("l", {"f": [self.files / name]})

    def prepare_load(self, name: str) -> None:
        rows = [f"{name}-{index:03}" for index in range(LOADED_ROWS)]
        cells = [(row, "f:q", 1, name) for row in rows]
        hfile.write(self.files / name, cells)

    def guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except (RowstoneError, AssertionError) as error:
                say(self.pipe, f"X {type(error).__name__}: {error}")

        return run


def live(path: Path, files: Path, seed: int, pipe: int, seconds: float) -> None:
    """All of the process's life."""
    workload = Workload(path, files, seed, pipe, seconds)
    say(pipe, f"O {time.monotonic_ns()}")
    works: list[Callable[[], None]] = [lambda thread=thread: workload.run(thread) for thread in range(len(CLASSES))]  # type: ignore[misc]
    works += [workload.run_indexed, workload.administer, workload.write_back]
    threads = [threading.Thread(target=workload.guarded(work)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    workload.db.close()
