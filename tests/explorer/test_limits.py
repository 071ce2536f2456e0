"""No query reads more rows or bytes, or runs longer, than its limit; a client that disconnects ends its query."""

from __future__ import annotations

import http.client
import re
import threading
from html import unescape
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from rowstone._core.inspect.explain_missing import explain_missing
from rowstone.server.dashboard import explore
from rowstone.server.dashboard.data import _reader, _routes, rows
from rowstone.server.dashboard.data._budget import PAGE, Budget, Cancelled, QueryLimits
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data.row import _missing
from tests.explorer.conftest import Visitor, admit


class Clock:
    """A clock that moves on by a step each time it is read."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def many(db: rs.Database) -> rs.Table:
    """5,000 rows."""
    table = db.table("t")
    with table.batch() as batch:
        for number in range(5_000):
            batch.put(f"k{number:04}", {"f:q": "v" * 100})
    return table


NOTHING = "ValueFilter(=, 'binary:none')"


def test_a_filter_that_matches_nothing_ends_by_time(many: rs.Table) -> None:
    budget = Budget(QueryLimits(200, 1 << 20, 5.0), Clock(1.0))
    page = _reader.read_page(many, Query("t", filter=NOTHING), budget, rows=20)
    assert (page.rows, page.limit) == ([], "seconds")
    assert page.after is not None
    assert 0 < page.examined < 5_000
    after = _reader.read_page(many, Query("t", filter=NOTHING, after=page.after), Budget(PAGE, Clock(0)), rows=20)
    assert (after.after, page.examined + after.examined) == (None, 5_000)


@pytest.mark.parametrize("query", [Query("t", columns=(b"f:none",)), Query("t", filter=NOTHING)])
def test_pieces_of_the_range_are_bounded(many: rs.Table, query: Query, monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[_reader.Piece] = []
    whole = _reader.end_of_piece

    def noted(*given: Any) -> _reader.Piece:
        ends.append(whole(*given))
        return ends[-1]

    monkeypatch.setattr(_reader, "end_of_piece", noted)
    _reader.read_page(many, query, Budget(PAGE, Clock(0)), rows=20)
    assert len(ends) > 2
    assert all(piece.rows <= _reader._MOST_PIECE_ROWS for piece in ends)


@pytest.mark.parametrize("value", [b"", bytes(1 << 20)])
def test_pieces_are_bounded_by_cells_and_bytes(db: rs.Database, monkeypatch: pytest.MonkeyPatch, value: bytes) -> None:
    """A filter that matches nothing reads few large rows in one native call."""
    monkeypatch.setattr(_reader, "_MOST_PIECE_CELLS", 100)
    for number in range(30):
        db.table("t").put(f"k{number:02}", {f"f:{column:02}": value for column in range(1 if value else 30)})
    range_of_all, budget = (b"", b"", True), Budget(PAGE)
    piece = _reader.end_of_piece(db.table("t"), Query("t"), range_of_all, 50, budget)
    assert (1 <= piece.rows <= 10, piece.is_last) == (True, False)
    page = _reader.read_page(db.table("t"), Query("t", filter=NOTHING), budget, rows=20)
    assert (page.rows, page.after, page.limit, page.examined) == ([], None, "", 30)


def test_one_row_of_many_cells_does_not_stop_a_query(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_reader, "_MOST_PIECE_CELLS", 100)
    db.table("t").put("a", {f"f:{column:04}": "v" for column in range(1_000)})
    db.table("t").put("b", {"f:q": "v"})
    page = _reader.read_page(db.table("t"), Query("t"), Budget(PAGE), rows=20)
    assert [row.key for row in page.rows] == [b"a", b"b"]
    assert page.examined == 2


def test_the_search_for_the_end_of_a_piece_can_be_cancelled(many: rs.Table) -> None:
    budget = Budget(PAGE)
    budget.cancel()
    with pytest.raises(Cancelled):
        _reader.end_of_piece(many, Query("t"), (b"", b"", True), 50, budget)


def test_explanations_of_missing_cells_have_limits(
    visitor: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.create_table("many", {"f": rs.Family(max_versions=1_000)})
    for stamp in range(1, 301):
        db.table("many").put("r", {"f:q": "v" * 100}, timestamp=stamp)
        db.table("many").delete("r", ["f:q"], version=stamp)
    assert "and 101 more" in visitor.text("row", "many", key="r", missing="f:q")
    reads = []

    def spend(byte_count: int) -> None:
        reads.append(byte_count)
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        explain_missing(db.table("many"), b"r", b"f:q", spend)
    assert 0 < reads[0] < 30_000
    budget = Budget(QueryLimits(200, 1_000, 5.0))
    assert "limit of bytes ended the explanation" in str(_missing._explanation(db.table("many"), b"r", b"f:q", budget))


def test_a_row_that_is_skipped_until_the_limit_says_so(
    visitor: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.table("t").put("r", {"f:q": "v"})
    monkeypatch.setattr(Budget, "spend", lambda *_: "seconds")
    text = visitor.text("row", key="r", skip=1_000)
    assert "ended this page before cell 1,001 of the row" in text
    assert "no stored cells" not in text


def test_further_columns_begin_after_those_that_are_shown(visitor: Visitor, db: rs.Database) -> None:
    db.create_table("one", ["f"])
    db.table("one").put("r", {f"f:{number:02}": bytes(3 << 20) for number in range(20)})
    answer, found = visitor.get("rows", "one"), []
    assert "the last row is incomplete" in answer.text
    while link := re.search(r'href="([^"]+)">Further columns', answer.html):
        found += re.findall(r"<code>(f:\d\d)</code>", answer.html)
        answer = visitor.request("GET", unescape(link[1]))
    found += re.findall(r"<code>(f:\d\d)</code>", answer.html)
    assert found == [f"f:{number:02}" for number in range(20)]
    db.table("t").put("r", {f"f:{number:02}": bytes(3 << 20) for number in range(20)})
    assert "Further columns" not in visitor.text("rows")


def test_deleted_rows_are_bounded_too(many: rs.Table) -> None:
    for number in range(5_000):
        many.delete(f"k{number:04}")
    page = _reader.read_page(many, Query("t"), Budget(QueryLimits(200, 1 << 20, 5.0), Clock(1.0)), rows=20)
    assert (page.rows, page.limit) == ([], "seconds")
    assert page.examined < 5_000


def test_bytes_are_bounded(many: rs.Table) -> None:
    page = _reader.read_page(many, Query("t"), Budget(QueryLimits(200, 1_000, 5.0), Clock(0)), rows=200)
    assert page.limit == "bytes"
    assert len(page.rows) == 10
    assert page.after == page.rows[-1].key


def test_a_row_of_large_values_is_not_read_whole(db: rs.Database) -> None:
    db.table("t").put("r", {f"f:{number:02}": bytes(1 << 20) for number in range(40)})
    budget = Budget(QueryLimits(200, 1 << 20, 5.0))
    page = _reader.read_page(db.table("t"), Query("t"), budget, rows=20)
    assert (page.limit, page.rows[0].has_more) == ("bytes", True)
    assert budget.bytes < 17 << 20


def test_cancelling_ends_a_query(many: rs.Table) -> None:
    budget = Budget(PAGE)
    budget.cancel()
    with pytest.raises(Cancelled):
        _reader.read_page(many, Query("t", filter=NOTHING), budget, rows=20)


def test_closing_the_connection_ends_the_query(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended, stop = threading.Event(), threading.Event(), threading.Event()

    def endless(table: rs.Table, query: Query, budget: Budget, *, rows: int) -> Any:
        started.set()
        try:
            while not stop.wait(0.01):
                budget.check()
        except Cancelled:
            ended.set()
            raise

    monkeypatch.setattr(rows, "read_page", endless)
    with explore(db) as page:
        visitor = admit(page)
        place = urlsplit(visitor.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
        connection.request("GET", "/rows/t", headers=visitor.headers)
        try:
            assert started.wait(20)
            connection.close()
            assert ended.wait(20)
        finally:
            stop.set()


@pytest.mark.parametrize("limit", ["200", "201", "99999999", "1e9", "-1", "0", "9" * 400])
def test_huge_limits_are_cut(visitor: Visitor, many: rs.Table, limit: str) -> None:
    answer = visitor.get("rows", limit=limit)
    assert answer.status == 200
    assert answer.html.count('class="value"') <= PAGE.rows


@pytest.mark.parametrize("skip", ["99999999", "9" * 400, "-5", "0x10", "000"])
def test_huge_skips_are_cut(visitor: Visitor, many: rs.Table, skip: str) -> None:
    assert visitor.get("rows", skip=skip).status == 200
    assert visitor.get("row", key="k0001", skip=skip).status == 200


def test_limits_are_shown(visitor: Visitor, many: rs.Table) -> None:
    text = visitor.text("rows")
    assert "A page reads at most 200 rows, 16.0 MiB and 5 seconds." in text
    assert "at most 10,000 rows, 32.0 MiB and 30 seconds" in text
    assert "0 rows of 5,000 examined" in visitor.text("rows", filter=NOTHING)


def test_only_four_queries_run_at_once(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all slots taken a query gets 503."""
    monkeypatch.setattr(_routes, "_WAIT_SECONDS", 0.01)
    slots = threading.BoundedSemaphore(1)
    slots.acquire()

    state = SimpleNamespace(view=db, user="")
    url = SimpleNamespace(path="/rows/t")
    request: Any = SimpleNamespace(client=None, path_params={"table": "t"}, query_params={}, state=state, url=url)
    budget = Budget(PAGE)
    answer = _routes._answer(None, {}, budget, slots, lambda *_: None, request)  # type: ignore[arg-type]
    assert answer.status_code == 503


def test_large_values_do_not_make_versions_look_hidden(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {f"f:{number:02}": bytes(1 << 20) for number in range(30)})
    text = visitor.text("row", key="r")
    assert "the limit of bytes ended this page early" in text.lower()
    assert ("visible" in text, "hidden" in text, "Next cells" in text) == (True, False, True)
    assert "f:29 visible" in visitor.text("row", key="r", skip=16)
