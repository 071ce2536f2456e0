"""Tables by the values of their keys: buckets are not seen, a scan is the scan of one that has none."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone import errors, keys
from rowstone.keys import Key, KeyedTable
from tests.checklist import checklist

EXAMPLES = int(os.environ.get("ROWSTONE_KEY_EXAMPLES", "40"))
PARTS = (keys.time("at"), keys.text("host"))
FRONTS: dict[str, Callable[[], list[keys.Part]]] = {
    "none": list,
    "salt": lambda: [keys.salt(5)],
    "salt of the host": lambda: [keys.salt(5, of="host")],
    "bucket": lambda: [keys.bucket(7, of="at")],
    "round robin": lambda: [keys.round_robin(3)],
}


@pytest.fixture(params=["memory", "server"])
def t(request: pytest.FixtureRequest) -> Iterator[rs.Table]:
    """A table of a directory, and of a cluster, here a Rowstone server."""
    if request.param == "memory":
        with rs.connect(":memory:") as db:
            db.create_table("t", ["f"], splits=[b"\x02", b"\x04"])
            yield db.table("t")
    else:
        with rs.testing.server() as url, rs.connect(url) as db:
            db.create_table("t", ["f"], splits=[b"\x02", b"\x04"])
            yield db.table("t")


@checklist("162", clause="a scan of all buckets equals the one without")
@checklist("181", clause="the ordered read merges them")
@pytest.mark.parametrize("front", FRONTS)
def test_a_bucketed_scan_equals_the_scan_without_buckets(t: rs.Table, front: str) -> None:
    keyed = KeyedTable(t, Key(*FRONTS[front](), *PARTS))
    rows = sorted((at, host) for at in range(60) for host in ("a", "b"))
    for at, host in random.Random(162).sample(rows, len(rows)):
        keyed.put({"at": at, "host": host}, {"f:q": f"{at} {host}"})
    for where, fits in [
        ({}, lambda at, host: True),
        ({"at": (10, 30)}, lambda at, host: 10 <= at < 30),
        ({"at": (None, 5)}, lambda at, host: at < 5),
        ({"at": 17}, lambda at, host: at == 17),
        ({"at": 17, "host": "a"}, lambda at, host: (at, host) == (17, "a")),
        ({"at": (1000, None)}, lambda at, host: False),
    ]:
        expected = [row for row in rows if fits(*row)]
        for reverse in (False, True):
            wanted = expected[::-1] if reverse else expected
            with keyed.scan(where, reverse=reverse) as scan:
                found = [(values, row["f:q"]) for values, row in scan]
            assert found == [(row, "{} {}".format(*row).encode()) for row in wanted], (where, reverse)
            with keyed.scan(where, reverse=reverse, limit=7) as scan:
                assert [values for values, _ in scan] == wanted[:7]


@checklist("218", clause="a time range is one scan a bucket, merged by time")
@checklist("218", clause="the number of scans is told")
def test_a_time_range_is_a_scan_a_bucket() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        keyed = KeyedTable(db.table("t"), Key(keys.bucket(100, of="at"), *PARTS))
        for at in range(500):
            keyed.put({"at": at, "host": "a"}, {"f:q": ""})
        with keyed.scan({"at": (100, 400)}) as scan:
            assert scan.scan_count == len(scan.ranges) == 100
            assert [values.at for values, _ in scan] == list(range(100, 400))
        with keyed.scan({"at": 123}) as scan:
            assert scan.scan_count == 1


class Counted:
    """A table that counts its scans and what was read of them."""

    def __init__(self, table: rs.Table) -> None:
        self.table = table
        self.open = 0
        self.read = 0

    def scan(self, *args: Any, **options: Any) -> Any:
        outer = self

        class One:
            def __enter__(self) -> Iterator[rs.Row]:
                outer.open += 1
                self.rows = outer.table.scan(*args, **options)
                return self.counted()

            def counted(self) -> Iterator[rs.Row]:
                for row in self.rows:
                    outer.read += 1
                    yield row

            def __exit__(self, *_: object) -> None:
                outer.open -= 1
                self.rows.close()

        return One()


def test_rows_are_read_as_they_are_asked_for_and_scans_are_closed() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        key = Key(keys.salt(4), *PARTS)
        plain = KeyedTable(db.table("t"), key)
        for at in range(200):
            plain.put((at, "a"), {"f:q": ""})
        counted = Counted(db.table("t"))
        keyed = KeyedTable(counted, key)  # type: ignore[arg-type]
        scan = keyed.scan()
        assert (counted.open, counted.read) == (4, 0)
        assert [values.at for values, _ in islice(scan, 5)] == [0, 1, 2, 3, 4]
        assert counted.read <= 4 + 5
        scan.close()
        scan.close()
        assert counted.open == 0
        assert scan.closed
        with pytest.raises(errors.ScannerClosed):
            next(scan)
        with keyed.scan(limit=3) as few:
            assert len(list(few)) == 3
            assert list(few) == []
        assert counted.open == 0


@checklist("182", clause="a get by logical key is one get")
@pytest.mark.parametrize("front", FRONTS)
def test_rows_are_found_by_their_values(t: rs.Table, front: str) -> None:
    keyed = KeyedTable(t, Key(*FRONTS[front](), *PARTS))
    for at in range(20):
        row = keyed.put((at, "a"), {"f:q": str(at)})
        assert t.get(row)["f:q"] == str(at).encode()
    assert keyed.get((3, "a"))["f:q"] == b"3"
    assert keyed.get({"at": 3, "host": "a"}, ["f:other"]) == {}
    found = keyed.get_many([(19, "a"), (3, "b"), (0, "a")])
    assert [row.get("f:q") for row in found] == [b"19", None, b"0"]
    assert keyed.exists((19, "a"))
    assert not keyed.exists((19, "b"))
    keyed.delete((19, "a"))
    assert not keyed.exists((19, "a"))
    assert keyed.rename((3, "a"), (300, "z")) == 1
    assert not keyed.exists((3, "a"))
    assert keyed.get((300, "z"))["f:q"] == b"3"
    with pytest.raises(errors.NotFoundError):
        keyed.rename((3, "a"), (301, "z"))


def test_wrong_scans_are_refused() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        keyed = KeyedTable(db.table("t"), Key(keys.salt(2), *PARTS))
        for options, message in [
            ({"start": "a"}, "choose rows by where"),
            ({"batch": 5}, "choose rows by where"),
            ({"limit": 0}, "at least 1"),
            ({"where": {"host": "a"}}, "'at' before it has no single value"),
        ]:
            with pytest.raises(errors.InvalidArgument, match=message):
                keyed.scan(**options)
        db.table("t").put(b"\x01other", {"f:q": ""})
        with pytest.raises(errors.InvalidArgument, match="time"), keyed.scan() as scan:
            list(scan)


@settings(max_examples=EXAMPLES)
@given(
    rows=st.sets(st.tuples(st.integers(0, 8), st.text("ab", max_size=2)), max_size=20),
    low=st.integers(0, 8),
    length=st.integers(1, 8),
    reverse=st.booleans(),
    limit=st.none() | st.integers(1, 5),
)
def test_any_rows_merge_as_they_sort(
    rows: set[tuple[int, str]], low: int, length: int, reverse: bool, limit: int | None
) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        keyed = KeyedTable(db.table("t"), Key(keys.salt(3), keys.reverse_time("at"), keys.text("host")))
        for row in rows:
            keyed.put(row, {"f:q": ""})
        wanted = [row for row in rows if low <= row[0] < low + length]
        wanted.sort(key=lambda row: (-row[0], row[1]), reverse=reverse)
        with keyed.scan({"at": (low, low + length)}, reverse=reverse, limit=limit) as scan:
            assert [tuple(values) for values, _ in scan] == wanted[:limit]
