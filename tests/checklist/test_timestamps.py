"""Timestamps: chosen by the clock or by the caller, 64 bits, any order (checklist 026-029, 031, 033, 034)."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, contents, make, stamps, texts

LATEST = 2**63 - 1


@checklist("026", clause="every returned cell has an integer timestamp")
def test_every_cell_has_a_timestamp(t: rs.Table) -> None:
    t.put("r", {"f:a": "v", "f:b": "v"})
    t.increment("r", "f:n")
    t.append("r", "f:a", "w")
    found = [cell.timestamp for cell in t.get("r").cells]
    assert len(found) == 3
    assert all(type(timestamp) is int for timestamp in found)
    assert t.get("r").timestamp("f:b") == START_MS


@checklist("027", clause="a cell gets the clock's time")
def test_the_default_timestamp_is_now(t: rs.Table, clock: ManualClock) -> None:
    clock.set(1_700_000_000_123)
    t.put("r", {"f:q": "v"})
    assert t.get("r").timestamp("f:q") == 1_700_000_000_123


@checklist("028", clause="any number from the past to the far future")
@pytest.mark.parametrize("timestamp", [0, 1, 555, START_MS + 10**9, 2**62, LATEST - 1])
def test_the_caller_chooses_the_timestamp(t: rs.Table, timestamp: int) -> None:
    t.put("r", {"f:q": "v"}, timestamp=timestamp)
    assert stamps(t.get("r")) == [timestamp]


@checklist("084", clause="one put stores both")
@checklist("028", clause="each column of a put its own")
def test_each_column_may_have_its_own_timestamp(t: rs.Table) -> None:
    t.put("r", [("f:a", "v", 1), ("f:b", "w", 9), ("f:c", "x")])
    assert contents(t.get("r")) == [(b"f:a", 1, b"v"), (b"f:b", 9, b"w"), (b"f:c", START_MS, b"x")]


@checklist("028", clause="negative ones are refused")
def test_negative_timestamps_are_refused(t: rs.Table) -> None:
    with pytest.raises(rs.errors.InvalidArgument, match="-1"):
        t.put("r", {"f:q": "v"}, timestamp=-1)
    with pytest.raises(rs.errors.InvalidArgument, match="-1"):
        t.put("r", [("f:q", "v", -1)])
    assert not t.exists("r")


@checklist("029", clause="the greatest one means now")
def test_the_greatest_timestamp_means_now(t: rs.Table) -> None:
    t.put("r", {"f:q": "v"}, timestamp=LATEST)
    assert stamps(t.get("r")) == [START_MS]


@checklist("029", clause="a larger one is refused")
def test_timestamps_have_64_bits(t: rs.Table) -> None:
    with pytest.raises(OverflowError) as refused:
        t.put("r", {"f:q": "v"}, timestamp=LATEST + 1)
    assert isinstance(refused.value, rs.errors.UsageError)
    assert not t.exists("r")


@checklist("031", clause="two puts in one millisecond are one version")
def test_two_puts_in_one_millisecond_collide(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=10))
    t.put("r", {"f:q": "first"})
    t.put("r", {"f:q": "last"})
    assert contents(t.get("r", versions=10)) == [(b"f:q", START_MS, b"last")]


@checklist("031", clause="unique timestamps can be asked for")
def test_unique_timestamps_increase(clock: ManualClock) -> None:
    configuration = {**QUIET, "rowstone.unique.timestamps": True}
    with rs.connect(":memory:", clock=clock, configuration=configuration) as db:
        t = make(db, f=rs.Family(max_versions=10))
        for number in range(5):
            t.put("r", {"f:q": str(number)})
        row = t.get("r", versions=10)
        assert texts(row) == ["4", "3", "2", "1", "0"]
        assert sorted(set(stamps(row)), reverse=True) == stamps(row)


@checklist("033", clause="a hundred thousand come back in pages")
def test_unlimited_versions_come_back_in_pages(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=2_147_483_647))
    count = 100_000
    with t.batch() as batch:
        for timestamp in range(1, count + 1):
            batch.put("r", {"f:q": b"v"}, timestamp=timestamp)
            if timestamp == count // 2:
                batch.flush()
                db.admin.flush("t")
    read: list[int] = []
    with t.scan(versions=None, batch=1_000) as pages:
        for page in pages:
            assert len(page.cells) <= 1_000
            read.extend(stamps(page))
    assert read == list(range(count, 0, -1))


@checklist("034", clause="reads order them by version")
def test_versions_may_be_written_in_any_order(db: rs.Database) -> None:
    t = make(db, f=rs.Family(max_versions=3))
    for timestamp in (10, 30, 20):
        t.put("r", {"f:q": f"at {timestamp}"}, timestamp=timestamp)
    assert t.get("r")["f:q"] == b"at 30"
    assert texts(t.get("r", versions=3)) == ["at 30", "at 20", "at 10"]
