"""Hostile values on the pages of scans, SQL, downloads and tables, within the limits of bytes of each query."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest

import rowstone as rs
from rowstone._base.printable import from_printable, printable
from rowstone.server.dashboard.data import _budget, _routes
from tests.explorer.conftest import Visitor
from tests.explorer.hostile import HOSTILE, NAMES
from tests.explorer.test_hostile import check

FORMULA = re.compile(r"[=+\-@\t\r]")
COLUMNS = 1_000_000
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("rows", {}), ("rows", {"show": "hex"}), ("row", {"key": "row"}), ("cell", {"key": "row", "column": "f:q"}),
    ("scan", {}), ("download", {"format": "csv"}), ("download", {"format": "jsonl"}),
)  # fmt: skip


@pytest.fixture(autouse=True)
def budgets(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[_budget.Budget]]:
    """The budget of each query. At the end of a test: no query read more than its limit and one batch of cells."""
    made: list[_budget.Budget] = []

    class Noted(_budget.Budget):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(_routes, "Budget", Noted)
    yield made
    assert all(one.bytes <= one.limits.bytes + (17 << 20) for one in made)


@pytest.mark.parametrize("name", HOSTILE)
def test_downloads_contain_no_formulas(visitor: Visitor, db: rs.Database, name: str) -> None:
    value = HOSTILE[name]
    db.table("t").put("row", {"f:q": value}, timestamp=7)
    text = visitor.get("download", format="csv").body.decode("ascii")
    [_, [key, column, stamp, field]] = list(csv.reader(io.StringIO(text, newline="")))
    assert (key, column, stamp, from_printable(field)) == ("row", "f:q", "7", value)
    assert not FORMULA.match(field) or re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", field)
    [line] = visitor.get("download", format="jsonl").body.decode("ascii").splitlines()
    assert from_printable(json.loads(line)["cells"][0]["value"]) == value


@pytest.mark.parametrize("name", NAMES)
def test_scans_from_hostile_keys(visitor: Visitor, db: rs.Database, name: str) -> None:
    text = printable(HOSTILE[name])
    if len(text) > 5_000:
        text = text[:5_000]
    answer = visitor.get("scan", first=text, prefix=text, columns=f"f:{text.split()[0] if text.split() else ''}"[:900])
    assert answer.status in (200, 400), answer.html
    check(answer.html)


@pytest.mark.parametrize("name", HOSTILE)
def test_sql_results_escape_hostile_values(visitor: Visitor, db: rs.Database, name: str) -> None:
    pytest.importorskip("duckdb")
    from tests.explorer.test_sql import run

    value = HOSTILE[name]
    db.table("t").put(value[:30_000], {b"f:" + value[:300]: value})
    answer = run(visitor, 'SELECT *, value AS "</th><script>" FROM cells')
    assert "Result" in answer.text
    check(answer.html)
    check(run(visitor, "SELECT try(decode(value)) FROM cells").html)
    check(run(visitor, "SELECT '" + value[:500].decode("latin-1").replace("'", "''") + "' AS x").html)


@pytest.mark.parametrize("name", [name for name in NAMES if len(HOSTILE[name]) < 1_000])
def test_attributes_of_a_table(visitor: Visitor, db: rs.Database, name: str) -> None:
    """Attributes of tables and of codecs are shown on the page of the table, which has no query."""
    text = HOSTILE[name].decode("utf-8", "replace")
    db.admin.alter_table("t", attributes={f"note {text}": text})
    check(visitor.request("GET", "/tables/t").html)
    check(visitor.get("rows").html)


def test_pages_of_ten_megabytes_are_small(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("row", {"f:q": b"\xff" * ((10 << 20) - 200), "g:q": b"[" * ((10 << 20) - 200)})
    for page, query in PAGES[:5]:
        answer = visitor.get(page, **query)
        assert len(answer.body) < 100_000
        check(answer.html)
    assert visitor.get("download", format="csv").status == 200


def test_a_row_of_a_million_columns(visitor: Visitor, db: rs.Database) -> None:
    table = db.table("t")
    for start in range(0, COLUMNS, 50_000):
        table.put("row", {f"f:{number:06}": "v" for number in range(start, start + 50_000)})
    for page, query in (*PAGES[:3], ("scan", {}), ("rows", {"skip": "99999999"}), ("row", {"key": "row", "skip": "1"})):
        answer = visitor.get(page, **query)
        assert answer.status == 200
        assert len(answer.body) < 200_000
    assert "f:999999" in visitor.text("rows", skip=COLUMNS - 10)


def test_no_page_has_invisible_characters(visitor: Visitor, db: rs.Database) -> None:
    """Every character that Unicode calls a format, control, private or unassigned one is shown as an escape."""
    letters = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cf", "Cc", "Co", "Cn")]
    text = "".join(letters[:: max(len(letters) // 900, 1)])
    for place in range(0, len(text), 100):
        db.table("t").put(f"k{place:04}", {"f:q": f"text {text[place : place + 100]}"})
    html = visitor.get("rows", limit=200).html
    assert not [letter for letter in html if unicodedata.category(letter) in ("Cf", "Co", "Cn")]
