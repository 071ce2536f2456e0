"""The process that fills its disk.

It opens the database, reports its rows, makes room, and writes until it is killed.

Lines of the pipe:

    O ms                        the database is open
    R table row number          a row found, and the operation that wrote it
    E                           that was all
    D table | d table           about to drop a table | it is dropped
    C table                     a table is compacted (major)
    W ms                        so long after room was made, a write was taken
    I t number table row        thread t is about to write
    A t number ms               it was acknowledged, after so long
    N t number ms error         it was refused, after so long
    M ms error                  a flush or a compaction was refused beside writers: the disk is full
    F text                      a promise is broken, and the next ones can still be tried: the ballast got smaller
    X text                      something is wrong
"""

from __future__ import annotations

import os
import random
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import rowstone as rs
from rowstone.errors import DiskFull, RowstoneError, TableNotEnabled, TableNotFound
from tests.power.children import say

THREADS = 4
ROWS = 150
"""Rows of a thread in a table. A table has about 4 MB: many fill the disk, and there is room to compact one."""
MOST_HELP = 8
HELP_BYTES = 1 << 20
FULL_PAUSE_SECONDS = 0.05
ROOM_SECONDS = 5.0
CONFIGURATION = {
    "hbase.hregion.memstore.flush.size": 1 << 20,
    "hbase.regionserver.logroll.size": 1 << 20,
    "hbase.regionserver.maxlogs": 8,
}


def value(row: str, number: int) -> bytes:
    """Up to 48 KB of incompressible data, which records its writer and can be checked for completeness."""
    dice = random.Random(number)
    text = b"%d:%s:" % (number, row.encode()) + dice.randbytes(dice.randrange(100, 48_000))
    return text + b"%08x" % zlib.crc32(text)


def number_of(row: rs.Row) -> int:
    """The number of the operation that wrote a row."""
    key, large, small = row.key.decode(), row["a:v"], int(row["b:v"])
    if large != value(key, small):
        raise AssertionError(f"row {key} is torn: family b says {small}, family a {large[:30]!r}")
    return small


class Filler:
    """The database, and the threads that fill its disk."""

    def __init__(self, path: str, pipe: int, starts: list[int], newest: str) -> None:
        began = time.monotonic()
        self.path, self.pipe, self.starts, self.newest = Path(path), pipe, starts, newest
        self.db = rs.connect(path, configuration=CONFIGURATION, cache_bytes=1 << 20, memstore_bytes=8 << 20)
        self.say(f"O {self.milliseconds(began)}")
        self.is_full = threading.Event()

    def say(self, text: str) -> None:
        say(self.pipe, text)

    @staticmethod
    def milliseconds(began: float) -> int:
        return int((time.monotonic() - began) * 1000)

    def dump(self) -> None:
        for name in self.db.tables():
            if not self.db.admin.tables.is_enabled(name):
                # The kill came between the two steps of a drop.
                self.drop(name)
                continue
            for row in self.db.table(name).scan():
                self.say(f"R {name} {row.key.decode()} {number_of(row)}")
        self.say("E")

    def make_room(self, wants_write: bool) -> None:
        """Drop all tables but the newest, compact that one and, on request, time a write to a new table."""
        tables = sorted(self.db.tables())
        for name in tables[:-1]:
            self.drop(name)
        for name in tables[-1:]:
            self.compact(name, may_be_refused=not wants_write)
        if wants_write:
            began = time.monotonic()
            self.with_help("a write after room was made", lambda: self.write_once(began + ROOM_SECONDS))
            self.say(f"W {self.milliseconds(began)}")
            self.with_help("drop of an empty table", lambda: self.db.drop_table("room", force=True))

    def drop(self, name: str) -> None:
        self.say(f"D {name}")
        self.with_help(f"drop of {name}", lambda: self.db.drop_table(name, force=True))
        self.say(f"d {name}")

    def with_help(self, what: str, work: Callable[[], object]) -> None:
        """Do work that must succeed on a full disk. If it fails, report that, free some space and repeat it."""
        for _ in range(MOST_HELP):
            try:
                work()
            except DiskFull as error:
                self.say(f"F {what}: {error}")
                ballast = self.path.parent / "ballast"
                os.truncate(ballast, ballast.stat().st_size - HELP_BYTES)
            else:
                return
        raise AssertionError(f"{what} is refused though {MOST_HELP} times there was more room")

    def write_once(self, end: float) -> None:
        """Write a row to a table of its own, as soon as a write is accepted."""
        while True:
            try:
                self.db.create_table("room", ["a"], if_not_exists=True)
                self.db.table("room").put("row", {"a:q": bytes(10_000)})
            except DiskFull:
                if time.monotonic() > end:
                    raise
                time.sleep(FULL_PAUSE_SECONDS)
            else:
                return

    def compact(self, table: str, *, may_be_refused: bool) -> None:
        """Merges the files of a table. Concurrent writers may take the room for that."""
        began = time.monotonic()
        if not may_be_refused:
            self.with_help(f"compaction of {table}", lambda: self.db.admin.major_compact(table))
            self.say(f"C {table}")
            return
        try:
            self.db.admin.major_compact(table)
        except DiskFull as error:
            self.say(f"M {self.milliseconds(began)} {error}")
        else:
            self.say(f"C {table}")

    def write(self, thread: int) -> None:
        """Fill tables of its own in sequence, and overwrite its own rows in any table."""
        dice = random.Random(self.starts[thread] * THREADS + thread)
        number, count = self.starts[thread], 0
        while True:
            number += THREADS
            own = f"{self.newest}-{count // ROWS:03}-{thread}"
            table, row = own, f"{thread}-{count % ROWS:03}"
            if dice.random() < 0.2:
                table, row = dice.choice(sorted(self.db.tables()) or [own]), f"{thread}-{dice.randrange(ROWS):03}"
            self.say(f"I {thread} {number} {table} {row}")
            began = time.monotonic()
            try:
                if table == own and count % ROWS == 0:
                    self.db.create_table(own, {"a": {}, "b": {}}, if_not_exists=True)
                self.db.table(table).put(row, {"a:v": value(row, number), "b:v": str(number)})
            except (TableNotFound, TableNotEnabled) as error:
                self.say(f"N {thread} {number} {self.milliseconds(began)} {type(error).__name__}: {error}")
                # The table was dropped; its name is not used again.
                count += ROWS - count % ROWS if table == own else 0
            except DiskFull as error:
                self.say(f"N {thread} {number} {self.milliseconds(began)} DiskFull: {error}")
                self.is_full.set()
                self.read(table, row)
                time.sleep(FULL_PAUSE_SECONDS)
            else:
                self.say(f"A {thread} {number} {self.milliseconds(began)}")
                count += table == own

    def read(self, table: str, row: str) -> None:
        """Reads a row: a full disk stops no reads."""
        with suppress(TableNotFound, TableNotEnabled):
            found = self.db.table(table).get(row)
            if found:
                number_of(found)

    def maintain(self) -> None:
        dice = random.Random(self.starts[0])
        while True:
            began = time.monotonic()
            try:
                self.db.admin.flush()
                for table in self.db.tables():
                    if dice.random() < 0.3:
                        self.db.admin.compact(table)
            except (TableNotFound, TableNotEnabled):
                pass
            except DiskFull as error:
                self.say(f"M {self.milliseconds(began)} {error}")
            time.sleep(dice.random() * 0.3)

    def drop_when_full(self) -> None:
        """Makes room while writers run, which fill it again."""
        while True:
            self.is_full.wait()
            time.sleep(0.5)
            self.make_room(wants_write=False)
            self.is_full.clear()

    def guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except RowstoneError as error:
                self.say(f"X {type(error).__name__}: {error}")
            except AssertionError as error:
                self.say(f"X {error}")

        return run


def live(path: str, pipe: int, starts: list[int], newest: str, *, drops: bool) -> None:
    """The life of a process that fills its disk; it ends with a kill."""
    filler = Filler(path, pipe, starts, newest)
    filler.dump()
    filler.make_room(wants_write=True)
    works: list[Callable[[], None]] = [lambda thread=thread: filler.write(thread) for thread in range(THREADS)]  # type: ignore[misc]
    works += [filler.maintain, *([filler.drop_when_full] if drops else [])]
    threads = [threading.Thread(target=filler.guarded(work), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def leave(path: str, pipe: int) -> None:
    """The last process: makes room, reports the contents and closes the database."""
    filler = Filler(path, pipe, [], "")
    filler.dump()
    filler.make_room(wants_write=True)
    filler.db.close()
    report = rs.check(path)
    if not report:
        raise AssertionError(f"check: {report.damage}")
