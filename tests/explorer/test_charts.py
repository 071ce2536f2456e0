"""Charts of SQL results: which results have one, that they are exact, safe and well-formed, and keep the table."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pytest

import rowstone as rs
from rowstone._core.inspect import svg
from rowstone.server.dashboard.data.sql._charts import charts
from tests.explorer.conftest import Visitor
from tests.explorer.test_sql import run

pytest.importorskip("duckdb")
SVG = "{http://www.w3.org/2000/svg}"


def widths(drawn: str) -> list[str]:
    """Widths of the bars."""
    return [one.get("width", "") for one in ElementTree.fromstring(drawn).iter(f"{SVG}rect")]


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        ([("a", 1), ("b", 2)], ["rect"]),
        ([(b"a", "x", 1, 2.5), (b"b", "y", None, Decimal(1))], ["rect", "rect"]),
        ([("a", 1, 2, 3, 4), ("b", 5, 6, 7, 8)], ["rect", "rect", "rect"]),
        ([("a", 1, 2), ("b", 1, 3)], ["rect"]),
        ([("a", 7), ("b", 7)], []),
        ([("a", 95), ("b", 99), ("c", 100)], []),
        ([("a", 240_035), ("b", 31), ("c", 31)], []),
        ([("a", 240_035), ("b", 31), ("c", 9_000)], ["rect"]),
        ([("a", -7), ("b", 7)], ["rect"]),
        ([(1, 10), (2, 20)], ["polyline"]),
        ([(date(2024, 1, 1), 1), (date(2024, 1, 2), 2)], ["polyline"]),
        ([(datetime.max, 1), (datetime.min, 2)], ["polyline"]),
        ([("a", 1)], []),
        ([("a", "b"), ("c", "d")], []),
        ([("a", 1, "x"), ("b", 2, "y")], []),
        ([("a", True), ("b", False)], []),
        ([("a", None), ("b", None)], []),
        ([(1,), (2,)], []),
        ([(None, 1), (2, 2)], []),
        ([], []),
    ],
)
def test_results_have_the_charts_that_fit_their_columns(lines: list[tuple[Any, ...]], kinds: list[str]) -> None:
    found = charts([f"c{number}" for number in range(len(lines[0]) if lines else 0)], lines)
    assert [("rect" if "<rect" in one else "polyline") for one in found] == kinds


def test_bars_are_in_proportion_and_below_zero_to_the_left() -> None:
    assert widths(svg.bars([("a", 1, "1"), ("b", 4, "4"), ("c", 0, "0")], "t")) == ["25.0%", "100.0%", "0.0%"]
    drawn = ElementTree.fromstring(svg.bars([("a", -1, ""), ("b", 3, ""), ("c", None, "NULL")], "t"))
    places = [(one.get("x"), one.get("width")) for one in drawn.iter(f"{SVG}rect")]
    assert places == [("0.0%", "25.0%"), ("25.0%", "75.0%")]


def test_a_line_goes_through_its_points_in_order() -> None:
    [drawn] = charts(["x", "y"], [(3, 30), (1, 10), (2, 10), (4, None), (5, float("nan"))])
    assert 'points="0.00,100.00 50.00,100.00 100.00,0.00"' in drawn


@pytest.mark.parametrize("number", [1e308, -1e308, 10**400, Decimal("1e400"), Decimal("NaN"), float("inf"), 5e-324])
def test_numbers_at_the_end_of_their_range(number: Any) -> None:
    for found in charts(["x", "y"], [("a", number), ("b", 1), ("c", -1e308)]):
        assert not re.search(r"nan|inf", found.partition("<rect")[2].lower().replace("infinity", ""))
    assert "<svg" in "".join(charts(["x", "y"], [(number, 1), (1, number), (2, 3), (4, 5)]))


def test_charts_are_escaped_cut_and_named() -> None:
    lines = [(f"<script>{number}</script>\x00" * 9, number) for number in range(200)]
    [drawn] = charts(["<b>", "<i>n"], lines)
    assert "<script" not in drawn
    assert "<b>" not in drawn
    assert "<figcaption>&lt;i&gt;n, the first 40 rows" in drawn
    picture = ElementTree.fromstring(re.sub(r"^.*?(<svg.*</svg>).*$", r"\1", drawn, flags=re.DOTALL))
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "<i>n"
    assert picture.findtext(f"{SVG}desc") == "40 bars from 0"
    assert len(list(picture.iter(f"{SVG}rect"))) == 40
    assert max(len(one.text or "") for one in picture.iter(f"{SVG}text")) <= 23


def test_a_result_has_its_charts_and_its_table(visitor: Visitor, db: rs.Database) -> None:
    for number in range(3):
        db.table("t").put(f"k{number}", {f"f:{column}": "v" for column in range(number + 1)})
    answer = run(visitor, "SELECT row, count(*) AS cells FROM cells GROUP BY row ORDER BY row")
    assert widths(re.search(r"<svg[^>]*chart.*?</svg>", answer.html)[0]) == ["33.3%", "66.7%", "100.0%"]  # type: ignore[index]
    assert answer.html.index("<table>") < answer.html.index('class="chart"')
    assert "style=" not in answer.html
    assert 'class="chart"' not in run(visitor, "SELECT row, value FROM cells").html
