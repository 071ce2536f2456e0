"""Rows of a table: keys, prefixes, columns, filters, pages forward and sideways, types of values."""

from __future__ import annotations

import re

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.keys import parse_key
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data.scan import curl_code, python_code, shell_code
from tests.explorer.conftest import Visitor


@pytest.fixture
def numbers(db: rs.Database) -> rs.Table:
    """Rows ``k000`` to ``k249`` with their number, and every tenth with another column."""
    table = db.table("t")
    with table.batch() as batch:
        for number in range(250):
            batch.put(f"k{number:03}", {"f:n": str(number), **({"g:tens": "yes"} if number % 10 == 0 else {})})
    return table


def shown_keys(visitor: Visitor, table: str = "t", **query: object) -> list[str]:
    html = visitor.get("rows", table, **query).html
    return re.findall(r"<code>(k\d{3})</code></a>", html)


def test_pages_forward_reach_every_row_once(visitor: Visitor, numbers: rs.Table) -> None:
    found, path = [], "/rows/t?limit=99"
    while path:
        answer = visitor.request("GET", path)
        found += re.findall(r"<code>(k\d{3})</code></a>", answer.html)
        after = re.search(r'href="([^"]+)">Next rows', answer.html)
        path = after[1].replace("&amp;", "&") if after else ""
    assert found == [f"k{number:03}" for number in range(250)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"first": "k247"}, ["k247", "k248", "k249"]),
        ({"prefix": "k01"}, [f"k01{digit}" for digit in range(10)]),
        ({"prefix": "k01", "first": "k018"}, ["k018", "k019"]),
        ({"prefix": "k01", "after": "k018"}, ["k019"]),
        ({"first": r"k24\x38"}, ["k248", "k249"]),
        ({"columns": "g:tens", "first": "k200"}, ["k200", "k210", "k220", "k230", "k240"]),
        ({"filter": "ValueFilter(=, 'binary:7')"}, ["k007"]),
        ({"filter": "PageFilter(2)"}, ["k000", "k001"]),
        ({"filter": "WHILE ValueFilter(<, 'binary:11')", "columns": "f"}, ["k000", "k001"]),
        ({"prefix": "zzz"}, []),
    ],
)
def test_queries_select_their_rows(
    visitor: Visitor, numbers: rs.Table, query: dict[str, str], expected: list[str]
) -> None:
    assert shown_keys(visitor, **query) == expected


def test_a_page_of_exactly_the_last_rows_has_no_next(visitor: Visitor, numbers: rs.Table) -> None:
    assert "Next rows" not in visitor.text("rows", prefix="k01", limit=10)
    assert "Next rows" in visitor.text("rows", prefix="k01", limit=9)


def test_wide_rows_are_paged_sideways(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("wide", {f"f:c{number:03}": str(number) for number in range(60)})
    first = visitor.text("rows")
    assert ("c023" in first, "c024" in first, "Further columns" in first) == (True, False, True)
    last = visitor.text("rows", skip=48)
    assert ("c047" in last, "c048" in last, "c059" in last, "Further columns" in last) == (False, True, True, False)


def test_a_filter_sees_all_columns_of_a_wide_row(visitor: Visitor, db: rs.Database) -> None:
    for key, last in (("k001", "x"), ("k002", "y"), ("k003", "x")):
        db.table("t").put(key, {f"f:c{number:03}": "1" for number in range(59)} | {"f:c059": last})
    where = {"where": "f:c059", "comparison": "is", "value": "x"}
    assert shown_keys(visitor, **where) == ["k001", "k003"]
    assert "c023" in visitor.text("rows", **where)
    last = visitor.text("rows", skip=48, **where)
    assert ("c047" in last, "c048" in last, "Further columns" in last) == (False, True, False)
    assert shown_keys(visitor, skip=60, **where) == []


def test_few_columns_are_columns_of_the_grid(visitor: Visitor, numbers: rs.Table) -> None:
    html = visitor.get("rows", limit=3).html
    assert "<th><code>f:n</code></th><th><code>g:tens</code></th>" in html


def test_types_are_declared_or_guessed(visitor: Visitor, db: rs.Database) -> None:
    codecs.declare(db, "t", {"f:age": "int32"})
    number = (36).to_bytes(8, "big")
    db.table("t").put("ada", {"f:age": b"\0\0\0$", "f:count": number, "g:doc": b'{"a": 1}', "g:bad": b"\xff\xfe\x00"})
    text = visitor.text("rows")
    for shown in ("36 int32 ·", "36 int64? ·", '{"a": 1} JSON? ·', r"\xFF\xFE\x00 bytes? · 3 B"):
        assert shown in text
    assert "00 00 00 24" in visitor.text("rows", show="hex")
    db.table("t").put("ada", {"f:age": "not four"})
    assert "not four not int32" in visitor.text("rows")


def test_dates_come_from_the_timestamps(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("a", {"f:old": "1"}, timestamp=7)
    db.table("t").put("a", {"f:new": "1"}, timestamp=4_000_000_000_000)
    text = visitor.text("rows")
    assert re.search(r"1 decimal\? · 1 B 2096-10-02 07:06:40 \(in \d+ d", text)
    assert "1 decimal? · 1 B timestamp 7" in text


def test_a_wrong_query_keeps_its_form(visitor: Visitor) -> None:
    answer = visitor.get("rows", filter="ValueFilter(", prefix="a")
    assert answer.status == 400
    assert "closing parenthesis" in answer.text
    assert 'value="ValueFilter("' in answer.html
    assert visitor.get("rows", columns="none:x").status == 400
    assert visitor.get("rows", "none").status == 404


def test_the_scan_page_has_the_cost(visitor: Visitor, numbers: rs.Table) -> None:
    assert "FULL SCAN, everything: at most 275 cells examined" in visitor.text("scan")
    assert "a range of keys" in visitor.text("scan", prefix="k01")
    assert "an empty range: nothing is read" in visitor.text("scan", prefix="k01", first="k02")


QUERIES = [
    Query("t", limit=3),
    Query("t", prefix=b"k01"),
    Query("t", start=b"k240", columns=(b"f:n", b"g"), filter="ValueFilter(!=, 'binary:#{1}\"')", limit=200),
    Query("t", prefix=b"k0", start=b"k095"),
]


def expected(query: Query, table: rs.Table) -> list[bytes]:
    first, stop, _ = query.range()
    columns = list(query.columns) or None
    filter = query.parsed_filter()
    return [row.key for row in table.scan(first, stop, columns=columns, filter=filter, limit=query.limit)]


@pytest.mark.parametrize("query", QUERIES)
def test_code_gives_the_same_rows(
    db: rs.Database,
    numbers: rs.Table,
    query: Query,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from rowstone.cli import shell

    wanted = expected(query, numbers)
    assert wanted

    class Kept:
        def __enter__(self) -> rs.Database:
            return db

        def __exit__(self, *_: object) -> None:
            """Leaves it open."""

    monkeypatch.setattr(rs, "connect", lambda target: Kept())
    exec(python_code(query, ":memory:"), {})
    assert [eval(line.partition(" {")[0]) for line in capsys.readouterr().out.splitlines()] == wanted
    shell.run_shell(db, interactive=False, commands=shell_code(query))
    lines = [line.split()[0].encode() for line in capsys.readouterr().out.splitlines() if "column=" in line]
    assert list(dict.fromkeys(lines)) == wanted


@pytest.mark.parametrize("query", QUERIES)
def test_curl_gives_the_same_rows(db: rs.Database, numbers: rs.Table, query: Query) -> None:
    import base64
    import json
    import shlex
    from urllib.request import Request, urlopen

    from rowstone.server import rest

    with rest.serve(db, port=0) as gateway:
        url = shlex.split(curl_code(query))[-1].replace("localhost:8080", f"127.0.0.1:{gateway.port}")
        with urlopen(Request(url, headers={"Accept": "application/json"})) as answer:
            rows = json.load(answer)["Row"]
    assert [base64.b64decode(row["key"]) for row in rows] == expected(query, numbers)


LAYOUT = "text('host'), reverse_time('at')"


def test_parts_of_row_keys(visitor: Visitor, db: rs.Database) -> None:
    key = parse_key(LAYOUT)
    for host in ("web1", "web2"):
        db.table("t").put(key.encode(host=host, at=1_700_000_000_000), {"f:q": host})
    db.table("t").put("web3", {"f:q": "no such key"})
    text = visitor.text("rows", layout=LAYOUT)
    assert "host='web1' · at=1700000000000" in text
    assert "web3 does not have these parts: text('host'): nothing ends the text at 0" in text
    db.table("t").put("rail-113", {"f:q": "v"})
    assert "line='rail' · rest='113'" in visitor.text("rows", layout="text('line', end='-'), text('rest')")
    text = visitor.text("rows", layout=LAYOUT, prefix="host='web2'")
    assert ("'web1'" in text, "'web2'" in text) == (False, True)
    assert "prefix=b'web2\\x00'" in visitor.text("scan", layout=LAYOUT, prefix="host='web2'")


@pytest.mark.parametrize(
    ("layout", "prefix"),
    [
        ("__import__('os')", ""),
        ("text('host')", "host=open('/etc/passwd')"),
        ("text('host')", "host='a') or ('b'"),
        ("text('host')", "other='a'"),
        ("text('host')", "host=" + "[" * 900),
        ("salt(8), text('host'), int64('n')", "host='a'"),
    ],
)
def test_wrong_parts_of_keys(visitor: Visitor, layout: str, prefix: str) -> None:
    assert visitor.get("rows", layout=layout, prefix=prefix).status == 400


def test_curl_of_keys_that_are_not_text(visitor: Visitor) -> None:
    assert "not UTF-8" in visitor.text("scan", prefix=r"\xFF")


def test_copied_python_reads_a_directory_that_is_open_for_writing() -> None:
    assert "rs.connect('./crawl', read_only=True)" in python_code(Query("t"), "./crawl")
    assert "rs.connect('hbase://host:16000')" in python_code(Query("t"), "hbase://host:16000")


def test_the_table_page_takes_escaped_keys(visitor: Visitor, db: rs.Database) -> None:
    db.create_table("split", ["f"], splits=["m"])
    html = visitor.request("GET", r"/tables/split?from=\x6d").html
    assert ("<code>m</code>" in html, "beginning" in html) == (True, False)


def test_a_prefix_without_keys_is_named_with_the_next_key(visitor: Visitor, numbers: rs.Table) -> None:
    assert "No rows. No key begins with k1x ; the next key is k200 ." in visitor.text("rows", prefix="k1x")
    assert "No key begins with zzz ; no key comes after it." in visitor.text("rows", prefix="zzz")
    assert "No key begins" not in visitor.text("rows", prefix="k01", filter="ValueFilter(=, 'binary:none')")
    # Keys that have no such column are not examined.
    assert "No key begins" not in visitor.text("rows", prefix="k001", columns="g:tens")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"prefix": r"kassel\xZZ"}, r"Row prefix 'kassel\xZZ': '\xZZ' is not a byte"),
        ({"first": "\\x"}, "Start row"),
        ({"columns": r"f:\x0"}, "is not a byte"),
        ({"columns": "status"}, "no column family 'status': a column is family:qualifier; the families are: f, g"),
        ({"filter": "status = new"}, "'status = new' is not a filter: a filter looks like Name('argument', ...)"),
        ({"filter": "ValueFilter(=, 'x'"}, "such as ValueFilter(=, 'substring:word') or SingleColumnValueFilter("),
    ],
)
def test_a_wrong_query_says_what_is_right(visitor: Visitor, query: dict[str, str], words: str) -> None:
    for page in ("rows", "scan"):
        answer = visitor.get(page, **query)
        assert answer.status == 400
        assert words.lower() in answer.text.lower()
        assert "Show rows" in answer.text


def test_the_rows_page_explains_itself(visitor: Visitor, numbers: rs.Table) -> None:
    answer = visitor.get("rows", limit=3)
    assert "Row prefix: only keys that begin with it" in answer.text
    assert "its type (with ? if it is guessed)" in answer.text
    assert answer.html.count("Next rows") == 2
    assert "CNN" not in answer.html


def test_one_table_is_not_plural(visitor: Visitor) -> None:
    assert "1 table " in visitor.request("GET", "/tables").text


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"where": "f:n", "value": "42"}, ["k042"]),
        ({"where": "f:n", "comparison": "begins", "value": "12"}, ["k012", *(f"k12{digit}" for digit in range(10))]),
        ({"where": "f:n", "comparison": "matches", "value": "^(7|9)$"}, ["k007", "k009"]),
        ({"where": "f:n", "comparison": "at-least", "value": "98"}, ["k098", "k099"]),
        ({"where": "g:tens", "comparison": "is-not", "value": "no"}, [f"k{number:03}" for number in range(0, 250, 10)]),
        ({"where": "g:tens", "comparison": "contains", "value": "o'clock"}, []),
        ({"comparison": "contains", "value": "k24"}, [f"k24{digit}" for digit in range(10)]),
        ({"where": "f:n", "value": "42", "columns": "g"}, ["k042"]),
        ({"where": "f:n", "comparison": "less", "value": "2", "filter": "PrefixFilter('k00')"}, ["k000", "k001"]),
    ],
)
def test_a_condition_of_the_form_is_a_filter(
    visitor: Visitor, numbers: rs.Table, condition: dict[str, str], expected: list[str]
) -> None:
    assert shown_keys(visitor, **condition, limit=50) == expected
    assert "Filter(" in visitor.get("rows", **condition).html


def test_a_condition_checks_only_the_newest_version(visitor: Visitor, db: rs.Database) -> None:
    db.create_table("versions", {"f": rs.Family(max_versions=3)})
    for word in ("old", "new"):
        db.table("versions").put("k001", {"f:n": word})
    assert shown_keys(visitor, "versions", where="f:n", value="new") == ["k001"]
    assert shown_keys(visitor, "versions", where="f:n", value="old") == []


def test_a_wrong_condition_keeps_the_form(visitor: Visitor, numbers: rs.Table) -> None:
    answer = visitor.get("rows", where="name", value="42")
    assert answer.status == 400
    assert "is not a column: write family:qualifier" in answer.html
    assert 'value="name"' in answer.html
    assert "is not a comparison" in visitor.get("rows", where="f:n", comparison="<script>", value="1").html.replace(
        "&#x27;", "'"
    )
