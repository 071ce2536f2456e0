"""The webtable of the sources: as people draw it and as it is stored (checklist 035-042)."""

from __future__ import annotations

import pytest

import rowstone as rs
from tests.checklist import checklist
from tests.checklist.helpers import contents, make

PAGE = b"<html>..."


@pytest.fixture
def web(db: rs.Database) -> rs.Table:
    return rs.testing.webtable(db)


@checklist("035", clause="the mapping protocol answers as get, scan and exists")
def test_a_table_is_a_map(db: rs.Database) -> None:
    t = make(db, f={})
    t["a"] = {"f:x": "1"}
    t["b"] = {"f:x": "2"}
    t["a"] = {"f:y": "3"}
    assert dict(t["a"]) == dict(t.get("a")) == {b"f:x": b"1", b"f:y": b"3"}
    assert "a" in t
    assert t.exists("a")
    assert "c" not in t
    assert not t.exists("c")
    with t.scan() as rows:
        assert [row.key for row in rows] == list(t) == list(t.keys())
    assert [(key, dict(row)) for key, row in t.items()] == [(key, dict(t.get(key))) for key in t]
    del t["a"]
    assert "a" not in t
    with pytest.raises(KeyError):
        t["a"]
    with pytest.raises(KeyError):
        del t["a"]


@checklist("036", clause="its conceptual view has the five lines in order")
def test_the_conceptual_view(web: rs.Table) -> None:
    view = web.conceptual_view()
    of_cnn = [line[1:] for line in view.lines if line[0] == "com.cnn.www"]
    page = 'contents:html = "<html>..."'
    columns = [heading.removeprefix("ColumnFamily ") for heading in view.headings[2:]]
    drawn = [{"t": stamp, **dict(zip(columns, cells, strict=True))} for stamp, *cells in of_cnn]
    empty = {"contents": "", "anchor": "", "people": ""}
    assert drawn == [
        {"t": "t9", **empty, "anchor": 'anchor:cnnsi.com = "CNN"'},
        {"t": "t8", **empty, "anchor": 'anchor:my.look.ca = "CNN.com"'},
        {"t": "t6", **empty, "contents": page},
        {"t": "t5", **empty, "contents": page},
        {"t": "t3", **empty, "contents": page},
    ]
    assert [line[0] for line in view.lines] == ["com.cnn.www"] * 5 + ["com.example.www"]
    assert all(text in str(view) for text in ("Row Key", "Time Stamp", "my.look.ca"))


@checklist("037", clause="as_map equals the source, empty families included")
def test_the_nested_map(web: rs.Table) -> None:
    assert web.as_map() == {
        b"com.cnn.www": {
            b"contents": {stamp: {b"contents:html": PAGE} for stamp in (6, 5, 3)},
            b"anchor": {9: {b"anchor:cnnsi.com": b"CNN"}, 8: {b"anchor:my.look.ca": b"CNN.com"}},
            b"people": {},
        },
        b"com.example.www": {
            b"contents": {5: {b"contents:html": PAGE}},
            b"anchor": {},
            b"people": {5: {b"people:author": b"John Doe"}},
        },
    }


@checklist("038", clause="the physical views have two and three lines")
def test_the_physical_views(web: rs.Table) -> None:
    anchor = web.physical_view("anchor")
    assert anchor.lines == (
        ("com.cnn.www", "t9", 'anchor:cnnsi.com = "CNN"'),
        ("com.cnn.www", "t8", 'anchor:my.look.ca = "CNN.com"'),
    )
    pages = [line for line in web.physical_view("contents").lines if line[0] == "com.cnn.www"]
    assert [line[1] for line in pages] == ["t6", "t5", "t3"]


@checklist("039", clause="a get of it is empty")
def test_no_page_at_t8(web: rs.Table) -> None:
    assert not web.get("com.cnn.www", "contents:html", timestamp=8)
    assert web.get("com.cnn.www", "contents:html", timestamp=6)["contents:html"] == PAGE


@checklist("040", clause="a get of it is empty")
def test_no_anchor_at_t9(web: rs.Table) -> None:
    assert not web.get("com.cnn.www", "anchor:my.look.ca", timestamp=9)
    assert web.get("com.cnn.www", "anchor:my.look.ca", timestamp=8)["anchor:my.look.ca"] == b"CNN.com"


@checklist("041", clause="exactly the three with their timestamps")
def test_without_a_timestamp_the_newest_come(web: rs.Table) -> None:
    assert contents(web.get("com.cnn.www")) == [
        (b"anchor:cnnsi.com", 9, b"CNN"),
        (b"anchor:my.look.ca", 8, b"CNN.com"),
        (b"contents:html", 6, PAGE),
    ]


@checklist("042", clause="it is visible at once")
def test_a_new_qualifier_at_any_time(web: rs.Table) -> None:
    before = str(web.schema)
    web.put("com.cnn.www", {"anchor:new": "here"}, timestamp=10)
    assert web.get("com.cnn.www")["anchor:new"] == b"here"
    assert b"anchor:new" in web.columns("anchor")
    assert str(web.schema) == before
