"""Ways between the pages of a table, a row and a cell; names that are missing."""

from __future__ import annotations

import re
from html import unescape

import pytest

import rowstone as rs
from tests.explorer.conftest import Visitor


@pytest.fixture
def row(db: rs.Database) -> None:
    for stamp, value in ((1, "depot"), (2, "delayed")):
        db.table("t").put("r 1", {"f:q": value}, timestamp=stamp)


@pytest.mark.usefixtures("row")
@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("cell", {"column": "f:q"}),
        ("edit", {"column": "f:q"}),
        ("compare", {"with": "other"}),
    ],
)
def test_pages_below_a_row_lead_back_to_it(writer: Visitor, page: str, query: dict[str, str]) -> None:
    html = writer.get(page, "t", key="r 1", **query).html
    lead = html.partition('<p class="lead">')[2].partition("</p>")[0]
    assert re.findall(r'href="([^"]+)"', lead)[:2] == ["/tables/t", "/row/t?key=r%201"]


@pytest.mark.usefixtures("row")
def test_a_row_is_reached_by_its_key(visitor: Visitor) -> None:
    for path in ("/tables/t", "/row/t?key=r%201"):
        html = visitor.request("GET", path).html
        assert re.search(r'action="/row/t"><input type="search" name="key"[^>]*required>', html), path


@pytest.mark.usefixtures("row")
def test_an_old_version_leads_to_the_newest_and_has_no_edit(writer: Visitor) -> None:
    old, new = (writer.get("cell", key="r 1", column="f:q", timestamp=stamp) for stamp in (1, 2))
    assert ("Edit" in old.text, "Edit" in new.text) == (False, True)
    assert "not the newest version" not in new.text
    [address] = re.findall(r'href="([^"]+)">newest version</a>', old.html)
    assert "delayed" in writer.request("GET", unescape(address)).text


def test_sizes_and_types_of_a_cell_are_said_once(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:one": "v", "f:five": "hello", "f:long": "x" * 2048})
    assert "size 1 byte type text (guessed)" in visitor.text("cell", key="r", column="f:one")
    assert "size 5 bytes type" in visitor.text("cell", key="r", column="f:five")
    assert "size 2.0 KiB (2,048 bytes)" in visitor.text("cell", key="r", column="f:long")


def test_a_missing_table_has_one_text_on_all_pages(visitor: Visitor, db: rs.Database) -> None:
    words = "There is no table 'nosuch'. The only table is: t ."
    pages = ("rows", "scan", "advice", "sql", "tables", "heat")
    for page in pages:
        answer = visitor.get(page, "nosuch")
        assert (answer.status, words in answer.text) == (404, True), (page, answer.text)
    assert words in visitor.get("row", "nosuch", key="r").text
    db.create_table("u", ["f"])
    for page in pages:
        answer = visitor.get(page, "nosuch")
        assert "The tables are: t , u ." in answer.text, (page, answer.text)
        assert '<a href="/tables/t">t</a>, <a href="/tables/u">u</a>.' in answer.html, page
    for number in range(20):
        db.create_table(f"such{number:02}", ["f"])
    text = visitor.get("rows", "nosuch").text
    assert "Similar names are: such" in text
    assert ", t" not in text


def test_a_row_that_does_not_exist_leads_to_the_next_key(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("k\x002", {"f:q": "v"})
    answer = visitor.get("row", key="k")
    assert "The row has no stored cells here. The next key is k\\x002 ." in answer.text
    assert 'href="/row/t?key=k%5Cx002"' in answer.html
    assert "The next key" not in visitor.text("row", key="z")
    assert "The next key" not in visitor.text("row", key="k", skip=200)


def test_snapshots_come_with_their_commands(visitor: Visitor, db: rs.Database) -> None:
    assert "Clone" not in visitor.request("GET", "/snapshots").text
    db.admin.snapshot("first", "t")
    db.admin.snapshot("second", "t", ttl_seconds=3_600)
    text = visitor.request("GET", "/snapshots?name=first").text
    assert "db.admin.snapshots.clone('first', 't_copy')" in text
    assert "clone_snapshot 'first', 't_copy'" in text
    assert "disable 't' restore_snapshot 'first' enable 't'" in text
    assert ("never" in text, "1 h 0 min" in text, "Owner" in text) == (True, True, False)
    db.admin.snapshots.clone("first", "t_copy")
    db.admin.disable_table("t")
    db.admin.snapshots.restore("first")
    db.admin.enable_table("t")


def test_an_empty_key_is_not_blamed_on_the_address(visitor: Visitor, db: rs.Database) -> None:
    answer = visitor.get("row", key="")
    assert (answer.status, "The row key is empty" in answer.text, "ddress" in answer.text) == (404, True, False)
    assert 'href="/tables/t"' in answer.html
    html = visitor.get("row", key="r").html
    for name in ("with", "missing"):
        assert re.search(rf'name="{name}"[^>]* required>', html), name


def test_wrong_key_parts_have_no_words_of_python(visitor: Visitor) -> None:
    text = visitor.get("rows", layout="text('line' text").text
    assert "is not a list of parts, such as text('host'), reverse_time('at')" in text
    assert ("unknown" in text, "syntax" in text) == (False, False)
    text = visitor.get("rows", layout="text('host')", prefix="host='a' b").text
    assert "is not a list of values of key parts: write name=value" in text
    assert "'foo' is not a part of a key; the parts are:" in visitor.get("rows", layout="foo").text


def test_a_hex_dump_has_the_shade_of_other_scrolling_boxes(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": b"\x00" * 100})
    assert '<pre tabindex="0">' in visitor.get("cell", key="r", column="f:q").html
    assert ".scroll, pre[tabindex] {\n  background:" in visitor.request("GET", "/static/dashboard.css").html
