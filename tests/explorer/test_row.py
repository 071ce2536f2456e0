"""One row and one cell: versions, markers, missing cells, all forms of a value."""

from __future__ import annotations

import re
from html import unescape

import pytest

import rowstone as rs
from rowstone._core.inspect.moments import stamp_text
from rowstone.server.dashboard.data._budget import Budget
from tests.explorer.conftest import NOW, Visitor

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def test_versions_and_markers_in_the_order_of_time(visitor: Visitor, db: rs.Database) -> None:
    table = db.table("t")
    for stamp in (10, 20, 30):
        table.put("r", {"f:q": f"v{stamp}"}, timestamp=stamp)
    table.delete("r", ["f:q"], timestamp=20)
    text = visitor.text("row", key="r")
    places = [
        text.index(part)
        for part in ("visible v30", "marker DeleteColumn", "hidden by DeleteColumn of 20 v20", "of 20 v10")
    ]
    assert places == sorted(places)


def test_one_of_two_puts_with_equal_timestamps_is_visible(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "first"}, timestamp=5)
    db.admin.flush("t")
    db.table("t").put("r", {"f:q": "second"}, timestamp=5)
    text = visitor.text("row", key="r")
    assert "visible second" in text
    assert "visible first" not in text


def test_a_family_marker_belongs_to_the_family(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v", "g:q": "w"}, timestamp=1)
    db.table("t").delete("r", ["f"], timestamp=2)
    assert "marker DeleteFamily" in visitor.text("row", key="r", family="f")
    assert "marker DeleteFamily" not in visitor.text("row", key="r", family="g")


def test_missing_cells_are_explained(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"})
    db.table("t").delete("r", ["f:q"])
    marker = f"DeleteColumn of {stamp_text(NOW)}"
    assert f"is hidden by {marker}: of the same millisecond" in visitor.text("row", key="r", missing="f:q")
    assert "never written" in visitor.text("row", key="r", missing="f:other")
    assert visitor.get("row", key="r", missing="f").status == 400


def test_cells_of_a_row_come_two_hundred_at_a_time(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {f"f:{number:04}": "v" for number in range(500)})
    assert ("0199 " in visitor.text("row", key="r"), "0200 " in visitor.text("row", key="r")) == (True, False)
    last = visitor.text("row", key="r", skip=400)
    assert ("f:0400" in last, "f:0499" in last, "Next cells" in last) == (True, True, False)


def test_a_cell_in_all_forms(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": '{"a": [1]}', "f:": "no qualifier"}, timestamp=7)
    text = visitor.text("cell", key="r", column="f:q", timestamp=7)
    assert '{ "a": [ 1 ] }' in text
    assert '00000000 7b 22 61 22 3a 20 5b 31 5d 7d {"a": [1]}' in text
    assert visitor.get("value", key="r", column="f:q").body == b'{"a": [1]}'
    assert "no qualifier" in visitor.text("cell", key="r", column="f:")
    assert visitor.get("cell", key="r", column="f:q", timestamp=8).status == 404
    assert visitor.get("cell", key="r", column="f").status == 400
    assert visitor.get("cell", column="f:q").status == 404


def test_a_hidden_version_can_be_read_too(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "lost"}, timestamp=7)
    db.table("t").delete("r")
    assert "lost" in visitor.text("cell", key="r", column="f:q", timestamp=7)
    assert visitor.get("cell", key="r", column="f:q").status == 404


def test_a_version_behind_many_large_ones_is_found(visitor: Visitor, db: rs.Database) -> None:
    db.create_table("many", {"f": rs.Family(max_versions=100)})
    for stamp in range(1, 41):
        db.table("many").put("r", {"f:q": f"version {stamp} ".encode() + bytes(1 << 20)}, timestamp=stamp)
    assert "version 1 " in visitor.text("cell", "many", key="r", column="f:q", timestamp=1)
    assert visitor.get("cell", "many", key="r", column="f:q", timestamp=41).status == 404


def test_a_search_that_a_limit_ended_is_not_a_missing_cell(
    visitor: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "spend", lambda *_: "seconds")
    answer = visitor.get("cell", key="r", column="f:q")
    assert (answer.status, "the limit of seconds ended the search" in answer.text.lower()) == (400, True)


def test_only_images_are_inline(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:png": PNG, "f:svg": b"<svg onload='alert(1)'/>", "f:html": b"<!DOCTYPE html><script>"})
    image = visitor.get("value", key="r", column="f:png", inline=1)
    assert (image.headers["content-type"], image.body) == ("image/png", PNG)
    assert 'alt="the value"' in visitor.get("cell", key="r", column="f:png").html
    for column in ("f:svg", "f:html"):
        other = visitor.get("value", key="r", column=column, inline=1)
        assert other.headers["content-type"] == "application/octet-stream"
        assert other.headers["content-disposition"].startswith("attachment")
        assert other.headers["x-content-type-options"] == "nosniff"


def test_the_key_is_in_the_heading(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("<b>r", {"f:q": "v"})
    assert "Row <b>r of t" in visitor.text("row", key="<b>r")
    assert "Cell of row <b>r of t" in visitor.text("cell", key="<b>r", column="f:q")


def test_a_column_with_hidden_versions_is_a_link_to_why(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v", "f:seen": "v", "g:q": "w"}, timestamp=5)
    db.table("t").delete("r", ["f:q"], timestamp=6)
    db.table("t").delete("r", ["g"], timestamp=7)
    answer = visitor.get("row", key="r")
    assert "hidden by DeleteColumn of 6" in answer.text
    assert "hidden by DeleteFamily of 7" in answer.text
    [address] = re.findall(r'href="([^"]+#missing)"><code>f:', answer.html)
    explained = visitor.request("GET", unescape(address).partition("#")[0])
    assert "column f:q has no value" in explained.text
    assert 'id="missing"' in explained.html


def test_a_column_that_cannot_be_explained_keeps_the_row(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"})
    for wanted, words in (
        ("f", "write family:qualifier"),
        ("none:q", "families are: f, g"),
        (r"f:\xZ", "is not a byte"),
    ):
        answer = visitor.get("row", key="r", missing=wanted)
        assert (answer.status, words in answer.text, "visible v" in answer.text) == (400, True, True)
        assert f'value="{wanted}"' in answer.html


def test_times_have_milliseconds(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"}, timestamp=NOW + 7)
    assert 'title="2023-11-14 22:13:20.007 UTC' in visitor.get("row", key="r").html


def test_two_rows_side_by_side(visitor: Visitor, db: rs.Database) -> None:
    table = db.table("t")
    table.put("a", {"f:same": "1", "f:q": "older"}, timestamp=1)
    table.put("a", {"f:q": "<b>a"}, timestamp=2)
    table.put("b", {"f:same": "1", "f:q": "b", "g:only": "x"}, timestamp=9)
    answer = visitor.get("compare", key="a", **{"with": "b"})
    assert "2 of 3 columns differ" in answer.text
    assert "f:q differs <b>a timestamp 2 b timestamp 9" in answer.text
    assert "f:same equal 1 timestamp 1 1 timestamp 9" in answer.text
    assert "g:only only in one row x" in answer.text
    assert "Comparison of row a of t" in answer.text
    assert "older" not in answer.text
    assert "no value is visible in row none" in visitor.text("compare", key="a", **{"with": "none"}).lower()
    assert 'action="/compare/t"' in visitor.get("row", key="a").html


def test_a_comparison_of_wide_rows_says_where_it_ends(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("a", {f"f:{number:04}": "v" for number in range(300)})
    db.table("t").put("b", {"f:0001": "v", "f:0299": "v", "g:q": "w"})
    text = visitor.text("compare", key="a", **{"with": "b"})
    assert "Only columns up to f:0199 are compared: a row has more than 200 columns" in text
    assert "199 of 200 columns differ" in text
    assert "f:0299" not in text


@pytest.mark.parametrize("other", ["", r"b\xZZ"])
def test_a_wrong_key_keeps_the_form_of_the_comparison(visitor: Visitor, other: str) -> None:
    answer = visitor.get("compare", key="a", **{"with": other})
    assert (answer.status, "Compare" in answer.text, f'value="{other}"' in answer.html) == (400, True, True)
