"""The process that is killed: says what it finds, then writes from many threads and tells a pipe of each operation.

Lines of the pipe, each written in a single call:

    S                  it is about to open the database
    R row id counter   a row found at start: what both families say (`-` where there is nothing)
    E                  that was all; work begins
    I t n kind rows    thread t is about to do its n-th operation
    A t n              it was acknowledged
    F n,n,…            a flush was acknowledged; before it began, each thread's n-th operation was acknowledged
    X text             something is wrong
"""

from __future__ import annotations

import os
import random
import threading
import zlib
from collections.abc import Callable
from typing import NoReturn

import rowstone as rs

CLASSES = ["SYNC_WAL", "FSYNC_WAL", "SYNC_WAL", "ASYNC_WAL", "SKIP_WAL"]
"""The durability of each thread's operations."""

ROWS = 60
SPLITS = ["2", "4"]
FLUSH_BYTES = [96 << 10, 1 << 20, 8 << 20]
"""Flush sizes, chosen by seed: with a small one a process flushes all the time, with a large one its log grows long."""
CONFIGURATION = {
    "hbase.hregion.percolumnfamilyflush.size.lower.bound.min": 16 * 1024,
    "hbase.regionserver.logroll.size": 256 * 1024,
    "hbase.regionserver.maxlogs": 4,
    "hbase.master.logcleaner.ttl": 1000,
}
EPOCH_MS = 1_000_000_000_000


def value(thread: int, number: int, row: str, family: str) -> bytes:
    """A value that records its writer and location, and that can be checked for completeness. Values of family `a` are
    much larger than those of `b`."""
    text = f"{thread}:{number}:{row}:{family}:".encode()
    text += bytes([65 + number % 26]) * (number % 700 if family == "a" else number % 40)
    return text + b"%08x" % zlib.crc32(text)


def identity(data: bytes | None, row: str, family: str) -> str:
    """The number of the operation that wrote `data`; `-` for nothing."""
    if data is None:
        return "-"
    thread, number, in_row, in_family, _ = data.decode().split(":", 4)
    if data != value(int(thread), int(number), row, family) or (in_row, in_family) != (row, family):
        raise AssertionError(f"row {row}, family {family}: {data!r} is not what was written")
    return number


def decode(row: rs.Row) -> tuple[str, str]:
    """Return a row's operation and its counter. Both families must agree on each of them."""
    key = row.key.decode()
    found = {identity(row.get("a:v"), key, "a"), identity(row.get("b:v"), key, "b")}
    counts = {int.from_bytes(row.get(column) or bytes(8), "big") for column in ("a:n", "b:n")}
    if len(found) != 1 or len(counts) != 1:
        raise AssertionError(f"row {key} is torn: {found}, {counts}, {[cell.timestamp for cell in row.cells]}")
    return found.pop(), str(counts.pop())


class Writer:
    """The threads and what they share."""

    def __init__(self, path: str, seed: int, starts: list[int], pipe: int) -> None:
        self.pipe = pipe
        self.seed = seed
        self.starts = starts
        self.done = list(starts)
        settings = {**CONFIGURATION, "hbase.hregion.memstore.flush.size": FLUSH_BYTES[seed % len(FLUSH_BYTES)]}
        self.db = rs.connect(path, configuration=settings, cache_bytes=1 << 20, memstore_bytes=4 << 20)
        self.db.create_table("t", {"a": {}, "b": {}}, splits=SPLITS, if_not_exists=True)
        self.table = self.db.table("t")

    def say(self, text: str) -> None:
        """Below 4096 bytes a write to a pipe is never split."""
        os.write(self.pipe, text.encode() + b"\n")

    def dump(self) -> None:
        with self.table.scan() as rows:
            for row in rows:
                self.say(" ".join(["R", row.key.decode(), *decode(row)]))
        self.say("E")

    def run(self, thread: int) -> None:
        dice = random.Random(self.seed * 100 + thread)
        number = self.starts[thread]
        while True:
            number += 1
            kind = dice.choices(["put", "batch", "delete", "count", "atomic", "shared"], [8, 2, 2, 3, 2, 1])[0]
            if kind == "shared" and thread > 2:
                kind = "count"
            rows = [f"{thread}-{dice.randrange(ROWS):03}" for _ in range(5 if kind == "batch" else 1)]
            if kind == "count":
                rows = [f"{thread}-counter"]
            if kind == "shared":
                rows = ["0-shared"]
            self.say(f"I {thread} {number} {kind} {','.join(rows)}")
            self.perform(thread, number, kind, rows)
            self.done[thread] = number
            self.say(f"A {thread} {number}")

    def perform(self, thread: int, number: int, kind: str, rows: list[str]) -> None:
        # Thread 0 passes no durability: the default must have the same effect as its SYNC_WAL.
        durability = None if thread == 0 else CLASSES[thread]
        at = EPOCH_MS + number
        row = rows[0]
        both = {f"{family}:v": value(thread, number, row, family) for family in "ab"}
        if kind == "put":
            self.table.put(row, both, timestamp=at, durability=durability)
        elif kind == "batch":
            puts = [
                rs.Put(
                    row, {f"{f}:v": value(thread, number, row, f) for f in "ab"}, timestamp=at, durability=durability
                )
                for row in rows
            ]
            for outcome in self.table.multi(puts):
                if isinstance(outcome, Exception):
                    raise outcome
        elif kind == "delete":
            self.table.delete(row, ["a:v", "b:v"], timestamp=at, durability=durability)
        elif kind == "atomic":
            delete = rs.Delete(row, durability=durability).add_columns("a:v", at - 1).add_columns("b:v", at - 1)
            self.table.mutate_row(row, [delete, rs.Put(row, both, timestamp=at, durability=durability)])
        else:
            self.table.increment(row, {"a:n": 1, "b:n": 1}, durability=durability)

    def watch(self) -> None:
        """Reads all the time: no reader ever sees half a row, or an old one."""
        dice = random.Random(self.seed)
        while True:
            thread = dice.randrange(len(CLASSES))
            if dice.random() < 0.2:
                with self.table.scan(prefix=f"{thread}-", reverse=dice.random() < 0.5) as rows:
                    for row in rows:
                        decode(row)
            counters = [f"{thread}-counter", "0-shared"]
            before = [int(decode(row)[1]) for row in self.table.get_many(counters)]
            after = [int(decode(row)[1]) for row in self.table.get_many(counters)]
            if any(now < then for then, now in zip(before, after, strict=True)):
                raise AssertionError(f"counters went back from {before} to {after}")
            decode(self.table.get(f"{thread}-{dice.randrange(ROWS):03}"))

    def maintain(self) -> None:
        dice = random.Random(self.seed + 1)
        while True:
            done = list(self.done)
            self.db.admin.flush("t")
            self.say("F " + ",".join(map(str, done)))
            if dice.random() < 0.3:
                self.db.admin.compact("t")
            if dice.random() < 0.2:
                self.db.admin.major_compact("t")
            pause = 0.3 if self.seed % len(FLUSH_BYTES) == 0 else 1.0
            threading.Event().wait(dice.random() * pause)

    def guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except BaseException as error:
                self.say(f"X {type(error).__name__}: {error}".replace("\n", " ")[:3000])

        return run


def live(path: str, seed: int, pipe: int, starts: list[int], checks_only: bool) -> NoReturn:
    """Main function of a forked process. With `checks_only` it ends after its report of the contents, else never."""
    code = 1
    try:
        os.write(pipe, b"S\n")
        writer = Writer(path, seed, starts, pipe)
        writer.dump()
        if not checks_only:
            work(writer)
        writer.db.close()
        code = 0
    except BaseException as error:
        text = f"X {type(error).__name__}: {error}".replace("\n", " ")[:3000]
        os.write(pipe, text.encode() + b"\n")
    finally:
        # Exit without the parent's exit handlers, which this fork inherited.
        os._exit(code)


def work(writer: Writer) -> None:
    """Writes, reads and maintains until it is killed."""
    works: list[Callable[[], None]] = [lambda thread=thread: writer.run(thread) for thread in range(len(CLASSES))]  # type: ignore[misc]
    works += [writer.watch, writer.maintain]
    threads = [threading.Thread(target=writer.guarded(work), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
