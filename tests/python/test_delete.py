"""Deletes: the versions that they hide, and the markers in a raw scan."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone.testing import ManualClock


@pytest.fixture
def versions(t: rs.Table) -> rs.Table:
    """Versions 10, 20, 30 of `f:a`; 10, 20, 30 of `f:b`; 30 of `g:a`."""
    for timestamp in (10, 20, 30):
        t.put("r", {"f:a": str(timestamp), "f:b": str(timestamp)}, timestamp=timestamp)
    t.put("r", {"g:a": "30"}, timestamp=30)
    return t


def remaining(t: rs.Table) -> dict[bytes, list[int]]:
    row = t.get("r", versions=None)
    return {column: [cell.timestamp for cell in row.versions(column)] for column in row}


def markers(t: rs.Table) -> list[tuple[str, bytes, int]]:
    cells = [cell for row in t.scan(raw=True, versions=None) for cell in row.cells]
    return [(cell.type, cell.column, cell.timestamp) for cell in cells if cell.type != "Put"]


def test_a_column_up_to_now(versions: rs.Table, clock: ManualClock) -> None:
    """checklist 089, 091"""
    versions.delete("r", "f:a")
    assert remaining(versions) == {b"f:b": [30, 20, 10], b"g:a": [30]}
    assert markers(versions) == [("DeleteColumn", b"f:a", clock.now)]


def test_a_column_up_to_a_timestamp(versions: rs.Table) -> None:
    """checklist 091: hides every version up to it."""
    versions.delete("r", ["f:a"], timestamp=20)
    assert remaining(versions)[b"f:a"] == [30]


def test_a_delete_hides_one_version(versions: rs.Table) -> None:
    """checklist 091: hides a single version; older ones stay visible."""
    versions.delete("r", "f:a", version=20)
    assert remaining(versions)[b"f:a"] == [30, 10]
    assert markers(versions) == [("Delete", b"f:a", 20)]


def test_the_newest_version(versions: rs.Table) -> None:
    versions.delete("r", "f:a", version="latest")
    assert remaining(versions)[b"f:a"] == [20, 10]
    versions.delete("r", "f", version="latest")
    assert remaining(versions) == {b"f:a": [10], b"f:b": [20, 10], b"g:a": [30]}
    versions.delete("r", version="latest")
    assert remaining(versions) == {b"f:b": [10]}
    versions.delete("none", version="latest")


def test_a_delete_hides_a_family(versions: rs.Table) -> None:
    versions.delete("r", "f", timestamp=20)
    assert remaining(versions) == {b"f:a": [30], b"f:b": [30], b"g:a": [30]}
    assert markers(versions) == [("DeleteFamily", b"f:", 20)]


def test_one_version_of_a_family(versions: rs.Table) -> None:
    versions.delete("r", "f", version=20)
    assert remaining(versions) == {b"f:a": [30, 10], b"f:b": [30, 10], b"g:a": [30]}
    assert markers(versions) == [("DeleteFamilyVersion", b"f:", 20)]


def test_one_version_of_every_family(versions: rs.Table) -> None:
    versions.delete("r", version=30)
    assert remaining(versions) == {b"f:a": [20, 10], b"f:b": [20, 10]}


def test_a_whole_row_is_one_marker_per_family(versions: rs.Table, clock: ManualClock) -> None:
    """checklist 069, 090, 095: exactly one marker per family; other rows are unaffected."""
    versions.put("s", {"f:a": "1"})
    versions.delete("r")
    assert remaining(versions) == {}
    assert versions.exists("s")
    assert markers(versions) == [("DeleteFamily", b"f:", clock.now), ("DeleteFamily", b"g:", clock.now)]


def test_a_family_with_a_colon_deletes_only_the_empty_qualifier(t: rs.Table) -> None:
    t.put("r", {"f:": "empty", "f:a": "1"})
    t.delete("r", "f:")
    assert list(t.get("r")) == [b"f:a"]


def test_nothing_is_deleted_at_once(versions: rs.Table, db: rs.Database) -> None:
    """checklist 092, 093: markers mask; a major compaction removes both."""
    versions.delete("r")
    raw = [cell.type for row in versions.scan(raw=True, versions=None) for cell in row.cells]
    assert raw.count("Put") >= 7
    db.admin.flush("t")
    db.admin.major_compact("t")
    assert list(versions.scan(raw=True, versions=None)) == []


def test_the_chained_form_makes_every_marker(versions: rs.Table) -> None:
    delete = rs.Delete("r").add_column("f:a", 20).add_columns("f:b", ts=10).add_family_version("g", 30)
    versions.multi([delete])
    assert remaining(versions) == {b"f:a": [30, 10], b"f:b": [30, 20]}
    with pytest.raises(rs.errors.InvalidArgument, match="has been used"):
        delete.add_family("f")


def test_the_chained_form_takes_the_deletes_own_timestamp(versions: rs.Table) -> None:
    versions.multi([rs.Delete("r", timestamp=20).add_columns("f:a").add_column("f:b").add_family("g")])
    assert remaining(versions) == {b"f:a": [30], b"f:b": [30, 10], b"g:a": [30]}


def test_the_newest_version_of_a_column_in_the_chained_form(versions: rs.Table) -> None:
    versions.multi([rs.Delete("r").add_column("f:a")])
    assert remaining(versions)[b"f:a"] == [20, 10]


def test_a_burst_of_increments_is_ahead_of_a_delete(clock: ManualClock) -> None:
    """docs/how-to/writing.md, "Count something"."""
    with rs.connect(":memory:", clock=clock) as db:
        db.create_table("t", ["f"])
        t = db.table("t")
        for _ in range(5):
            t.increment("r", "f:n")
        t.delete("r", "f:n")
        [cell] = t.get("r").cells
        assert cell.timestamp > clock.now
        t.delete("r", "f:n", timestamp=cell.timestamp)
        assert (t.increment("r", "f:n"), t.exists("r")) == (1, False)
        clock.advance(5)
        assert (t.increment("r", "f:n"), t.exists("r")) == (1, True)
