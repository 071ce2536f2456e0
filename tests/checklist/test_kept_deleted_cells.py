"""Families that keep deleted cells: looking back past a delete, and what removes them after all (checklist 125-132)."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import START_MS, contents, make, raw, raw_puts, stamps

KEEPING = rs.Family(max_versions=10, keep_deleted_cells="TRUE")


@checklist("125", clause="a time range before the marker does not help")
def test_markers_reach_back_to_the_beginning(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    t.put("r", {"f:q": "v"}, timestamp=10)
    t.delete("r", ["f:q"], timestamp=20)
    assert not t.get("r", time_range=(0, 15))


@checklist("126", clause="a range that ends before the delete shows them")
@pytest.mark.parametrize("compacted", [False, True])
def test_kept_cells_are_seen_before_their_delete(db: rs.Database, compacted: bool) -> None:
    t = make(db, f=KEEPING)
    t.put("r", {"f:q": "v"}, timestamp=10)
    t.delete("r", ["f:q"], timestamp=20)
    if compacted:
        db.admin.flush("t")
        db.admin.major_compact("t")
    assert stamps(t.get("r", time_range=(0, 15))) == [10]
    assert stamps(t.get("r", time_range=(0, 20))) == [10]
    assert not t.get("r", time_range=(0, 21))
    assert not t.get("r")


@checklist("127", clause="as_of equals a replay at each moment")
def test_point_in_time_queries(db: rs.Database) -> None:
    t = make(db, f=KEEPING)
    history = [
        (10, "a", "1"),
        (20, "b", "2"),
        (30, "a", None),
        (40, "a", "3"),
        (50, "b", "4"),
        (60, "b", None),
        (70, "a", "5"),
    ]
    for timestamp, name, value in history:
        if value is None:
            t.delete("r", [f"f:{name}"], timestamp=timestamp)
        else:
            t.put("r", {f"f:{name}": value}, timestamp=timestamp)
        db.admin.flush("t")
    for compacted in (False, True):
        if compacted:
            db.admin.major_compact("t")
        for moment in range(0, 80, 5):
            expected: dict[bytes, bytes] = {}
            for timestamp, name, value in history:
                if timestamp <= moment and value is not None:
                    expected[f"f:{name}".encode()] = value.encode()
                elif timestamp <= moment:
                    del expected[f"f:{name}".encode()]
            assert dict(t.as_of(moment).get("r")) == expected, moment


@checklist("128", clause="after expiry nothing shows them")
def test_kept_cells_obey_the_ttl(db: rs.Database, clock: ManualClock) -> None:
    t = make(db, f=rs.Family(max_versions=10, keep_deleted_cells="TRUE", ttl_seconds=10))
    t.put("r", {"f:q": "v"})
    clock.advance(1_000)
    t.delete("r", ["f:q"])
    assert stamps(t.get("r", time_range=(0, START_MS + 1))) == [START_MS]
    clock.advance(10_001)
    assert not t.get("r", time_range=(0, START_MS + 1))
    db.admin.flush("t")
    db.admin.major_compact("t")
    assert raw(t) == []


@checklist("129", clause="a major compaction leaves at most three")
def test_never_more_deleted_cells_than_versions(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=3, keep_deleted_cells="TRUE"))
    for timestamp in range(1, 6):
        t.put("r", {"f:q": "v"}, timestamp=timestamp)
        db.admin.flush("t")
    t.delete("r", ["f:q"], timestamp=6)
    db.admin.flush("t")
    assert raw_puts(t) == [5, 4, 3, 2, 1]
    db.admin.major_compact("t")
    assert raw_puts(t) == [5, 4, 3]


@checklist("130", clause="both are there")
@checklist("130", clause="columns are refused")
def test_raw_scans_return_markers(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10), g={})
    t.put("r", {"f:q": "v"}, timestamp=5)
    t.put("s", {"g:q": "v"}, timestamp=5)
    t.delete("r", ["f:q"], timestamp=6)
    with t.scan(raw=True, versions=10) as rows:
        row, other = rows
    assert [(cell.type, cell.timestamp, cell.value) for cell in row.cells] == [
        ("DeleteColumn", 6, b""),
        ("Put", 5, b"v"),
    ]
    assert other.key == b"s"
    assert raw(t, columns=["f"]) == [("f:q", 6, "DeleteColumn"), ("f:q", 5, "Put")]
    with pytest.raises(rs.errors.UsageError, match="raw scan"):
        list(t.scan(raw=True, columns=["f:q"]))


@checklist("131", clause="the same raw cells after put, flush and major compaction")
def test_the_guides_run(db: rs.Database) -> None:
    t = make(db, e=KEEPING)
    for timestamp in (10, 12, 14):
        t.put("r1", {"e:c1": f"value{timestamp}"}, timestamp=timestamp)
    t.delete("r1", ["e:c1"], timestamp=11)
    expected = [
        ("e:c1", 14, "Put"),
        ("e:c1", 12, "Put"),
        ("e:c1", 11, "DeleteColumn"),
        ("e:c1", 10, "Put"),
    ]
    assert raw(t) == expected
    db.admin.flush("t")
    assert raw(t) == expected
    db.admin.major_compact("t")
    assert raw(t) == expected
    assert contents(t.get("r1", versions=10)) == [(b"e:c1", 14, b"value14"), (b"e:c1", 12, b"value12")]


@checklist("132", clause="with TTL marker and masked cells go when the marker is old")
def test_kept_cells_go_with_an_old_marker(db: rs.Database, clock: ManualClock) -> None:
    t = make(db, f=rs.Family(max_versions=10, keep_deleted_cells="TTL", ttl_seconds=60, min_versions=1))
    t.put("r", {"f:q": "masked"})
    clock.advance(1)
    t.delete("r", ["f:q"])
    clock.advance(1)
    t.put("r", {"f:q": "newer"})
    everything = [
        ("f:q", START_MS + 2, "Put"),
        ("f:q", START_MS + 1, "DeleteColumn"),
        ("f:q", START_MS, "Put"),
    ]
    db.admin.flush("t")
    clock.advance(59_000)
    db.admin.major_compact("t")
    assert raw(t) == everything
    clock.advance(2_000)
    db.admin.major_compact("t")
    assert raw(t) == everything[:1]
