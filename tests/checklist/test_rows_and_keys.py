"""Rows and their keys: bytes, order, length, existence, kinds of access (checklist 001-012)."""

from __future__ import annotations

import os
import pickle
import random
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, keys, make, run_script

ROWS = [b"a", b"a\x00", b"b", b"\xff"]
COLUMNS = [b"f:", b"f:x", b"f:y", b"g:x"]

OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from(ROWS), st.sampled_from(COLUMNS), st.binary(max_size=3)),
        st.tuples(st.just("delete"), st.sampled_from(ROWS), st.sampled_from(COLUMNS)),
        st.tuples(st.just("delete family"), st.sampled_from(ROWS), st.sampled_from([b"f", b"g"])),
        st.tuples(st.just("delete row"), st.sampled_from(ROWS)),
        st.sampled_from([("flush",), ("compact",), ("major",)]),
    ),
    max_size=40,
)


def _apply_to_model(model: dict[bytes, dict[bytes, bytes]], operation: tuple[object, ...]) -> None:
    match operation:
        case ("put", bytes(row), bytes(column), bytes(value)):
            model.setdefault(row, {})[column] = value
        case ("delete", bytes(row), bytes(column)):
            model.get(row, {}).pop(column, None)
        case ("delete family", bytes(row), bytes(family)):
            kept = {column: value for column, value in model.get(row, {}).items() if column[:1] != family}
            model[row] = kept
        case ("delete row", bytes(row)):
            model.pop(row, None)
    for row in [row for row, columns in model.items() if not columns]:
        del model[row]


def _apply_to_table(db: rs.Database, t: rs.Table, operation: tuple[object, ...]) -> None:
    match operation:
        case ("put", bytes(row), bytes(column), bytes(value)):
            t.put(row, {column: value})
        case ("delete", bytes(row), bytes(column)):
            t.delete(row, [column] if column != b"f:" else [(b"f", b"")])
        case ("delete family", bytes(row), bytes(family)):
            t.delete(row, [family])
        case ("delete row", bytes(row)):
            t.delete(row)
        case ("flush",):
            db.admin.flush("t")
        case ("compact",):
            db.admin.compact("t")
        case ("major",):
            db.admin.major_compact("t")


@checklist("001", clause="after any operations it equals a nested dict")
@given(operations=OPERATIONS)
@settings(max_examples=100)
def test_a_table_equals_a_nested_dict(operations: list[tuple[object, ...]]) -> None:
    clock = ManualClock(START_MS)
    with rs.connect(":memory:", clock=clock, configuration=QUIET) as db:
        t = make(db, f={}, g={})
        model: dict[bytes, dict[bytes, bytes]] = {}
        for operation in operations:
            clock.advance(1)
            _apply_to_table(db, t, operation)
            _apply_to_model(model, operation)
        assert {key: dict(row) for key, row in dict(t).items()} == model
        assert list(t) == sorted(model)


@checklist("002", clause="two puts at one place are one cell")
def test_row_column_and_version_identify_one_cell(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    t.put("r", {"f:q": "first"}, timestamp=5)
    t.put("r", {"f:q": "second"}, timestamp=5)
    [cell] = t.get("r", versions=10).cells
    assert (cell.timestamp, cell.value) == (5, b"second")


@checklist("003", clause="a row without cells does not exist")
def test_a_row_that_was_never_put_does_not_exist(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"})
    assert not t.get("other")
    assert t.get("other").cells == []
    assert not t.exists("other")
    assert keys(t) == [b"r"]


@checklist("003", clause="it vanishes with its last cell")
def test_a_row_vanishes_with_its_last_cell(t: rs.Table) -> None:
    t.put("r", {"f:a": "1", "f:b": "2"})
    t.delete("r", ["f:a"])
    assert t.exists("r")
    t.delete("r", ["f:b"])
    assert not t.exists("r")
    assert not t.get("r")
    assert keys(t) == []


@checklist("004", clause="any bytes come back as they went in")
def test_row_keys_are_bytes(t: rs.Table) -> None:
    written = [b"\x00", b"\xff" * 8, struct.pack(">q", -1)[:7], "王".encode(), pickle.dumps((1, "a"))]
    for key in written:
        t.put(key, {"f:q": key})
    assert keys(t) == sorted(written)
    assert all(t.get(key)["f:q"] == key for key in written)


@checklist("005", clause="32,767 bytes are accepted")
def test_the_longest_row_key(t: rs.Table) -> None:
    t.put(b"k" * 32_767, {"f:q": "v"})
    assert t.get(b"k" * 32_767)["f:q"] == b"v"
    assert [len(key) for key in keys(t)] == [32_767]


@checklist("005", clause="32,768 bytes are refused, naming the limit")
def test_a_longer_row_key_is_refused(t: rs.Table) -> None:
    with pytest.raises(rs.errors.UsageError, match=r"32,?767"):
        t.put(b"k" * 32_768, {"f:q": "v"})
    assert keys(t) == []


@checklist("005", clause="the difference from the source is documented")
def test_the_limit_of_row_keys_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/explanation/sources.md").read_text(encoding="utf-8")
    assert "32,767" in page
    assert "64 KB" in page


@checklist("006", clause="a scan returns random keys sorted")
def test_rows_are_sorted(db: rs.Database) -> None:
    t = make(db, f={})
    chance = random.Random(6)
    written = {chance.randbytes(chance.randint(1, 12)) for _ in range(10_000)}
    with t.batch() as batch:
        for number, key in enumerate(written):
            batch.put(key, {"f:q": b""})
            if number == 5_000:
                batch.flush()
                db.admin.flush("t")
    assert keys(t) == sorted(written)


@checklist("006", clause="byte 0x80 follows 'z'")
def test_bytes_are_compared_unsigned(t: rs.Table) -> None:
    for key in (b"\x80", b"z", b"a"):
        t.put(key, {"f:q": b""})
    assert keys(t) == [b"a", b"z", b"\x80"]


@checklist("007", clause="numbers as text come in text order")
def test_decimal_text_sorts_as_text(t: rs.Table) -> None:
    for number in range(1, 23):
        t.put(str(number), {"f:q": b""})
    expected = "1 10 11 12 13 14 15 16 17 18 19 2 20 21 22 3 4 5 6 7 8 9"
    assert b" ".join(keys(t)).decode() == expected


@checklist("007", clause="padded numbers come in number order")
def test_padded_text_sorts_as_numbers(t: rs.Table) -> None:
    for number in reversed(range(1, 23)):
        t.put(f"{number:03}", {"f:q": b""})
    assert [int(key) for key in keys(t)] == list(range(1, 23))


@checklist("008", clause="a scan from empty to empty is a full scan")
def test_the_empty_key_is_both_ends(t: rs.Table) -> None:
    for key in (b"\x00", b"m", b"\xff\xff"):
        t.put(key, {"f:q": b""})
    with t.scan(b"", b"") as rows:
        assert [row.key for row in rows] == [b"\x00", b"m", b"\xff\xff"]


@checklist("008", clause="first region starts and last region ends empty")
def test_the_outer_regions_are_open(db: rs.Database) -> None:
    db.create_table("t", ["f"], splits=["g", "p"])
    regions = db.admin.regions.list("t")
    assert [region.start_key for region in regions] == [b"", b"g", b"p"]
    assert [region.end_key for region in regions] == [b"g", b"p", b""]


@checklist("008", clause="a put needs a key")
def test_an_empty_key_cannot_be_put(t: rs.Table) -> None:
    with pytest.raises(rs.errors.UsageError):
        t.put(b"", {"f:q": "v"})
    assert keys(t) == []


@checklist("009", clause="each has its call")
def test_get_range_scan_and_full_scan(t: rs.Table) -> None:
    for key in "abcd":
        t.put(key, {"f:q": key})
    assert t.get("b")["f:q"] == b"b"
    assert keys(t, start="b", stop="d") == [b"b", b"c"]
    assert keys(t) == [b"a", b"b", b"c", b"d"]


def _blocks_touched(db: rs.Database) -> int:
    numbers = db.admin.metrics.stats()
    return numbers["cache_hits"] + numbers["cache_misses"]


@pytest.fixture
def many_rows(disk: rs.Database) -> rs.Table:
    """20,000 rows of 1 KB in one file: blocks of about 64 rows."""
    t = make(disk, f={"bloom_filter": "NONE"})
    with t.batch() as batch:
        for number in range(20_000):
            batch.put(f"{number:08}", {"f:q": b"v" * 1_000})
    disk.admin.flush("t")
    return t


@checklist("011", clause="a hundred adjacent rows touch few blocks")
def test_adjacent_rows_touch_few_blocks(disk: rs.Database, many_rows: rs.Table) -> None:
    before = _blocks_touched(disk)
    with many_rows.scan("00010000", "00010100") as rows:
        total = sum(len(value) for row in rows for value in row.values())
    assert total == 100_000
    assert 0 < _blocks_touched(disk) - before <= -(-total // 65_536) + 1


@checklist("011", clause="a hundred scattered rows touch about a hundred")
def test_scattered_rows_touch_a_block_each(disk: rs.Database, many_rows: rs.Table) -> None:
    before = _blocks_touched(disk)
    for number in range(0, 20_000, 200):
        assert many_rows.exists(f"{number:08}")
    assert 100 <= _blocks_touched(disk) - before <= 105


@checklist("012", clause="a prefix scan returns the hosts of a domain together")
def test_reversed_domains_are_neighbors(t: rs.Table) -> None:
    for host in ("org.apache.www", "com.cnn.www", "org.apache.jira", "org.wikipedia.en", "org.apache.mail"):
        t.put(host, {"f:q": b""})
    assert keys(t, prefix="org.apache.") == [b"org.apache.jira", b"org.apache.mail", b"org.apache.www"]


@checklist("111", clause="time zones change nothing")
@checklist("030", clause="the default does not depend on the time zone")
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York"])
def test_time_is_utc(zone: str) -> None:
    script = """
import time, rowstone as rs
with rs.connect(":memory:") as db:
    db.create_table("t", {"f": rs.Family(ttl_seconds=3600)})
    t = db.table("t")
    before = time.time_ns() // 1_000_000
    t.put("fresh", {"f:q": "v"})
    after = time.time_ns() // 1_000_000
    t.put("old", {"f:q": "v"}, timestamp=after - 3_601_000)
    t.put("young", {"f:q": "v"}, timestamp=after - 3_540_000)
    assert before <= t.get("fresh").timestamp("f:q") <= after
    print([key.decode() for key in t], time.localtime().tm_gmtoff)
"""
    printed = run_script(script, environment={"TZ": zone})
    assert printed.startswith("['fresh', 'young']")
    assert ("0\n" in printed.split("]")[1]) or zone != "UTC"
    assert os.environ.get("TZ") != zone or zone == "UTC"
