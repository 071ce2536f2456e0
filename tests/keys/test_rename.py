"""A row under another key: every version, or nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, contents


@pytest.fixture
def t() -> Iterator[rs.Table]:
    """A table of three versions, at a standing clock."""
    with rs.connect(":memory:", clock=ManualClock(START_MS), configuration=QUIET) as db:
        db.create_table("t", {"f": rs.Family(max_versions=3), "g": {}})
        yield db.table("t")


def filled(t: rs.Table, row: str) -> list[tuple[bytes, int, bytes]]:
    for timestamp in (10, 20, 30):
        t.put(row, {"f:a": f"{row} {timestamp}"}, timestamp=timestamp)
    t.put(row, {"f:b": "b"}, timestamp=15)
    t.put(row, {"g:c": "c"})
    return contents(t.get(row, versions=None))


@checklist("174", clause="all versions move with their timestamps")
def test_all_versions_move_with_their_timestamps(t: rs.Table) -> None:
    before = filled(t, "a")
    assert t.rename_row("a", "b") == len(before) == 5
    assert contents(t.get("b", versions=None)) == before
    assert list(t) == [b"b"]
    assert not t.get("a", versions=None)


@checklist("174", clause="a row that is there is refused, or replaced if told")
def test_a_row_that_is_there_is_refused_or_replaced(t: rs.Table) -> None:
    before = filled(t, "a")
    t.put("b", {"f:a": "5", "f:other": "5"}, timestamp=5)
    t.put("b", {"f:a": "30, of b"}, timestamp=30)
    t.put("b", {"g:c": "future"}, timestamp=START_MS + 5)
    t.put("b", {"g:c": "older"}, timestamp=7)
    there = contents(t.get("b", versions=None))
    with pytest.raises(errors.ExistsError, match="replace=True"):
        t.rename_row("a", "b")
    assert contents(t.get("b", versions=None)) == there
    assert contents(t.get("a", versions=None)) == before
    assert t.rename_row("a", "b", replace=True) == 5
    assert contents(t.get("b", versions=None)) == before
    assert list(t) == [b"b"]


def test_markers_of_an_earlier_row_are_not_overlooked(t: rs.Table) -> None:
    """Otherwise the copies would be invisible, and then the row would be lost."""
    before = filled(t, "a")
    t.put("b", {"f:a": "old"})
    t.delete("b")
    with pytest.raises(errors.StateError, match="major compaction"):
        t.rename_row("a", "b")
    assert contents(t.get("a", versions=None)) == before
    t.delete("c", "f:other")
    t.delete("c", "f:a", version=11)
    t.rename_row("a", "c")
    assert contents(t.get("c", versions=None)) == before


def test_the_old_key_can_be_written_after_a_rename(t: rs.Table) -> None:
    t.put("a", {"f:q": "v"}, timestamp=10)
    t.rename_row("a", "b")
    t.put("a", {"f:q": "new"}, timestamp=11)
    assert t.get("a")["f:q"] == b"new"


def test_times_to_live_move_along(t: rs.Table) -> None:
    t.put("a", {"f:q": "v"}, ttl_ms=60_000)
    t.put("a", {"f:r": "v"})
    tags = {cell.column: cell.tags for cell in t.get("a").cells}
    assert tags[b"f:q"]
    t.rename_row("a", "b")
    assert {cell.column: cell.tags for cell in t.get("b").cells} == tags


def test_renaming_needs_a_row_and_another_key(t: rs.Table) -> None:
    with pytest.raises(errors.NotFoundError, match="no row 'a'"):
        t.rename_row("a", "b")
    t.put("a", {"f:q": "v"})
    with pytest.raises(errors.InvalidArgument, match="that key already"):
        t.rename_row("a", "a")
