"""Delete markers: what they mask, how long they stay, and the two oddities (checklist 089-107)."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import HOUR_MS, QUIET, START_MS, keys, make, raw, raw_puts, stamps, texts
from tests.checklist.test_versions import put_versions


@pytest.fixture
def many(db: rs.Database) -> rs.Table:
    """A table whose family keeps ten versions."""
    return make(db, f=rs.Family(max_versions=10))


def flush_and_compact(db: rs.Database) -> None:
    """Flush and major compaction."""
    db.admin.flush("t")
    db.admin.major_compact("t")


@checklist("089", clause="a raw scan shows each type")
def test_the_types_of_markers(many: rs.Table) -> None:
    many.put("r", {"f:a": "v"}, timestamp=10)
    many.delete("r", ["f:a"], version=10)
    many.delete("r", ["f:a"], timestamp=11)
    many.delete("r", ["f"], timestamp=12)
    many.delete("r", ["f"], version=13)
    assert raw(many) == [
        ("f:", 13, "DeleteFamilyVersion"),
        ("f:", 12, "DeleteFamily"),
        ("f:a", 11, "DeleteColumn"),
        ("f:a", 10, "Delete"),
        ("f:a", 10, "Put"),
    ]


@checklist("090", clause="two families of fifty columns, two markers")
def test_a_rows_delete_is_a_marker_per_family(db: rs.Database) -> None:
    t = make(db, f={}, g={})
    t.put("r", {f"{family}:{number}": "v" for family in "fg" for number in range(50)}, timestamp=5)
    t.delete("r", timestamp=6)
    markers = [entry for entry in raw(t) if entry[2] != "Put"]
    assert markers == [("f:", 6, "DeleteFamily"), ("g:", 6, "DeleteFamily")]
    assert not t.exists("r")


@checklist("091", clause="a column's delete takes that and older ones")
@checklist("091", clause="a version's delete takes one")
def test_a_delete_carries_a_version(many: rs.Table) -> None:
    put_versions(many, 10, 20, 30)
    put_versions(many, 10, 20, 30, column="f:other")
    many.delete("r", ["f:q"], timestamp=20)
    many.delete("r", ["f:other"], version=20)
    assert stamps(many.get("r", "f:q", versions=10)) == [30]
    assert stamps(many.get("r", "f:other", versions=10)) == [30, 10]
    many.delete("r", ["f:other"])
    assert raw(many)[0] == ("f:other", START_MS, "DeleteColumn")
    assert not many.exists("r", "f:other")


@checklist("092", clause="the value is gone from reads, not from raw scans")
def test_a_marker_masks(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"}, timestamp=5)
    t.delete("r", ["f:q"], timestamp=6)
    assert not t.get("r")
    assert raw(t) == [("f:q", 6, "DeleteColumn"), ("f:q", 5, "Put")]


@checklist("093", clause="a raw scan shows neither")
@checklist("097", clause="gone without, there with")
@pytest.mark.parametrize("kept", [False, True])
def test_a_major_compaction_removes_values_and_markers(db: rs.Database, kept: bool) -> None:
    t = make(db, f=rs.Family(keep_deleted_cells=str(kept).upper()))
    t.put("r", {"f:q": "v"}, timestamp=5)
    t.delete("r", ["f:q"], timestamp=6)
    before = raw(t)
    assert len(before) == 2
    flush_and_compact(db)
    assert raw(t) == (before if kept else [])
    assert not t.exists("r")


@checklist("094", clause="the guide's example after flush and after major compaction")
def test_the_guides_example(db: rs.Database, many: rs.Table) -> None:
    put_versions(many, 10, 12, 14)
    many.delete("r", ["f:q"], timestamp=11)
    column = "f:q"
    put, marker = (column, 10, "Put"), (column, 11, "DeleteColumn")
    newer = [(column, 14, "Put"), (column, 12, "Put")]
    assert raw(many) == [*newer, marker, put]
    db.admin.flush("t")
    assert raw(many) == [*newer, marker]
    put_versions(many, 16)
    db.admin.flush("t")
    db.admin.major_compact("t")
    assert raw(many) == [(column, 16, "Put"), *newer]


@checklist("094", clause="the guide's example after flush and after major compaction")
def test_a_minor_compaction_keeps_markers(clock: ManualClock) -> None:
    """If three of four files are selected, the marker in the newest of them stays and the masked cell is removed."""
    configuration = {**QUIET, "hbase.hstore.compaction.max": 3}
    with rs.connect(":memory:", clock=clock, configuration=configuration) as db:
        t = make(db, f=rs.Family(max_versions=10))
        t.put("big", {"f:q": b"v" * 5_000}, timestamp=1)
        db.admin.flush("t")
        put_versions(t, 10)
        db.admin.flush("t")
        t.delete("r", ["f:q"], timestamp=11)
        db.admin.flush("t")
        put_versions(t, 12)
        db.admin.flush("t")
        assert [entry[1] for entry in raw(t, start="r")] == [12, 11, 10]
        db.admin.compact("t")
        assert len(db.admin.tables.store_files("t")) == 2
        assert raw(t, start="r") == [("f:q", 12, "Put"), ("f:q", 11, "DeleteColumn")]


@checklist("095", clause="the row is gone")
def test_a_version_above_all_deletes_the_row(db: rs.Database) -> None:
    family = rs.Family(max_versions=10)
    t = make(db, f=family, g=family)
    for timestamp in (1, 250, 500):
        t.put("r", {"f:a": "v", "f:b": "v", "g:c": "v"}, timestamp=timestamp)
    t.delete("r", timestamp=999)
    assert not t.exists("r")
    assert keys(t) == []


@checklist("096", clause="the second put is masked without an error")
def test_put_deleteall_put_with_one_old_timestamp(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"}, timestamp=1)
    t.delete("r")
    t.put("r", {"f:q": "again"}, timestamp=1)
    assert not t.get("r")


@checklist("098", clause="gone at the next major compaction")
def test_markers_of_the_future_go_too(db: rs.Database, t: rs.Table) -> None:
    t.put("r", {"f:q": "v"})
    t.delete("r", ["f:q"], timestamp=START_MS + HOUR_MS)
    flush_and_compact(db)
    assert raw(t) == []


@checklist("099", clause="kept before, gone after")
def test_markers_stay_until_their_time_and_a_delay(clock: ManualClock) -> None:
    configuration = {**QUIET, "hbase.hstore.time.to.purge.deletes": 5_000}
    with rs.connect(":memory:", clock=clock, configuration=configuration) as db:
        t = make(db, f={})
        t.put("r", {"f:q": "v"})
        marker = ("f:q", START_MS + HOUR_MS, "DeleteColumn")
        t.delete("r", ["f:q"], timestamp=START_MS + HOUR_MS)
        flush_and_compact(db)
        assert raw(t) == [marker]
        clock.set(START_MS + HOUR_MS + 4_900)
        db.admin.major_compact("t")
        assert raw(t) == [marker]
        clock.set(START_MS + HOUR_MS + 5_100)
        db.admin.major_compact("t")
        assert raw(t) == []


@checklist("100", clause="a put below the marker is not seen")
@checklist("101", clause="a raw scan shows it")
@checklist("102", clause="the same put is visible")
def test_deletes_mask_puts_made_later(db: rs.Database, t: rs.Table) -> None:
    t.put("r", {"f:q": "old"}, timestamp=5)
    t.delete("r", ["f:q"], timestamp=100)
    t.put("r", {"f:q": "late"}, timestamp=99)
    assert not t.get("r")
    assert ("f:q", 99, "Put") in raw(t)
    flush_and_compact(db)
    assert raw(t) == []
    t.put("r", {"f:q": "late"}, timestamp=99)
    assert texts(t.get("r")) == ["late"]


@checklist("103", clause="a put a millisecond later is visible")
def test_increasing_versions_have_no_problem(t: rs.Table, clock: ManualClock) -> None:
    t.put("r", {"f:q": "old"})
    t.delete("r")
    clock.advance(1)
    t.put("r", {"f:q": "new"})
    assert texts(t.get("r")) == ["new"]


@checklist("104", clause="the put is lost")
@checklist("104", clause="with new version behavior it is not")
@pytest.mark.parametrize("in_file", [False, True])
def test_delete_and_put_in_one_millisecond(db: rs.Database, in_file: bool) -> None:
    t = make(db, f={}, n=rs.Family(new_version_behavior=True))
    t.put("r", {"f:q": "old", "n:q": "old"})
    t.delete("r")
    t.put("r", {"f:q": "new", "n:q": "new"})
    if in_file:
        db.admin.flush("t")
    assert dict(t.get("r")) == {b"n:q": b"new"}


@checklist("105", clause="a deleted version lets an older one return")
def test_a_deleted_version_lets_an_older_one_return(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=2))
    put_versions(t, 1, 2, 3)
    assert stamps(t.get("r", versions=2)) == [3, 2]
    t.delete("r", ["f:q"], version=3)
    assert stamps(t.get("r", versions=2)) == [2, 1]


@checklist("106", clause="nothing returns after it")
def test_nothing_returns_after_a_major_compaction(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=2))
    for timestamp in (1, 2, 3):
        put_versions(t, timestamp)
        db.admin.flush("t")
    assert raw_puts(t) == [3, 2, 1]
    db.admin.major_compact("t")
    t.delete("r", ["f:q"], version=3)
    assert stamps(t.get("r", versions=2)) == [2]


@checklist("106", clause="nothing returns when a flush already dropped it")
def test_nothing_returns_after_a_common_flush(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=2))
    put_versions(t, 1, 2, 3)
    db.admin.flush("t")
    assert raw_puts(t) == [3, 2]
    t.delete("r", ["f:q"], version=3)
    assert stamps(t.get("r", versions=2)) == [2]


@checklist("107", clause="answers are the same before and after compaction")
def test_new_version_behavior_undoes_both_oddities(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=2, new_version_behavior=True))
    t.put("masked", {"f:q": "old"}, timestamp=5)
    t.delete("masked", ["f:q"], timestamp=100)
    t.put("masked", {"f:q": "late"}, timestamp=99)
    put_versions(t, 1, 2, 3)
    t.delete("r", ["f:q"], version=3)

    def answers() -> tuple[list[str], list[int]]:
        return texts(t.get("masked", versions=2)), stamps(t.get("r", versions=2))

    expected = (["late"], [2])
    assert answers() == expected
    db.admin.flush("t")
    assert answers() == expected
    db.admin.major_compact("t")
    assert answers() == expected


@checklist("107", clause="answers are the same before and after compaction")
def test_nothing_deleted_returns_after_a_compaction_beside_a_scan(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=2, new_version_behavior=True))
    for index in range(3):
        t.put(f"large{index}", {"f:q": b"x" * 1_000_000})
    for row in ("r", "shown"):
        t.put(row, {"f:q": "old"}, timestamp=10)
    t.delete("r", ["f:q"], timestamp=10)
    with t.scan(caching=1) as rows:
        assert next(rows).key == b"large0"
        t.put("r", {"f:q": "new"}, timestamp=5)
        t.delete("shown")
        flush_and_compact(db)
        assert texts(t.get("r", versions=2)) == ["new"]
        assert [row.key for row in rows] == [b"large1", b"large2", b"shown"]


@checklist("107", clause="the cost is documented")
def test_the_cost_of_new_version_behavior_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/explanation/sources.md").read_text(encoding="utf-8")
    [paragraph] = [part for part in page.split("\n\n") if "new_version_behavior=True" in part]
    assert "0 to 25 %" in paragraph
