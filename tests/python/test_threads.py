"""Threads: rows are atomic, counters add up, and no call blocks other threads on the interpreter lock."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import rowstone as rs


def together(*work: Callable[[], None]) -> None:
    """Run all functions concurrently, and raise the first exception."""
    with ThreadPoolExecutor(len(work)) as pool:
        for future in [pool.submit(function) for function in work]:
            future.result()


def test_counters_add_up(t: rs.Table) -> None:
    """checklist 137: 8 threads of 1,000 increments."""

    def count() -> None:
        for _ in range(1_000):
            t.increment("r", "f:n")

    together(*[count] * 8)
    assert struct.unpack(">q", t.get("r")["f:n"]) == (8_000,)


def test_a_row_is_never_seen_half_written(t: rs.Table) -> None:
    """checklist 071, 155: 4 writers of 2 families x 20 columns, 4 readers, gets and scans."""
    done = threading.Event()
    running = threading.Semaphore(0)

    def write(tag: str) -> None:
        for number in range(200):
            value = f"{tag}{number}"
            t.put("r", {f"{family}:{column:02}": value for family in "fg" for column in range(20)})
        running.release()

    def read(scan: bool) -> None:
        while not done.is_set():
            row = next(t.scan(), None) if scan else t.get("r")
            if row:
                assert len(row) == 40
                assert len(set(row.values())) == 1

    def finish() -> None:
        for _ in range(4):
            running.acquire()
        done.set()

    writers = [lambda tag=tag: write(tag) for tag in "abcd"]
    together(*writers, *[lambda scan=scan: read(scan) for scan in (True, False, True, False)], finish)


def test_conditions_are_atomic(t: rs.Table) -> None:
    """checklist 154: of many concurrent conditional puts, one succeeds."""
    won: list[int] = []

    def race(number: int) -> None:
        for round_number in range(100):
            put = rs.Put(f"{round_number}", {"f:winner": f"{number}"})
            if t.check_and_mutate(f"{round_number}", "f:winner", "EQUAL", None, put):
                won.append(round_number)

    together(*[lambda number=number: race(number) for number in range(6)])
    assert sorted(won) == list(range(100))


def test_one_scanner_may_be_shared(t: rs.Table) -> None:
    """Each row goes to one of the threads."""
    with t.batch() as batch:
        for number in range(5_000):
            batch.put(f"{number:05}", {"f:q": "x"})
    seen: list[bytes] = []
    with t.scan() as scanner:
        together(*[lambda: seen.extend(row.key for row in scanner)] * 4)
    assert sorted(seen) == [f"{number:05}".encode() for number in range(5_000)]


def test_one_buffered_writer_may_be_shared(t: rs.Table) -> None:
    with t.batch(buffer_bytes=10_000) as batch:

        def write(thread: int) -> None:
            for number in range(1_000):
                batch.put(f"{thread}-{number:04}", {"f:q": "x" * 20})

        together(*[lambda thread=thread: write(thread) for thread in range(4)])
    assert sum(1 for _ in t.scan()) == 4_000


def test_long_calls_let_other_threads_run(t: rs.Table, db: rs.Database) -> None:
    """While one thread is in the store, another one progresses in Python."""
    with t.batch() as batch:
        for number in range(20_000):
            batch.put(f"{number:05}", {"f:q": "x" * 200})
    keys = [f"{number:05}" for number in range(20_000)]
    steps, done = 0, threading.Event()

    def work() -> None:
        for _ in range(3):
            t.exists_many(keys)
            db.admin.flush("t")
            db.admin.major_compact("t")
        done.set()

    def spin() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1

    together(work, spin)
    assert steps > 1_000


def test_closing_while_others_work_is_safe(tmp_path_factory: object) -> None:
    for _ in range(5):
        db = rs.connect(":memory:")
        db.create_table("t", ["f"])
        t = db.table("t")

        def work(t: rs.Table = t) -> None:
            try:
                for number in range(100_000):
                    t.put(f"{number}", {"f:q": "x"})
                    list(t.scan(limit=3))
            except rs.errors.DatabaseClosed:
                pass

        together(work, work, work, db.close)
