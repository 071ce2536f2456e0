"""SQL over a table, and what it cannot do."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.server.dashboard import serve
from rowstone.server.dashboard.data import _budget
from rowstone.server.dashboard.data.sql import _query, _view
from rowstone.server.dashboard.data.sql.examples import EXAMPLES
from tests.explorer.conftest import NOW, Answer, Visitor

pytest.importorskip("duckdb")


def run(visitor: Visitor, query: str) -> Answer:
    """The result of a query, with the token of the page's form."""
    token = re.search(r'name="token" value="([0-9a-f]+)"', visitor.get("sql").html)
    assert token is not None
    return visitor.get("sql", query=query, token=token[1])


@pytest.fixture
def people(db: rs.Database) -> rs.Table:
    codecs.declare(db, "t", {"f:age": "int32", "f:name": "text"})
    table = codecs.typed(db.table("t"))
    for name, age in (("ada", 36), ("bob", 25), ("eve", 61)):
        table.put(name, {"f:age": age, "f:name": name.title()})
    return db.table("t")


def test_stored_versions_and_markers(visitor: Visitor, people: rs.Table) -> None:
    people.put("ada", {"f:name": "Lady"}, timestamp=NOW + 1)
    people.delete("bob", ["f:name"])
    query = "SELECT type, count(*) AS n FROM stored GROUP BY type ORDER BY n"
    assert "DeleteColumn 1 Put 7" in run(visitor, query).text


def test_rows_and_cells(visitor: Visitor, people: rs.Table) -> None:
    assert "Eve 61" in run(visitor, 'SELECT "f:name", "f:age" FROM rows WHERE "f:age" > 40').text
    assert "6 3" in run(visitor, "SELECT count(*), count(DISTINCT row) FROM cells").text
    assert "No rows." in run(visitor, 'SELECT * FROM rows WHERE "f:age" > 99').text


def test_an_empty_table(visitor: Visitor) -> None:
    assert "Result 1 row" in run(visitor, "SELECT count(*) FROM cells").text


def test_a_mistake_is_shown_beside_the_query(visitor: Visitor, people: rs.Table) -> None:
    answer = run(visitor, "SELECT nothing FROM rows -- <script>")
    assert "nothing" in answer.text
    assert "&lt;script&gt;</textarea>" in answer.html


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("FROM t", "There is no table 't' here; there are: rows, cells, stored"),
        ("SELECT row FROM rows WHERE row LIKE 'a%'", 'The column is bytes: write decode(row) or decode("f:name")'),
        ('SELECT avg("g:raw") FROM rows', 'CAST(decode("f:name") AS DOUBLE) for a number in it'),
        ('SELECT 1 FROM rows WHERE "g:raw" > 5', "The column is bytes"),
        ('SELECT CAST("g:raw" AS INTEGER) FROM rows', "The column is bytes"),
        ("SELECT f:age FROM rows", "There is no column 'age'; similar names: \"f:age\""),
        ("SELECT 'a' || x FROM rows", "There is no column 'x'"),
        ("SELECT row\nFORM rows", 'syntax error at or near "rows" (line 2)'),
    ],
)
def test_errors_of_duckdb_in_the_terms_of_the_page(
    visitor: Visitor, people: rs.Table, query: str, expected: str
) -> None:
    """Regression: `FROM t` answered 'Did you mean "pg_views"?', and LIKE of a key "No function matches '~~(BLOB'"."""
    people.put("ada", {"g:raw": "7"})
    text = run(visitor, query).text
    assert expected in text
    assert "pg_views" not in text
    assert "type casts" not in text


def test_a_result_as_csv(visitor: Visitor, people: rs.Table) -> None:
    people.put("=1+1", {"f:name": "=Zoë"})
    query = 'SELECT row, "f:name", "f:age", 1234567 AS n FROM rows ORDER BY row'
    page = run(visitor, query)
    assert "1,234,567" in page.text
    address = re.search(r'href="(/result/[^"]+)">CSV', page.html)
    assert address is not None
    answer = visitor.request("GET", unescape(address[1]))
    assert answer.body.decode().splitlines() == [
        "row,f:name,f:age,n",
        "\\x3D1+1,\\x3DZoë,,1234567",
        "ada,Ada,36,1234567",
        "bob,Bob,25,1234567",
        "eve,Eve,61,1234567",
    ]
    assert answer.headers["content-disposition"] == 'attachment; filename="t-result.csv"'
    refused = visitor.get("result", query=query)
    assert (refused.status, "does not come from the page for SQL" in refused.text) == (400, True)


def test_a_csv_that_a_limit_ended_says_so(visitor: Visitor, people: rs.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    address = re.search(r'href="(/result/[^"]+)">CSV', run(visitor, "FROM range(20000)").html)
    assert address is not None
    answer = visitor.request("GET", unescape(address[1]))
    assert len(answer.body.splitlines()) == 1 + _budget.DOWNLOAD.rows
    assert "t-result-first-10000-rows.csv" in answer.headers["content-disposition"]
    monkeypatch.setattr(_view, "VIEW", replace(_view.VIEW, rows=2))
    assert (
        "t-result-part.csv"
        in visitor.request("GET", unescape(address[1]).replace("20000", "5")).headers["content-disposition"]
    )


def test_the_largest_rows_count_all_stored_versions(visitor: Visitor, db: rs.Database) -> None:
    """Regression: a row of 175 versions counted the 31 bytes of its newest values."""
    for number in range(3):
        db.table("t").put("many", {"f:q": f"v{number}"}, timestamp=number + 1)
    db.table("t").put("one", {"f:q": bytes(50)})
    db.table("t").delete("many", ["g:none"])
    text = run(visitor, EXAMPLES["largest rows"]).text.partition("Result")[2]
    size = 20 + len("many") + len("fq")
    assert f"many 4 {3 * (size + 2) + 20 + len('many') + len('gnone')} one 1 {size - 1 + 50}" in text
    assert "All 2 rows of the table were read." in text


def test_a_query_of_several_lines_can_run_again(visitor: Visitor, people: rs.Table) -> None:
    answer = run(visitor, "SELECT count(*)\r\nFROM cells")
    assert "SELECT count(*)\nFROM cells</textarea>" in answer.html
    assert "Result" in answer.text


FORBIDDEN = [
    "SELECT * FROM read_text('{}')",
    "SELECT * FROM read_csv('{}')",
    "SELECT * FROM '{}'",
    "SELECT * FROM glob('{}')",
    "FROM sniff_csv('{}')",
    "SELECT * FROM query('SELECT * FROM read_text(''{}'')')",
    "SELECT * FROM read_text('http://127.0.0.1:1/')",
    "ATTACH '{}' AS other",
    "COPY cells TO '{}.out'",
    "EXPORT DATABASE '{}.out'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA enable_external_access",
    "CREATE TABLE other AS SELECT 1",
    "DROP VIEW cells",
    "CALL pragma_version()",
    "SELECT 1; SELECT 2",
    "SELECT getenv('HOME')",
    "EXPLAIN ANALYZE SELECT 1",
    "/* */ EXPLAIN ANALYZE COPY cells TO '{}.out'",
    "EXPLAIN ANALYZE COPY cells TO '{}.out'",
    "EXPLAIN (ANALYZE) COPY cells TO '{}.out'",
    "EXPLAIN COPY cells TO '{}.out'",
    "EXPLAIN EXPLAIN ANALYZE SELECT 1",
    "SELECT * FROM source",
    "SELECT * FROM budget",
    "",
]


@pytest.mark.parametrize("query", FORBIDDEN)
def test_forbidden_queries_are_refused(visitor: Visitor, people: rs.Table, tmp_path: Path, query: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("name,word\nx,swordfish\n")
    answer = run(visitor, query.format(secret))
    assert "swordfish" not in answer.html
    assert "Result" not in answer.text
    assert list(tmp_path.iterdir()) == [secret]


@pytest.mark.parametrize(
    "query",
    ["FROM read_text('.tmp/secret')", "FROM glob('.tmp/*')", "EXPLAIN ANALYZE COPY cells TO '.tmp/out'"],
)
def test_the_folder_of_temporary_files_is_closed(
    visitor: Visitor, people: rs.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".tmp").mkdir()
    (tmp_path / ".tmp" / "secret").write_text("swordfish")
    answer = run(visitor, query)
    assert "swordfish" not in answer.html
    assert "Result" not in answer.text
    assert [path.name for path in (tmp_path / ".tmp").iterdir()] == ["secret"]


def test_explain_of_a_select(visitor: Visitor, people: rs.Table) -> None:
    assert "Result" in run(visitor, "EXPLAIN SELECT count(*) FROM cells").text


def test_a_result_over_a_part_of_the_table_says_so(
    visitor: Visitor, people: rs.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "All 3 rows of the table were read." in run(visitor, "SELECT count(*) FROM cells").text
    monkeypatch.setattr(_view, "VIEW", replace(_view.VIEW, rows=2))
    assert "Only the first 2 rows of about 3 were read, before 'eve'" in run(visitor, "SELECT count(*) FROM cells").text


def test_addresses_have_no_token_that_allows_changes(writer: Visitor, people: rs.Table) -> None:
    assert writer.token() not in writer.get("sql").html


def test_a_link_of_another_site_does_not_run(visitor: Visitor, people: rs.Table) -> None:
    answer = visitor.get("sql", query="SELECT 6 * 7")
    assert "SELECT 6 * 7</textarea>" in answer.html
    assert "Result" not in answer.text


def test_a_long_query_is_interrupted(db: rs.Database, people: rs.Table) -> None:
    budget = _budget.Budget(_budget.QueryLimits(200, 1 << 20, 0.2))
    with pytest.raises(rs.errors.InvalidArgument, match="ended the query"):
        _query.run_query(people, "SELECT count(*) FROM range(100000000000)", budget)


def test_a_client_that_disconnects_interrupts_its_query(db: rs.Database, people: rs.Table) -> None:
    budget = _budget.Budget(_budget.PAGE)
    budget.cancel()
    with pytest.raises(_budget.Cancelled):
        _query.run_query(people, "SELECT count(*) FROM range(100000000000)", budget)


def test_results_are_cut(visitor: Visitor, people: rs.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run(visitor, "SELECT range, repeat('x', 1000) FROM range(1000)")
    assert "The first 200 rows" in answer.text
    assert len(answer.body) < 100_000
    monkeypatch.setattr(_view, "VIEW", replace(_view.VIEW, rows=2))
    assert "Result 1 row" in run(visitor, "SELECT 1 FROM (SELECT count(*) AS n FROM rows) WHERE n = 2").text


def test_a_wide_table_has_cells_only(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("wide", {f"f:{number}": "v" for number in range(1_000)})
    assert "1,000" in run(visitor, "SELECT count(*) FROM cells").text
    text = run(visitor, "SELECT * FROM rows").text
    assert "Result" not in text
    assert "Table 'rows' has at most 300 columns, and this table has 1000: use 'cells'" in text


def test_the_dashboard_of_a_server_has_no_sql(db: rs.Database) -> None:
    with serve(db, data=True) as page:
        visitor: Any = Visitor(page.url.rstrip("/"))
        answer = visitor.get("sql")
        assert (answer.status, "SQL is only in rowstone explore" in answer.text) == (404, True)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(visitor: Visitor, people: rs.Table, name: str) -> None:
    query = EXAMPLES[name].replace("KEY 1", "ada").replace("KEY 2", "bob")
    text = run(visitor, query).text
    assert "Result" in text
    assert "ada" in text or "Ada" in text or "name" in text


def test_a_link_to_an_example_runs_it(visitor: Visitor, people: rs.Table) -> None:
    """Regression: an example led to a warning about its address."""
    html = visitor.get("sql").html
    links = {name: unescape(to) for to, name in re.findall(r'<a href="(/sql/[^"]+)">([^<]+)</a>', html)}
    assert list(links) == list(EXAMPLES)
    assert "Result 3 rows" in visitor.request("GET", links["largest rows"]).text
    text = visitor.request("GET", links["two rows side by side"]).text
    assert ("Example loaded: replace KEY 1 and KEY 2" in text, "Result" in text) == (True, False)
    text = visitor.text("sql", query=EXAMPLES["largest rows"])
    assert ("Example loaded: change it" in text, "Result" in text) == (True, False)


def test_the_page_of_a_table_leads_to_its_largest_rows(visitor: Visitor, people: rs.Table) -> None:
    found = re.search(r'<a href="([^"]+)">largest rows</a>', visitor.get("tables").html)
    assert found is not None
    assert "ada" in visitor.request("GET", unescape(found[1])).text.partition("Result")[2]


def test_columns_that_differ_between_two_rows_come_first(visitor: Visitor, people: rs.Table) -> None:
    people.put("bob", {"f:age": people.get("ada")["f:age"]})
    query = EXAMPLES["two rows side by side"].replace("KEY 1", "ada").replace("KEY 2", "bob")
    assert re.search(r"name Ada Bob True f age .* False", run(visitor, query).text)


def test_keys_in_a_result_lead_to_their_rows(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put(b"<b>\x00", {"f:q": "v"})
    html = run(visitor, "SELECT row, value AS other FROM cells").html
    assert '<a href="/row/t?key=%3Cb%3E%5Cx00"><code>&lt;b&gt;\\x00</code></a>' in html
    assert html.count("/row/t?key=") == 1


@pytest.mark.parametrize("limit", ["rows", "bytes", "cells"])
def test_a_query_sees_a_bounded_part_of_the_table(db: rs.Database, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    table = db.table("t")
    for number in range(10):
        table.put(f"k{number}", {"f:q": bytes(1_000), "f:r": b""})
    limits = {"rows": replace(_view.VIEW, rows=3), "bytes": replace(_view.VIEW, bytes=3_999)}
    monkeypatch.setattr(_view, "VIEW", limits.get(limit, _view.VIEW))
    monkeypatch.setattr(_view, "MOST_CELLS", 7 if limit == "cells" else 500_000)
    assert _view.find_view(table, _budget.Budget(_budget.PAGE)).end == b"k3"


def test_a_row_beyond_the_limits_is_named(visitor: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db.table("t").put("large", {"f:q": bytes(5_000)})
    monkeypatch.setattr(_view, "VIEW", replace(_view.VIEW, bytes=4_000))
    assert "row 'large' alone is beyond the limits" in run(visitor, "SELECT 1 FROM cells").text.lower()
