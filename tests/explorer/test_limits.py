"""No query reads more rows or bytes, or runs longer, than its limit; a client that disconnects ends its query."""

from __future__ import annotations

import asyncio
import http.client
import threading
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from rowstone.server.dashboard import explore
from rowstone.server.dashboard.data import _reader, _routes, rows
from rowstone.server.dashboard.data._budget import PAGE, Budget, Cancelled, QueryLimits
from rowstone.server.dashboard.data._query import Query
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
    ends: list[tuple[bytes | None, int]] = []
    whole = _reader.end_of_piece

    def noted(*given: Any) -> tuple[bytes | None, int]:
        ends.append(whole(*given))
        return ends[-1]

    monkeypatch.setattr(_reader, "end_of_piece", noted)
    _reader.read_page(many, query, Budget(PAGE, Clock(0)), rows=20)
    assert len(ends) > 2
    assert all(count <= _reader._MOST_PIECE_ROWS for _, count in ends)


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


def test_a_client_that_disconnects_cancels_its_query() -> None:
    budget, ended = Budget(PAGE), threading.Event()

    class Request:
        async def receive(self) -> dict[str, Any]:
            return {"type": "http.disconnect"}

    def work() -> Any:
        for _ in range(10_000):
            try:
                budget.check()
            except Cancelled:
                ended.set()
                return "ended"
            threading.Event().wait(0.001)
        return "not cancelled"

    request: Any = Request()
    found: Any = asyncio.run(_routes._until_disconnect(request, budget, work))
    assert found == "ended"
    assert ended.is_set()


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
    request: Any = SimpleNamespace(client=None, path_params={"table": "t"}, query_params={}, state=state)
    budget = Budget(PAGE)
    answer = _routes._answer(None, {}, budget, slots, lambda *_: None, request)  # type: ignore[arg-type]
    assert answer.status_code == 503


def test_large_values_do_not_make_versions_look_hidden(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {f"f:{number:02}": bytes(1 << 20) for number in range(30)})
    text = visitor.text("row", key="r")
    assert "the limit of bytes ended this page early" in text.lower()
    assert ("visible" in text, "hidden" in text, "Next cells" in text) == (True, False, True)
    assert "f:29 visible" in visitor.text("row", key="r", skip=16)
