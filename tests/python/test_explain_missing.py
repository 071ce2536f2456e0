"""`Database.explain_missing`: names the marker of any kind that hides a value, in a directory and through a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import rowstone as rs
from rowstone import errors
from rowstone._core.inspect.moments import stamp_text
from rowstone.testing import ManualClock
from tests.checklist import checklist

NOW = 1_700_000_000_000


@pytest.fixture(params=["here", "served"])
def db(request: pytest.FixtureRequest) -> Iterator[rs.Database]:
    """A database whose clock stands still."""
    with rs.connect(":memory:", clock=ManualClock(NOW)) as own:
        own.create_table("t", {"f": rs.Family(max_versions=3), "g": {}, "n": rs.Family(new_version_behavior=True)})
        if request.param == "here":
            yield own
            return
        with rs.serve(own, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            yield client


DELETES: dict[str, Callable[[rs.Table], None]] = {
    "Delete": lambda t: t.delete("r", ["f:q"], version=NOW),
    "DeleteColumn": lambda t: t.delete("r", ["f:q"]),
    "DeleteFamily": lambda t: t.delete("r"),
    "DeleteFamilyVersion": lambda t: t.delete("r", ["f"], version=NOW),
}


@checklist("104", clause="the masking marker is named")
@pytest.mark.parametrize("kind", DELETES)
@pytest.mark.parametrize("in_file", [False, True])
def test_delete_and_put_in_one_millisecond(db: rs.Database, kind: str, in_file: bool) -> None:
    table = db.table("t")
    DELETES[kind](table)
    if in_file:
        db.admin.flush("t")
    table.put("r", {"f:q": "lost", "g:q": "other"})
    assert table.get("r", "f:q").get("f:q") is None
    found = db.explain_missing("t", "r", "f:q")
    assert found.is_missing
    [cell] = found.hidden
    assert (cell.timestamp, cell.value, cell.same_millisecond) == (NOW, b"lost", True)
    assert [(marker.type, marker.timestamp) for marker in cell.markers] == [(kind, NOW)]
    assert f"is hidden by {kind} of {stamp_text(NOW)}: of the same millisecond" in str(found)


def test_a_flush_drops_the_value_and_keeps_the_marker(db: rs.Database) -> None:
    db.table("t").delete("r", ["f:q"])
    db.table("t").put("r", {"f:q": "lost"})
    db.admin.flush("t")
    found = db.explain_missing("t", "r", "f:q")
    assert (found.is_missing, found.hidden) == (True, ())
    assert [(marker.type, marker.timestamp) for marker in found.markers] == [("DeleteColumn", NOW)]
    assert f"DeleteColumn of {stamp_text(NOW)} is stored" in str(found)


def test_markers_of_later_and_of_earlier_times(db: rs.Database) -> None:
    table = db.table("t")
    table.put("r", {"f:q": "old", "f:other": "x"}, timestamp=10)
    table.put("r", {"f:q": "new"}, timestamp=20)
    table.delete("r", ["f:q"], timestamp=15)
    table.delete("r", ["f:other"], timestamp=99)
    table.delete("r", ["f:q"], version=11)
    found = db.explain_missing("t", "r", b"f:q")
    # Markers of other columns, and of versions that were never put, hide nothing.
    assert (found.is_missing, found.visible) == (False, (20,))
    [cell] = found.hidden
    assert (cell.timestamp, cell.same_millisecond) == (10, False)
    assert [(marker.type, marker.timestamp) for marker in cell.markers] == [("DeleteColumn", 15)]
    assert "has 1 version, the newest of 20" in str(found)
    assert str(found).endswith("the version of 10 is hidden by DeleteColumn of 15")
    # With a second marker, both are named.
    table.delete("r", timestamp=30)
    found = db.explain_missing("t", "r", "f:q")
    assert [len(cell.markers) for cell in found.hidden] == [1, 2]
    assert found.is_missing


def test_cells_hidden_without_a_marker_are_explained(db: rs.Database) -> None:
    table = db.table("t")
    assert "none is stored" in str(db.explain_missing("t", "r", "f:q"))
    for timestamp in range(1, 6):
        table.put("r", {"f:q": "v"}, timestamp=timestamp)
    found = db.explain_missing("t", "r", "f:q")
    assert found.visible == (5, 4, 3)
    assert all(not cell.markers for cell in found.hidden)
    assert not found.is_missing
    assert str(found).endswith("2 versions, of 2, 1, exceed VERSIONS = 3: newer versions took their place")
    # With the new version behavior, the later put is visible.
    table.delete("r", ["n"])
    table.put("r", {"n:q": "kept"})
    assert db.explain_missing("t", "r", "n:q").hidden == ()


def test_many_versions_of_one_reason_have_one_line(db: rs.Database) -> None:
    """Regression: a column with many versions had a line for each, so that the reason was not found."""
    table = db.table("t")
    for timestamp in range(1, 121):
        table.put("r", {"f:q": "v"}, timestamp=timestamp)
    table.delete("r", ["f:q"], timestamp=21)
    lines = str(db.explain_missing("t", "r", "f:q")).splitlines()
    assert lines[1:] == [
        "  96 versions, of 117, 116, 115 and 93 more, exceed VERSIONS = 3: newer versions took their place",
        "  the version of 21 is hidden by DeleteColumn of 21: of the same millisecond, in which the delete wins",
        "  20 versions, of 20, 19, 18 and 17 more, are hidden by DeleteColumn of 21",
    ]


def test_deleted_versions_that_count_are_not_called_newer_ones(db: rs.Database) -> None:
    """Regression: it said that newer versions had replaced the cell, although none was left."""
    table = db.table("t")
    for timestamp in (1, 2):
        table.put("r", {"n:q": "v"}, timestamp=timestamp)
    table.delete("r", ["n:q"], version=2)
    text = str(db.explain_missing("t", "r", "n:q"))
    assert ("NEW_VERSION_BEHAVIOR counts deleted versions" in text, "newer versions" in text) == (True, False)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture(params=["here", "served"])
def expiring(request: pytest.FixtureRequest, clock: ManualClock) -> Iterator[rs.Database]:
    """Families whose cells have a TTL of ten seconds."""
    families = {"f": rs.Family(ttl_seconds=10), "m": rs.Family(ttl_seconds=10, min_versions=1, max_versions=3)}
    with rs.connect(":memory:", clock=clock) as own:
        own.create_table("t", families)
        if request.param == "here":
            yield own
            return
        with rs.serve(own, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            yield client


@pytest.mark.parametrize("in_file", [False, True])
def test_an_expired_version_is_called_expired(expiring: rs.Database, clock: ManualClock, in_file: bool) -> None:
    """Regression: it said that newer versions had replaced the cell, although there were none."""
    table = expiring.table("t")
    table.put("r", {"f:q": "old", "m:q": "first"})
    clock.advance(1_000)
    table.put("r", {"f:q": "new", "m:q": "second"})
    if in_file:
        expiring.admin.flush("t")
    clock.advance(20_000)
    found = expiring.explain_missing("t", "r", "f:q")
    assert (found.is_missing, found.hidden[0].expired_after) == (True, "10 SECONDS")
    assert "expired: the family's TTL is 10 SECONDS" in str(found)
    assert "newer versions" not in str(found)
    # MIN_VERSIONS retains the newest; the other one does not exceed VERSIONS.
    found = expiring.explain_missing("t", "r", "m:q")
    assert found.visible == (NOW + 1_000,)
    assert [cell.expired_after for cell in found.hidden] == ["10 SECONDS"]


def test_versions_that_are_too_many_have_not_expired(expiring: rs.Database, clock: ManualClock) -> None:
    table = expiring.table("t")
    table.put("r", {"f:q": "old"})
    clock.advance(1)
    table.put("r", {"f:q": "new"})
    [cell] = expiring.explain_missing("t", "r", "f:q").hidden
    assert cell.expired_after is None
    assert str(cell).endswith("newer versions took its place")


def test_a_deleted_and_expired_version_names_both(expiring: rs.Database, clock: ManualClock) -> None:
    table = expiring.table("t")
    table.put("r", {"m:q": "deleted"}, timestamp=NOW - 2)
    table.put("r", {"m:q": "old"}, timestamp=NOW - 1)
    table.put("r", {"m:q": "new"}, timestamp=NOW)
    table.delete("r", ["m:q"], version=NOW - 2)
    clock.advance(20_000)
    [old, deleted] = expiring.explain_missing("t", "r", "m:q").hidden
    assert (old.markers, old.expired_after) == ((), "10 SECONDS")
    assert str(deleted).endswith("in which the delete wins; it has expired: the family's TTL is 10 SECONDS")


def test_a_reader_without_permission_to_see_the_schema_gets_an_answer() -> None:
    with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
        db.create_table("t", {"f": rs.Family(ttl_seconds=10)})
        db.admin.permissions.grant("ann", "R", table="t")
        db.table("t").put("r", {"f:q": "v"}, timestamp=1)
        found = db.as_user("ann").explain_missing("t", "r", "f:q")
        assert (found.is_missing, [cell.expired_after for cell in found.hidden]) == (True, [None])
        assert str(found.hidden[0]).endswith("newer versions took its place, or it has expired")


def test_a_wide_row_and_wrong_calls(db: rs.Database) -> None:
    table = db.table("t")
    table.put("wide", {f"f:{number:05}": "v" for number in range(3_000)}, timestamp=1)
    table.delete("wide", ["f:02500"], timestamp=1)
    assert [cell.timestamp for cell in db.explain_missing("t", "wide", "f:02500").hidden] == [1]
    with pytest.raises(errors.TableNotFound):
        db.explain_missing("nothing", "r", "f:q")
    with pytest.raises(errors.NoSuchColumnFamily):
        db.explain_missing("t", "r", "x:q")


@pytest.mark.parametrize("column", ["f", b"f"])
def test_a_column_without_a_colon_is_refused(db: rs.Database, column: str | bytes) -> None:
    with pytest.raises(errors.InvalidArgument) as expected:
        db.table("t").value("r", column)
    with pytest.raises(errors.InvalidArgument) as raised:
        db.explain_missing("t", "r", column)
    assert str(raised.value) == str(expected.value)
