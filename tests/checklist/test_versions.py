"""Versions: how many, which one a read returns, what overwrites (checklist 072-086)."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, contents, keys, make, raw_puts, stamps, texts

DAY_MS = 86_400_000


def put_versions(t: rs.Table, *timestamps: int, column: str = "f:q") -> None:
    for timestamp in timestamps:
        t.put("r", {column: f"at {timestamp}"}, timestamp=timestamp)


@checklist("072", clause="a new family keeps one and says so")
def test_one_version_is_kept_by_default(t: rs.Table) -> None:
    put_versions(t, 1, 2)
    assert stamps(t.get("r", versions=10)) == [2]
    assert "VERSIONS => '1'" in str(t.schema)


@checklist("072", clause="compat 0.94 makes it three")
def test_the_default_of_old_hbase(clock: ManualClock) -> None:
    with rs.connect(":memory:", clock=clock, compat="0.94") as db:
        t = make(db, f={}, one=rs.Family(max_versions=1))
        put_versions(t, 1, 2, 3, 4)
        assert stamps(t.get("r", versions=10)) == [4, 3, 2]
        assert "VERSIONS => '3'" in str(t.schema)
        assert t.schema.family("one").max_versions == 1
    with pytest.raises(rs.errors.InvalidArgument, match=r"0\.90"):
        rs.connect(":memory:", compat="0.90")


@checklist("072", clause="the docs say which source says what")
def test_the_docs_say_which_source_says_what() -> None:
    page = (Path(__file__).parents[2] / "docs/explanation/sources.md").read_text(encoding="utf-8")
    [line] = [line for line in page.splitlines() if line.startswith("| default number of versions")]
    assert all(word in line for word in ("0.94", "0.96", "reference card", "Data Model", 'compat="0.94"'))


@checklist("073", clause="two families keep their own numbers")
def test_the_number_of_versions_is_the_familys(db: rs.Database) -> None:
    t = make(db, one=rs.Family(max_versions=1), five=rs.Family(max_versions=5))
    for timestamp in range(1, 8):
        t.put("r", {"one:q": "v", "five:q": "v"}, timestamp=timestamp)
    assert stamps(t.get("r", "one", versions=10)) == [7]
    assert stamps(t.get("r", "five", versions=10)) == [7, 6, 5, 4, 3]
    db.admin.flush("t")
    db.admin.major_compact("t")
    assert sorted(raw_puts(t)) == [3, 4, 5, 6, 7, 7]


@checklist("074", clause="after alter the newest five are kept")
def test_alter_changes_the_number_of_versions(db: rs.Database) -> None:
    t = make(db, f={})
    db.admin.alter_table("t", families={"f": {"max_versions": 5}})
    put_versions(t, 1, 2, 3, 4, 5, 6)
    assert stamps(t.get("r", versions=10)) == [6, 5, 4, 3, 2]


@checklist("075", clause="a new family has it, an old one keeps its own")
def test_the_default_of_new_families(tmp_path: Path, clock: ManualClock) -> None:
    with rs.connect(tmp_path / "db", clock=clock) as db:
        make(db, old={})
    with rs.connect(tmp_path / "db", clock=clock, configuration={"hbase.column.max.version": 4}) as db:
        db.admin.alter_table("t", families={"new": {}})
        versions = {name: family.max_versions for name, family in db.admin.describe("t").families.items()}
        assert versions == {b"new": 4, b"old": 1}
        u = make(db, name="u", f={})
        put_versions(u, 1, 2, 3, 4, 5)
        assert stamps(u.get("r", versions=10)) == [5, 4, 3, 2]


@checklist("076", clause="describe shows both")
@checklist("121", clause="describe shows it")
def test_minimum_versions_are_shown(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=5))
    assert "MIN_VERSIONS => '0'" in str(t.schema)
    db.admin.alter_table("t", families={"f": {"min_versions": 2}})
    assert "MIN_VERSIONS => '2'" in str(t.schema)
    assert t.schema.family("f").max_versions == 5


@checklist("077", clause="reads are bounded at once, raw scans after it")
def test_excess_versions_go_at_a_major_compaction(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=3))
    for timestamp in range(1, 6):
        put_versions(t, timestamp)
        db.admin.flush("t")
    assert stamps(t.get("r", versions=10)) == [5, 4, 3]
    assert raw_puts(t) == [5, 4, 3, 2, 1]
    db.admin.major_compact("t")
    assert raw_puts(t) == [5, 4, 3]
    assert stamps(t.get("r", versions=10)) == [5, 4, 3]


@checklist("078", clause="not the one written last")
def test_get_returns_the_largest_version(t: rs.Table) -> None:
    t.put("r", {"f:q": "a"}, timestamp=20)
    t.put("r", {"f:q": "b"}, timestamp=10)
    assert t.get("r")["f:q"] == b"a"


@checklist("079", clause="newest first, the newest as the value")
def test_a_read_may_ask_for_versions(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    put_versions(t, 1, 2, 3, 4)
    row = t.get("r", "f:q", versions=3)
    assert row["f:q"] == b"at 4"
    assert [cell.value for cell in row.versions("f:q")] == [b"at 4", b"at 3", b"at 2"]


@checklist("080", clause="the newest in a half-open range")
@checklist("080", clause="as_of includes its moment")
def test_a_time_range_selects_versions(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    put_versions(t, 10, 20, 30)
    assert stamps(t.get("r", time_range=(0, 21))) == [20]
    assert stamps(t.get("r", time_range=(0, 20))) == [10]
    assert stamps(t.get("r", time_range=(10, 30), versions=10)) == [20, 10]
    assert stamps(t.as_of(20).get("r")) == [20]
    assert stamps(t.as_of(19).get("r")) == [10]
    assert not t.as_of(9).get("r")


@checklist("080", clause="the open end is documented")
def test_the_open_end_is_documented() -> None:
    assert "half-open" in (rs.Table.__doc__ or "")
    assert "half-open" in (Path(__file__).parents[2] / "docs/explanation/sources.md").read_text(encoding="utf-8")


@checklist("081", clause="in memory, across files and after a compaction")
@pytest.mark.parametrize("flushes", [(), (0,), (0, 1)])
def test_the_last_write_at_a_version_counts(db: rs.Database, flushes: tuple[int, ...]) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    for number, value in enumerate("ab"):
        t.put("r", {"f:q": value}, timestamp=5)
        if number in flushes:
            db.admin.flush("t")
    assert contents(t.get("r", versions=10)) == [(b"f:q", 5, b"b")]
    db.admin.flush("t")
    db.admin.major_compact("t")
    assert contents(t.get("r", versions=10)) == [(b"f:q", 5, b"b")]
    assert raw_puts(t) == [5]


@checklist("082", clause="the later write counts")
def test_a_version_can_be_overwritten_after_a_compaction(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    t.put("r", {"f:q": "a"}, timestamp=5)
    db.admin.flush("t")
    db.admin.major_compact("t")
    t.put("r", {"f:q": "b"}, timestamp=5)
    assert texts(t.get("r", versions=10)) == ["b"]
    db.admin.flush("t")
    assert texts(t.get("r", versions=10)) == ["b"]
    db.admin.major_compact("t")
    assert texts(t.get("r", versions=10)) == ["b"]


@checklist("083", clause="a new one with its own timestamp, none with a used one")
def test_put_makes_a_version(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    put_versions(t, 1, 2)
    assert stamps(t.get("r", versions=10)) == [2, 1]
    put_versions(t, 2)
    assert stamps(t.get("r", versions=10)) == [2, 1]


@checklist("085", clause="an old timestamp is expired at once")
def test_an_old_timestamp_is_expired_at_once(db: rs.Database) -> None:
    t = make(db, f=rs.Family(ttl_seconds=60))
    t.put("r", {"f:q": "v"}, timestamp=555)
    assert not t.exists("r")
    t.put("r", {"f:q": "v"}, timestamp=START_MS - 59_000)
    assert t.exists("r")


@checklist("086", clause="each per family")
def test_two_ways_to_bound_versions(clock: ManualClock) -> None:
    with rs.connect(":memory:", clock=clock, configuration=QUIET) as db:
        t = make(db, last=rs.Family(max_versions=3), recent=rs.Family(max_versions=100, ttl_seconds=604_800))
        for day in range(10):
            t.put("r", {"last:q": str(day), "recent:q": str(day)})
            clock.advance(DAY_MS)
        clock.advance(-1)
        assert texts(t.get("r", "last", versions=100)) == ["9", "8", "7"]
        assert texts(t.get("r", "recent", versions=100)) == ["9", "8", "7", "6", "5", "4", "3"]
        clock.advance(30 * DAY_MS)
        assert texts(t.get("r", versions=100)) == ["9", "8", "7"]
        assert keys(t, columns=["recent"]) == []
