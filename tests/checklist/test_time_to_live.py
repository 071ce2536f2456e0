"""Time to live of families and cells, and minimum versions (checklist 088, 109, 110, 112-120, 122-124)."""

from __future__ import annotations

from typing import Any

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, damage_data_blocks, file_paths, keys, make, raw, stamps


@checklist("109", clause="visible just before, invisible just after")
@pytest.mark.parametrize("in_file", [False, True])
def test_a_familys_ttl_is_in_seconds(db: rs.Database, clock: ManualClock, in_file: bool) -> None:
    t = make(db, f=rs.Family(ttl_seconds=10))
    t.put("r", {"f:q": "v"})
    if in_file:
        db.admin.flush("t")
    clock.advance(9_999)
    assert t.exists("r")
    clock.advance(2)
    assert not t.exists("r")
    assert keys(t) == []


@checklist("110", clause="a row of old versions vanishes")
def test_ttl_applies_to_all_versions(db: rs.Database, clock: ManualClock) -> None:
    t = make(db, f=rs.Family(max_versions=3, ttl_seconds=10))
    for age in (3_000, 2_000, 1_000):
        t.put("r", {"f:q": "v"}, timestamp=START_MS - age)
    assert len(t.get("r", versions=3).cells) == 3
    clock.advance(8_500)
    assert stamps(t.get("r", versions=3)) == [START_MS - 1_000]
    clock.advance(501)
    assert not t.exists("r", versions=3)
    assert keys(t) == []


@checklist("112", clause="describe says FOREVER and writes periods out")
def test_schema_text_describes_the_ttl(db: rs.Database) -> None:
    t = make(db, a={}, b=rs.Family(ttl_seconds=604_800), c=rs.Family(ttl_seconds=2_147_483_647))
    first, second, third = str(t.schema).splitlines()[1:]
    assert "TTL => 'FOREVER'" in first
    assert "TTL => '604800 SECONDS (7 DAYS)'" in second
    assert "TTL => 'FOREVER'" in third
    t.put("r", {"a:q": "v"}, timestamp=1)
    assert t.exists("r")


def _two_files(db: rs.Database, clock: ManualClock, **family: Any) -> rs.Table:
    """A file whose cells have expired and a younger one."""
    t = make(db, f=rs.Family(max_versions=5, ttl_seconds=10, **family))
    for key in ("old", "young"):
        t.put(key, {"f:q": "v"})
        db.admin.flush("t")
        clock.advance(6_000)
    return t


@checklist("113", clause="the file is removed without being read")
def test_files_of_expired_cells_are_dropped(disk: rs.Database, clock: ManualClock) -> None:
    t = _two_files(disk, clock)
    old, young = sorted(disk.admin.tables.store_files("t"), key=lambda file: file.max_sequence_id)
    [damaged] = [path for path in file_paths(disk, "t") if str(path) == old.path]
    damage_data_blocks(damaged)
    disk.admin.compact("t")
    assert [file.path for file in disk.admin.tables.store_files("t")] == [young.path]
    assert keys(t) == [b"young"]


@checklist("114", clause="the file is not dropped whole")
def test_a_setting_keeps_expired_files(clock: ManualClock) -> None:
    configuration = {**QUIET, "hbase.store.delete.expired.storefile": False}
    with rs.connect(":memory:", clock=clock, configuration=configuration) as db:
        t = _two_files(db, clock)
        before = [file.path for file in db.admin.tables.store_files("t")]
        db.admin.compact("t")
        assert [file.path for file in db.admin.tables.store_files("t")] == before
        assert keys(t) == [b"young"]


@checklist("115", clause="the file is not dropped whole")
def test_minimum_versions_keep_expired_files(db: rs.Database, clock: ManualClock) -> None:
    t = _two_files(db, clock, min_versions=1)
    before = [file.path for file in db.admin.tables.store_files("t")]
    db.admin.compact("t")
    assert [file.path for file in db.admin.tables.store_files("t")] == before
    assert keys(t) == [b"old", b"young"]


@checklist("116", clause="put")
@checklist("116", clause="append")
@checklist("116", clause="increment")
@checklist("118", clause="1500 expires after a second and a half")
@pytest.mark.parametrize("operation", ["put", "append", "increment"])
def test_a_mutation_may_have_a_ttl(t: rs.Table, clock: ManualClock, operation: str) -> None:
    if operation == "put":
        t.put("r", {"f:q": "v"}, ttl_ms=1_500)
    elif operation == "append":
        t.append("r", "f:q", "v", ttl_ms=1_500)
    else:
        t.increment("r", "f:q", 1, ttl_ms=1_500)
    clock.advance(1_500)
    assert t.exists("r")
    clock.advance(1)
    assert not t.exists("r")


@checklist("117", clause="three columns expire together")
def test_a_ttl_applies_to_all_cells_of_the_mutation(db: rs.Database, clock: ManualClock) -> None:
    t = make(db, f={}, g={})
    t.put("r", {"f:a": "v", "f:b": "v", "g:c": "v"}, ttl_ms=1_000)
    t.put("r", {"f:stays": "v"})
    clock.advance(1_000)
    assert len(t.get("r")) == 4
    clock.advance(1)
    assert list(t.get("r")) == [b"f:stays"]


@checklist("119", clause="gone at the family's time")
def test_a_cells_ttl_cannot_outlive_the_familys(db: rs.Database, clock: ManualClock) -> None:
    t = make(db, f=rs.Family(ttl_seconds=10))
    t.put("r", {"f:q": "v"}, ttl_ms=60_000)
    clock.advance(10_000)
    assert t.exists("r")
    clock.advance(1)
    assert not t.exists("r")


@checklist("120", clause="absent from get, scan, exists and count")
@checklist("120", clause="absent from files after a major compaction")
def test_expiry_is_part_of_reads_and_of_compaction(db: rs.Database, clock: ManualClock) -> None:
    t = make(db, f=rs.Family(ttl_seconds=10), g={})
    t.put("expired", {"f:q": "v"})
    t.put("cell", {"g:q": "v"}, ttl_ms=10_000)
    t.put("stays", {"g:q": "v"})
    db.admin.flush("t")
    assert len(raw(t)) == 3
    clock.advance(10_001)
    assert not t.get("expired")
    assert not t.get("cell")
    assert t.exists_many(["expired", "cell", "stays"]) == [False, False, True]
    assert keys(t) == [b"stays"]
    assert sum(1 for _ in t) == 1
    assert db.admin.metrics.stats("t")["store_file_cells"] == 3
    db.admin.major_compact("t")
    assert db.admin.metrics.stats("t")["store_file_cells"] == 1
    assert [entry[0] for entry in raw(t)] == ["g:q"]


@checklist("088", clause="as 122")
@checklist("122", clause="of four old versions two stay")
@checklist("122", clause="of one fresh and three old two stay")
@pytest.mark.parametrize("compacted", [False, True])
def test_the_last_period_at_most_n_at_least_m(db: rs.Database, compacted: bool) -> None:
    t = make(db, f=rs.Family(ttl_seconds=60, max_versions=5, min_versions=2))
    ages = {"old": (61, 62, 63, 64), "mixed": (1, 61, 62, 63), "fresh": (1, 2, 3, 4, 5, 6)}
    for key, seconds in ages.items():
        for age in seconds:
            t.put(key, {"f:q": "v"}, timestamp=START_MS - age * 1_000)
    if compacted:
        db.admin.flush("t")
        db.admin.major_compact("t")
    kept = {key: [(START_MS - stamp) // 1_000 for stamp in stamps(t.get(key, versions=10))] for key in ages}
    assert kept == {"old": [61, 62], "mixed": [1, 61], "fresh": [1, 2, 3, 4, 5]}


@checklist("123", clause="refused")
def test_the_minimum_may_not_exceed_the_maximum(db: rs.Database) -> None:
    with pytest.raises(rs.errors.InvalidArgument, match="Min versions for column family f must be less"):
        db.create_table("t", {"f": rs.Family(max_versions=3, min_versions=4, ttl_seconds=60)})
    assert db.create_table("t", {"f": rs.Family(max_versions=3, min_versions=3, ttl_seconds=60)})
    with pytest.raises(rs.errors.InvalidArgument):
        db.admin.alter_table("t", families={"f": {"max_versions": 2}})


@checklist("124", clause="accepted without")
def test_a_minimum_without_a_ttl_is_accepted(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=3, min_versions=1))
    t.put("r", {"f:q": "v"}, timestamp=1)
    assert t.exists("r")
