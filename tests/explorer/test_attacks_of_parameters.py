"""Attacks with parameters: limits given twice, key expressions, filters and SQL that explode."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

import rowstone as rs
from rowstone.server.dashboard.data import _budget, _routes
from tests.explorer.conftest import Visitor
from tests.explorer.test_hostile import check

TWICE = (
    "limit=1&limit=99999999", "limit=99999999&limit=0", "limit=%D9%A9%D9%A9%D9%A9%D9%A9", "limit=+200", "limit=2e9",
    "limit[]=9999", "LIMIT=9999", "limit=%00200", "limit=200;limit=9999", "skip=-1&limit=9999", "limit=0x7fffffff",
)  # fmt: skip


@pytest.mark.parametrize("query", TWICE)
def test_no_parameter_lifts_a_limit(visitor: Visitor, db: rs.Database, query: str) -> None:
    with db.table("t").batch() as batch:
        for number in range(1_000):
            batch.put(f"k{number:04}", {"f:q": "v"})
    answer = visitor.request("GET", f"/rows/t?{query}")
    assert answer.status == 200
    assert 1 <= answer.html.count('class="value"') <= _budget.PAGE.rows


def test_downloads_are_limited_despite_larger_parameters(
    visitor: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[_budget.Budget] = []
    whole = _routes.Budget
    monkeypatch.setattr(_routes, "Budget", lambda limits: made.append(whole(limits)) or made[-1])
    for number in range(40):
        db.table("t").put(f"k{number:02}", {"f:q": "x" * (1 << 20)})
    answer = visitor.request("GET", "/download/t?format=csv&limit=99999999&rows=99999&bytes=9999999999&seconds=9999")
    assert re.search(r"t-first-3\d-rows", answer.headers["content-disposition"])
    assert 0 < made[0].bytes <= _budget.DOWNLOAD.bytes + (17 << 20)


LAYOUTS = {
    "nested calls": "text(" * 300 + "'a'" + ")" * 300,
    "nested brackets": "[" * 900,
    "power": "text('a' * 10**10)",
    "large number": f"salt({'9' * 900}), text('a')",
    "attribute": "text.__globals__['os'].system('id')",
    "comprehension": "[text('a') for _ in range(10**9)]",
    "lambda": "(lambda: text('a'))()",
    "string of formats": "text(f'{open(1)}')",
    "many parts": ", ".join(f"text('a{number}')" for number in range(400)),
    "spaces": " " * 20_000 + "x",
    "keyword": "text(name='a', **{})",
    "zero byte": "text('a')\0",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_bombs_in_key_expressions(visitor: Visitor, db: rs.Database, name: str) -> None:
    db.table("t").put("r", {"f:q": "v"})
    answer = visitor.request("GET", f"/rows/t?layout={quote(LAYOUTS[name])}")
    assert answer.status in (200, 400), answer.html
    check(answer.html)
    assert "uid=" not in answer.html


EXPRESSIONS = ("(a|a)*$", "(a|aa)+$", "(.*a){30}$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_that_backtrack_end(visitor: Visitor, db: rs.Database, expression: str) -> None:
    """The engine matches them in steps that it counts: the answer is a page, or the limit of steps."""
    db.table("t").put("r", {"f:q": "a" * 5_000 + "!"})
    answer = visitor.get("rows", filter=f"ValueFilter(=, 'regexstring:{expression}')")
    assert answer.status in (200, 400), answer.html
    check(answer.html)


QUERIES = (
    "SELECT " + "(" * 3_000 + "1" + ")" * 3_000,
    "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a",
    "SELECT list(r) FROM range(1000000000) AS t(r)",
    "SELECT regexp_matches(repeat('a', 100000), '(a|a)*$')",
)


@pytest.mark.parametrize("query", QUERIES)
def test_large_queries_of_sql_end(visitor: Visitor, db: rs.Database, query: str) -> None:
    """By a limit of seconds or of memory, and the next query is answered."""
    pytest.importorskip("duckdb")
    from tests.explorer.test_sql import run

    db.table("t").put("r", {"f:q": "v"})
    answer = run(visitor, query)
    assert answer.status in (200, 400)
    check(answer.html)
    assert "42" in run(visitor, "SELECT 6 * 7").text
