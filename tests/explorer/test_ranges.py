"""The range of the rows page: its end row, empty ranges, wrong limits, and the versions that a filter sees."""

from __future__ import annotations

import re

import pytest

import rowstone as rs
from tests.explorer.conftest import Visitor


@pytest.fixture
def vehicles(db: rs.Database) -> rs.Table:
    """Rows ``bus-190`` to ``bus-209``."""
    table = db.table("t")
    with table.batch() as batch:
        for number in range(190, 210):
            batch.put(f"bus-{number}", {"f:n": str(number)})
    return table


def keys(html: str) -> list[str]:
    return re.findall(r"<code>(bus-\d{3})</code></a>", html)


RANGE = {"first": "bus-195", "to": "bus-205"}
IN_RANGE = [f"bus-{number}" for number in range(195, 205)]


def test_the_end_row_is_excluded_on_all_pages_and_in_the_file(visitor: Visitor, vehicles: rs.Table) -> None:
    found, path = [], "/rows/t?from=bus-195&to=bus-205&limit=4"
    while path:
        html = visitor.request("GET", path).html
        found += keys(html)
        after = re.search(r'href="([^"]+)">Next rows', html)
        path = after[1].replace("&amp;", "&") if after else ""
    assert found == IN_RANGE
    assert 'name="to" value="bus-205"' in visitor.get("rows", **RANGE).html
    answer = visitor.get("download", format="csv", **RANGE)
    assert [line.partition(",")[0] for line in answer.html.splitlines()[1:]] == IN_RANGE
    assert 'filename="t-from-bus-195-before-bus-205.csv"' in answer.headers["content-disposition"]


def test_the_code_of_a_scan_has_the_end_row(visitor: Visitor, vehicles: rs.Table) -> None:
    text = visitor.text("scan", **RANGE)
    assert "scan(b'bus-195', b'bus-205', limit=20)" in text
    assert 'STARTROW => "bus-195", STOPROW => "bus-205"' in text
    assert "startrow=bus-195&endrow=bus-205" in text
    assert "at most 10 cells examined" in text or "a range of keys" in text


def test_a_prefix_and_an_end_row_together(visitor: Visitor, vehicles: rs.Table) -> None:
    assert keys(visitor.get("rows", prefix="bus-19", to="bus-192").html) == ["bus-190", "bus-191"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"prefix": "bus-19", "first": "bus-2"}, "No rows. The start row comes after all keys with the row prefix."),
        ({"prefix": "bus-19", "to": "bus-0"}, "No rows. The end row comes before all keys with the row prefix."),
        ({"first": "b", "to": "a"}, "No rows. The end row is not after the start row."),
        ({"prefix": "bus-19", "first": "bus-199a"}, "No key that begins with bus-19 is in the range"),
    ],
)
def test_a_range_without_rows_says_why(visitor: Visitor, vehicles: rs.Table, query: dict[str, str], words: str) -> None:
    assert words in visitor.text("rows", **query)


@pytest.mark.parametrize(("limit", "used"), [("0", "1 row"), ("abc", "20 rows"), ("999", "200 rows")])
def test_a_limit_that_a_page_does_not_have_is_named(visitor: Visitor, limit: str, used: str) -> None:
    text = visitor.text("rows", limit=limit)
    assert f"'{limit}' is not a limit from 1 to 200: this page has at most {used}" in text
    assert "is not a limit" not in visitor.text("rows", limit="7")


def test_examined_rows_are_explained_where_the_page_is_not_the_end(visitor: Visitor, vehicles: rs.Table) -> None:
    given = {"filter": "ValueFilter(>=, 'binary:1')"}
    assert "3 rows of 20 examined (at least 50 at a time)" in visitor.text("rows", limit=3, **given)
    assert "20 rows of 20 examined," in visitor.text("rows", limit=20, **given)


def test_a_filter_sees_older_versions_and_the_page_says_so(visitor: Visitor, db: rs.Database) -> None:
    for stamp, value in ((1, "l2"), (2, "12")):
        db.table("t").put("r", {"f:q": value}, timestamp=stamp)
    text = visitor.text("rows", filter="ValueFilter(=, 'substring:l2')")
    assert "the value shown may be an older one" in text
    assert "l2 text?" in text
    assert "the newest version that passes the filter of each column" in text
    assert "may be an older one" not in visitor.text("rows")
    # The way to prevent it that the page names.
    newest = "SingleColumnValueFilter('f', 'q', =, 'substring:{}')"
    assert "No rows." in visitor.text("rows", filter=newest.format("l2"))
    assert "12 decimal?" in visitor.text("rows", filter=newest.format("12"))


def test_one_long_value_does_not_push_other_columns_out_of_sight(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:photo": b"\x00" * 500, **{f"g:{number}": "v" for number in range(5)}})
    html = visitor.get("rows").html
    assert '<div class="data narrow">' in html
    assert r"\x00" * 15 + "…" in html
    assert '<div class="data">' in visitor.get("rows", columns="f").html
