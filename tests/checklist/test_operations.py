"""Get, put, scan, delete, buffered and batched writes, scanners (checklist 061-069, 153)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone import errors
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, contents, keys, make


@checklist("061", clause="a table has them")
def test_the_four_operations(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"})
    assert t.get("r")["f:q"] == b"v"
    with t.scan() as rows:
        assert [dict(row) for row in rows] == [{b"f:q": b"v"}]
    t.delete("r")
    assert not t.get("r")


@checklist("062", clause="a family, a column or nothing selects")
def test_get_returns_the_selected_columns(db: rs.Database) -> None:
    t = make(db, f={}, g={})
    t.put("r", {"f:a": "1", "f:b": "2", "g:c": "3"})
    t.put("s", {"f:a": "9"})
    assert dict(t.get("r")) == {b"f:a": b"1", b"f:b": b"2", b"g:c": b"3"}
    assert dict(t.get("r", "f")) == {b"f:a": b"1", b"f:b": b"2"}
    assert dict(t.get("r", ["f:b", "g"])) == {b"f:b": b"2", b"g:c": b"3"}
    assert dict(t.get("r", "f:missing")) == {}


CELLS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["f:x", "f:y", "g:x"]), st.integers(1, 6), st.booleans()),
    max_size=25,
)
STAMPS = st.integers(0, 7)
RANGES = st.tuples(STAMPS, STAMPS).filter(lambda bounds: bounds[0] < bounds[1])
OPTIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "columns": st.lists(st.sampled_from(["f", "g", "f:x", "f:y", "g:x"]), min_size=1, unique=True),
        "versions": st.sampled_from([1, 2, 5, None]),
        "time_range": RANGES,
        "family_time_ranges": st.dictionaries(st.sampled_from(["f", "g"]), RANGES, min_size=1),
        "cells_per_family": st.integers(1, 3),
        "offset_per_family": st.integers(0, 2),
    },
)


@checklist("063", clause="both answer alike for every mix of options")
@given(cells=CELLS, flush_after=st.integers(0, 25), options=OPTIONS)
@settings(max_examples=150)
def test_a_get_is_a_scan_of_one_row(
    cells: list[tuple[str, str, int, bool]], flush_after: int, options: dict[str, Any]
) -> None:
    with rs.connect(":memory:", clock=ManualClock(START_MS), configuration=QUIET) as db:
        t = make(db, f=rs.Family(max_versions=3), g=rs.Family(max_versions=2, keep_deleted_cells="TRUE"))
        for number, (row, column, timestamp, is_put) in enumerate(cells):
            if is_put:
                t.put(row, {column: str(number)}, timestamp=timestamp)
            else:
                t.delete(row, [column], timestamp=timestamp)
            if number == flush_after:
                db.admin.flush("t")
        for row in "ab":
            got = t.get(row, **options)
            with t.scan(row, row, include_stop=True, **options) as rows:
                scanned = [contents(found) for found in rows]
            assert scanned == ([contents(got)] if got else [])
            assert t.exists(row, **options) == bool(got)


@checklist("064", clause="only the first adds to the number of rows")
def test_put_adds_or_updates(t: rs.Table) -> None:
    counts = []
    for value in ("new", "changed"):
        t.put("r", {"f:q": value})
        counts.append(len(keys(t)))
        assert t.get("r")["f:q"] == value.encode()
    assert counts == [1, 1]


@checklist("065", clause="a buffered put is invisible until flush, close or a full buffer")
def test_buffered_puts_wait(t: rs.Table) -> None:
    with t.batch() as batch:
        batch.put("flushed", {"f:q": "v"})
        assert not t.exists("flushed")
        batch.flush()
        assert t.exists("flushed")
        batch.put("closed", {"f:q": "v"})
        assert not t.exists("closed")
    assert t.exists("closed")
    with t.batch() as batch:
        batch.put("small", {"f:q": b"v" * 1_000_000})
        assert not t.exists("small")
        batch.put("large", {"f:q": b"v" * 1_200_000})
        assert t.exists("small")
    with t.batch(buffer_bytes=100) as batch:
        batch.put("own size", {"f:q": b"v" * 200})
        assert t.exists("own size")


@checklist("153", clause="the others are applied, each has a status")
@checklist("065", clause="multi tells the result of each action")
def test_multi_tells_the_result_of_each_action(t: rs.Table) -> None:
    t.put("there", {"f:q": "v"})
    results = t.multi(
        [
            rs.Put("a", {"f:q": "1"}),
            rs.Put("b", {"unknown:q": "2"}),
            rs.Get("there"),
            rs.Increment("c", {"f:n": 5}),
            rs.Delete("there"),
        ]
    )
    assert len(results) == 5
    assert isinstance(results[1], errors.NoSuchColumnFamily)
    assert not isinstance(results[0], Exception)
    assert isinstance(results[2], rs.Row)
    assert dict(results[2]) in ({b"f:q": b"v"}, {})
    assert isinstance(results[3], rs.Row)
    assert results[3]["f:n"] == (5).to_bytes(8, "big")
    assert not isinstance(results[4], Exception)
    assert keys(t) == [b"a", b"c"]


@checklist("066", clause="a prefix and a column choose three rows and one cell each")
def test_the_guides_scan(db: rs.Database) -> None:
    t = make(db, cf={})
    for name in ("row1", "row2", "row3", "abc1", "abc2", "abc3"):
        t.put(name, {"cf:attr": name, "cf:other": "x"})
    with t.scan(prefix="row", columns=["cf:attr"]) as rows:
        assert [(row.key, dict(row)) for row in rows] == [
            (name, {b"cf:attr": name}) for name in (b"row1", b"row2", b"row3")
        ]


def _open_scanners(db: rs.Database) -> int:
    return db.admin.metrics.stats("t")["open_scanners"]


@checklist("067", clause="leaving a scan early gives it back")
def test_a_scan_left_early_is_given_back(db: rs.Database) -> None:
    t = make(db, f={})
    for number in range(5_000):
        t.put(f"{number:06}", {"f:q": b"v" * 500})
    with t.scan() as rows:
        for _ in rows:
            assert _open_scanners(db) == 1
            break
    assert _open_scanners(db) == 0
    abandoned = t.scan()
    next(abandoned)
    assert _open_scanners(db) == 1
    del abandoned
    assert _open_scanners(db) == 0


@checklist("067", clause="a closed one raises")
def test_a_closed_scanner_raises(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"})
    rows = t.scan()
    rows.close()
    rows.close()
    assert rows.closed
    with pytest.raises(errors.ScannerClosed):
        next(rows)


@checklist("068", clause="include_stop adds it")
@checklist("068", clause="InclusiveStopFilter does the same")
def test_the_stop_row_can_be_included(t: rs.Table) -> None:
    for number in range(1, 5):
        t.put(f"row{number}", {"f:q": "v"})
    assert keys(t, start="row1", stop="row2") == [b"row1"]
    assert keys(t, start="row1", stop="row2", include_stop=True) == [b"row1", b"row2"]
    assert keys(t, start="row1", stop="row2x", include_stop=True) == [b"row1", b"row2"]
    assert keys(t, filter=rs.filters.InclusiveStopFilter("row2")) == [b"row1", b"row2"]


@checklist("069", clause="only that row is gone")
def test_delete_removes_a_row(t: rs.Table) -> None:
    for key in ("q", "r", "s"):
        t.put(key, {"f:a": key, "f:b": key})
    t.delete("r")
    assert not t.get("r")
    assert keys(t) == [b"q", b"s"]
    assert len(t.get("q")) == len(t.get("s")) == 2
