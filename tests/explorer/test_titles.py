"""Titles of the pages, and addresses that have none."""

from __future__ import annotations

import re

import pytest

import rowstone as rs
from tests.explorer.conftest import Answer, Visitor

BROWSER = {"Accept": "text/html"}


def title(answer: Answer) -> str:
    """The text of a page's title."""
    found = re.search("<title>(.*)</title>", answer.html)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("page", "query", "expected"),
    [
        ("tables", {}, "t · Rowstone"),
        ("rows", {}, "t · rows · Rowstone"),
        ("rows", {"limit": "1", "filter": "wrong"}, "t · rows · Rowstone"),
        ("row", {"key": "<r>"}, "&lt;r&gt; · t · Rowstone"),
        ("cell", {"key": "<r>", "column": "f:q"}, "f:q · &lt;r&gt; · t · Rowstone"),
        ("compare", {"key": "<r>", "with": "s"}, "&lt;r&gt;, s · t · comparison · Rowstone"),
        ("edit", {"key": "<r>", "column": "f:q"}, "f:q · &lt;r&gt; · t · change · Rowstone"),
        ("row", {"key": "k" * 100}, f"{'k' * 60}… · t · Rowstone"),
        ("heat", {}, "t · heat map · Rowstone"),
        ("advice", {}, "t · schema advice · Rowstone"),
        ("sql", {}, "t · SQL · Rowstone"),
    ],
)
def test_a_title_names_its_object_first(
    writer: Visitor, db: rs.Database, page: str, query: dict[str, str], expected: str
) -> None:
    """Regression: each page below a table was "Tables · Rowstone"."""
    db.table("t").put("<r>", {"f:q": "v"})
    assert title(writer.get(page, "t", **query)) == expected


def test_titles_of_pages_without_a_table(visitor: Visitor) -> None:
    assert title(visitor.get("tables", "")) == "Tables · Rowstone"
    assert title(visitor.get("heat", "")) == "Heat map · Rowstone"
    assert [title(visitor.get(page, "none")) for page in ("rows", "tables")] == ["Not found · Rowstone"] * 2


def test_an_unknown_address_has_a_page(visitor: Visitor) -> None:
    """Regression: the answer was "Not Found" without a page around it."""
    answer = visitor.request("GET", "/nothing/<b>", headers=BROWSER)
    assert (answer.status, title(answer)) == (404, "Not found · Rowstone")
    assert "There is no page at /nothing/<b>. All tables" in answer.text
    assert '<a href="/tables">All tables</a>' in answer.html


def test_an_unknown_address_shows_strangers_no_page(visitor: Visitor) -> None:
    answer = Visitor(visitor.url).request("GET", "/nothing", headers=BROWSER)
    assert (answer.status, answer.body) == (404, b"Not found\n")
    assert visitor.request("GET", "/nothing").body == b"Not found: There is no page at /nothing.\n"
