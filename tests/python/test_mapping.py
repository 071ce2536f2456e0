"""A table as a mapping, and the three views of a table."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import errors
from rowstone._base.schema import pair_of
from rowstone.testing import ManualClock


def test_a_table_is_a_mapping_of_rows(t: rs.Table) -> None:
    """checklist 001, 035: the same answers as get, scan and exists."""
    t["b"] = {"f:q": "2"}
    t["a"] = {"f:q": "1", "g:r": "x"}
    assert t["a"] == t.get("a")
    assert "a" in t
    assert "z" not in t
    assert b"" not in t
    assert 7 not in t
    assert list(t) == list(t.keys()) == [b"a", b"b"]
    assert {key: dict(row) for key, row in t.items()} == {b"a": {b"f:q": b"1", b"g:r": b"x"}, b"b": {b"f:q": b"2"}}
    assert dict(t) == {b"a": t["a"], b"b": t["b"]}
    del t["a"]
    assert list(t) == [b"b"]
    for action in (lambda: t["a"], lambda: t.__delitem__("a")):
        with pytest.raises(KeyError, match="a"):
            action()


@pytest.fixture
def web(db: rs.Database) -> rs.Table:
    return rs.testing.webtable(db)


def test_the_conceptual_view_has_a_line_per_timestamp(web: rs.Table) -> None:
    """checklist 036: t9, t8, t6, t5, t3 of com.cnn.www."""
    view = web.conceptual_view()
    assert [line[1] for line in view if line[0] == "com.cnn.www"] == ["t9", "t8", "t6", "t5", "t3"]
    assert view.headings == (
        "Row Key",
        "Time Stamp",
        "ColumnFamily anchor",
        "ColumnFamily contents",
        "ColumnFamily people",
    )
    assert 'anchor:cnnsi.com = "CNN"' in str(view)
    assert view._repr_html_().startswith("<table>")


def test_the_same_as_a_nested_map(web: rs.Table) -> None:
    """checklist 037: families without cells are present and empty."""
    page = {b"contents:html": b"<html>..."}
    assert web.as_map() == {
        b"com.cnn.www": {
            b"anchor": {9: {b"anchor:cnnsi.com": b"CNN"}, 8: {b"anchor:my.look.ca": b"CNN.com"}},
            b"contents": {6: page, 5: page, 3: page},
            b"people": {},
        },
        b"com.example.www": {
            b"anchor": {},
            b"contents": {5: page},
            b"people": {5: {b"people:author": b"John Doe"}},
        },
    }


def test_the_physical_view_has_a_line_per_stored_cell(web: rs.Table) -> None:
    """checklist 018, 038: empty cells are not stored."""
    lines = {
        family: [line for line in web.physical_view(family) if line[0] == "com.cnn.www"]
        for family in ("anchor", "contents")
    }
    assert [line[1] for line in lines["anchor"]] == ["t9", "t8"]
    assert [line[1] for line in lines["contents"]] == ["t6", "t5", "t3"]
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        web.physical_view("none")


def test_missing_columns_and_versions_are_not_found(web: rs.Table) -> None:
    """checklist 039, 040"""
    assert not web.get("com.cnn.www", "contents:html", timestamp=8)
    assert not web.get("com.cnn.www", "anchor:my.look.ca", timestamp=9)


def test_without_a_timestamp_the_newest_of_each_column(web: rs.Table) -> None:
    """checklist 041"""
    row = web.get("com.cnn.www")
    assert {cell.column: cell.timestamp for cell in row.cells} == {
        b"anchor:cnnsi.com": 9,
        b"anchor:my.look.ca": 8,
        b"contents:html": 6,
    }


def test_a_new_qualifier_needs_no_schema(web: rs.Table) -> None:
    """checklist 042, 016"""
    web.put("com.cnn.www", {"anchor:new": "1"})
    assert web.get("com.cnn.www")["anchor:new"] == b"1"
    assert web.columns("anchor") == {b"anchor:cnnsi.com", b"anchor:my.look.ca", b"anchor:new"}


def test_a_family_without_cells_in_a_row_is_empty(web: rs.Table) -> None:
    """checklist 017"""
    assert not web.get("com.cnn.www", "people:")


def test_columns_are_known_only_from_the_rows(t: rs.Table) -> None:
    """checklist 146, 147: heterogeneous rows; the set of columns is known only by reading all of them."""
    for number in range(1_000):
        t.put(f"{number:04}", {f"f:{number}": "x"})
    assert t.columns("f") == {column for row in t.scan() for column in row} == {f"f:{n}".encode() for n in range(1_000)}


def test_a_value_of_the_past_is_read_like_one_of_now(t: rs.Table) -> None:
    t.put("r", {"f:": "x", "f:q": "y"}, timestamp=1)
    view = t.as_of(5)
    for column in ("f:", b"f:q", ("f", "q"), "f:none"):
        assert view.value("r", column) == t.value("r", column)
    assert len(view.get("r", [pair_of("f:")])) == 1, "an empty qualifier does not read the whole family"
    for wrong in ("f", b"f", ("f",), 5):
        with pytest.raises(errors.RowstoneError) as expected:
            t.value("r", wrong)  # type: ignore[arg-type]
        with pytest.raises(type(expected.value)) as raised:
            view.value("r", wrong)
        assert str(raised.value) == str(expected.value)


def test_a_table_as_of_a_moment(db: rs.Database) -> None:
    """checklist 127: the view equals a replay of the history at each moment."""
    db.create_table("h", {"f": rs.Family(max_versions=10, keep_deleted_cells="TRUE")})
    h = db.table("h")
    history: dict[int, str | None] = {10: "a", 20: "b", 30: None, 40: "c", 50: "d", 60: None, 70: "e"}
    for timestamp, value in history.items():
        if value is None:
            h.delete("r", "f:q", timestamp=timestamp)
        else:
            h.put("r", {"f:q": value}, timestamp=timestamp)
    for moment in range(5, 80, 5):
        past = [value for timestamp, value in history.items() if timestamp <= moment]
        expected = past[-1] if past else None
        view = h.as_of(moment)
        assert view.get("r").get("f:q") == (None if expected is None else expected.encode())
        assert view.exists("r") is ("r" in view) is (expected is not None)
        assert list(view) == list(view.keys()) == ([] if expected is None else [b"r"])
        assert [(key, row["f:q"]) for key, row in view.items()] == (
            [] if expected is None else [(b"r", expected.encode())]
        )
        assert (view.name, view.schema) == (h.name, h.schema)
        assert [bool(row) for row in view.get_many(["r"])] == [expected is not None]
    with pytest.raises(rs.errors.InvalidArgument, match="time_range"):
        h.as_of(5).get("r", time_range=(0, 1))
    with pytest.raises(KeyError):
        h.as_of(5)["r"]


def test_times_to_live_follow_the_clock(db: rs.Database, clock: ManualClock) -> None:
    """checklist 109: TTLs are in seconds and need no compaction."""
    db.create_table("ttl", {"f": rs.Family(ttl_seconds=10)})
    t = db.table("ttl")
    t.put("r", {"f:q": "v"})
    clock.advance(9_999)
    assert t.exists("r")
    clock.advance(2)
    assert not t.exists("r")
