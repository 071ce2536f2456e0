"""Many threads on few rows: nothing half done, lost, mixed or going back (checklist 071, 137, 139, 154-156, 158)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import HOUR_MS, QUIET, START_MS, in_threads, keys, make, stamps

SMALL_MEMORY = {**QUIET, "hbase.hregion.memstore.flush.size": 65_536}
"""Flushes happen while the threads run."""


@pytest.fixture
def busy(clock: ManualClock) -> Iterator[rs.Database]:
    with rs.connect(":memory:", clock=clock, configuration=SMALL_MEMORY) as database:
        yield database


def beside(writers: list[Callable[[], None]], readers: list[Callable[[], None]]) -> None:
    """Runs the writers once and the readers again and again until the last writer is done."""
    left = [len(writers)]
    lock, done = threading.Lock(), threading.Event()

    def writing(work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            finally:
                with lock:
                    left[0] -= 1
                    if left[0] == 0:
                        done.set()

        return run

    def reading(work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            while not done.is_set():
                work()

        return run

    in_threads(*map(writing, writers), *map(reading, readers))


@checklist("071", clause="readers never see half a put")
def test_readers_never_see_half_a_put(busy: rs.Database) -> None:
    t = make(busy, f={}, g={})
    columns = [f"{family}:{number}" for family in "fg" for number in range(20)]
    seen: set[bytes] = set()

    def write(writer: int) -> Callable[[], None]:
        def run() -> None:
            for number in range(400):
                tag = f"{writer}-{number}"
                t.put("r", dict.fromkeys(columns, tag))

        return run

    def check(row: rs.Row) -> None:
        if row:
            tags = set(row.values())
            assert len(tags) == 1
            assert len(row) == len(columns)
            seen.update(tags)

    def scan() -> None:
        with t.scan() as rows:
            for row in rows:
                check(row)

    def get() -> None:
        check(t.get("r"))

    beside([write(number) for number in range(4)], [get, get, scan, scan])
    assert len(seen) > 1


@checklist("137", clause="eight threads lose no increment")
def test_counters_are_atomic(busy: rs.Database) -> None:
    t = make(busy, f={})

    def count() -> None:
        for _ in range(1_000):
            t.increment("r", "f:n")

    in_threads(*[count] * 8)
    assert int.from_bytes(t.get("r")["f:n"], "big") == 8_000
    assert t.increment("r", "f:n", -1) == 7_999


@checklist("139", clause="the stored bytes")
def test_a_counter_is_a_long(t: rs.Table) -> None:
    assert t.increment("r", "f:q", 1) == 1
    assert t.get("r")["f:q"] == b"\x00\x00\x00\x00\x00\x00\x00\x01"
    assert t.increment("r", "f:q", -3) == -2
    assert t.get("r")["f:q"] == b"\xff\xff\xff\xff\xff\xff\xff\xfe"


@checklist("139", clause="another length is not a long")
def test_another_length_is_not_a_long(t: rs.Table) -> None:
    t.put("r", {"f:q": "abc"})
    with pytest.raises(rs.errors.NotALong, match="3 bytes"):
        t.increment("r", "f:q")
    assert t.get("r")["f:q"] == b"abc"


@checklist("154", clause="of racing writers one wins")
def test_one_of_racing_writers_wins(busy: rs.Database) -> None:
    t = make(busy, f={})
    rounds, racers = 200, 4
    won: list[list[int]] = [[] for _ in range(rounds)]
    start = threading.Barrier(racers)

    def race(racer: int) -> Callable[[], None]:
        def run() -> None:
            start.wait()
            for number in range(rounds):
                row = f"row {number}"
                if t.check_and_mutate(row, "f:owner", "EQUAL", None, rs.Put(row, {"f:owner": str(racer)})):
                    won[number].append(racer)

        return run

    in_threads(*(race(racer) for racer in range(racers)))
    assert [len(winners) for winners in won] == [1] * rounds
    for number, [winner] in enumerate(won):
        assert t.get(f"row {number}")["f:owner"] == str(winner).encode()


@checklist("154", clause="of racing writers one wins")
def test_compare_and_set_loses_no_update(busy: rs.Database) -> None:
    t = make(busy, f={})
    t.put("r", {"f:n": "0"})

    def add() -> None:
        for _ in range(100):
            while True:
                old = t.get("r")["f:n"]
                new = str(int(old) + 1)
                if t.check_and_mutate("r", "f:n", "EQUAL", old, rs.Put("r", {"f:n": new})):
                    break

    in_threads(add, add, add)
    assert t.get("r")["f:n"] == b"300"


@checklist("154", clause="two writers' rows never mix")
@pytest.mark.parametrize("way", ["put", "mutate_row", "check_and_mutate"])
def test_two_writers_never_mix(busy: rs.Database, way: str) -> None:
    """The clock stands still: only the order of the writes decides."""
    t = make(busy, f={})

    def write(value: str) -> Callable[[], None]:
        data = {"f:a": value, "f:b": value, "f:c": value}

        def run() -> None:
            for _ in range(500):
                if way == "put":
                    t.put("r", data)
                elif way == "mutate_row":
                    t.mutate_row("r", [rs.Put("r", {column: value}) for column in data])
                else:
                    t.check_and_mutate("r", "f:never", "EQUAL", None, rs.Put("r", data))

        return run

    def read() -> None:
        assert set(t.get("r").values()) in (set(), {b"1"}, {b"2"})

    beside([write("1"), write("2")], [read, read])
    assert len(set(t.get("r").values())) == 1


@checklist("155", clause="a growing counter never shrinks for get or scan")
def test_reads_only_move_forward(busy: rs.Database) -> None:
    t = make(busy, f={}, g={})

    def count() -> None:
        for number in range(3_000):
            t.increment("r", {"f:n": 1, "g:n": 1})
            if number % 500 == 0:
                busy.admin.flush("t")

    def watch(read: Callable[[], rs.Row]) -> Callable[[], None]:
        newest = [0]

        def run() -> None:
            values = [int.from_bytes(value, "big") for value in read().values()]
            assert len(set(values)) <= 1
            assert all(value >= newest[0] for value in values)
            newest[:] = values[:1] or newest

        return run

    def scanned() -> rs.Row:
        with t.scan() as rows:
            return next(rows, t.get("missing"))

    beside([count], [watch(lambda: t.get("r")), watch(lambda: t.get("r")), watch(scanned), watch(scanned)])
    assert t.increment("r", "f:n", 0) == 3_000


@checklist("156", clause="all earlier rows are there, each row whole")
def test_scans_are_read_committed(busy: rs.Database) -> None:
    t = make(busy, f={}, g={})
    earlier = [f"{number:06}" for number in range(0, 2_000, 2)]
    for key in earlier:
        t.put(key, {"f:q": "0", "g:q": "0"})

    def write() -> None:
        for number in range(1, 2_000):
            t.put(f"{number:06}", {"f:q": str(number), "g:q": str(number)})

    def scan() -> None:
        with t.scan() as rows:
            found = [row.key.decode() for row in rows if len(row) == 2 and row["f:q"] == row["g:q"]]
        with t.scan() as rows:
            total = sum(1 for _ in rows)
        assert set(earlier) <= set(found)
        assert found == sorted(found)
        assert len(found) <= total

    beside([write], [scan, scan])
    assert len(keys(t)) == 2_000


@checklist("156", clause="all earlier rows are there, each row whole")
def test_rows_written_ahead_of_an_open_scanner(t: rs.Table) -> None:
    for key in ("a", "c", "e"):
        t.put(key, {"f:x": "old", "f:y": "old"})
    with t.scan() as rows:
        found = [next(rows)]
        for key in ("b", "c", "d"):
            t.put(key, {"f:x": "new", "f:y": "new"})
        t.put("e", {"f:x": "new", "f:y": "new"})
        found.extend(rows)
    assert {b"a", b"c", b"e"} <= {row.key for row in found}
    assert all(row["f:x"] == row["f:y"] for row in found)


@checklist("158", clause="to all at once")
def test_success_means_visible_to_all(db: rs.Database) -> None:
    t = make(db, f={})
    handles = [t, db.table("t"), db.table("default:t")]
    for number in range(200):
        key = f"{number:04}"
        handles[number % 3].put(key, {"f:q": "v"})
        with ThreadPoolExecutor(1) as another_thread:
            assert another_thread.submit(handles[(number + 1) % 3].exists, key).result()
    assert len(keys(t)) == 200


@checklist("158", clause="a cell of the future to a scan from before its time")
def test_cells_of_the_future_are_visible(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"}, timestamp=START_MS + HOUR_MS)
    assert stamps(t.get("r")) == [START_MS + HOUR_MS]
    assert keys(t) == [b"r"]
    assert not t.get("r", time_range=(0, START_MS + 1))
