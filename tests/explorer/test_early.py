"""A browser gets the head of a page while its query runs; a program gets the whole page with its status."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from rowstone.errors import StorageError
from rowstone.server.dashboard.data import rows
from rowstone.server.dashboard.data._budget import Budget, Cancelled
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data._reader import Page
from tests.explorer.conftest import Visitor

ASKS_FOR_HTML = {"Accept": "text/html,application/xhtml+xml"}
NOTE = "The page is being made"


class Slow:
    """Reads of rows that wait until the test ends them."""

    def __init__(self) -> None:
        self.started, self.ended, self.go_on = threading.Event(), threading.Event(), threading.Event()
        self.error: Exception | None = None

    def read(self, table: rs.Table, query: Query, budget: Budget, **_limits: int) -> Page:
        self.started.set()
        while not self.go_on.wait(0.01):
            try:
                budget.check()
            except Cancelled:
                self.ended.set()
                raise
        if self.error is not None:
            raise self.error
        return Page()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    """Slow reads of the rows page."""
    found = Slow()
    monkeypatch.setattr(rows, "read_page", found.read)
    yield found
    found.go_on.set()


def send_request(visitor: Visitor, path: str = "/rows/t", **headers: str) -> Any:
    """A connection that has sent a request."""
    place = urlsplit(visitor.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    connection.request("GET", path, headers={**visitor.headers, **ASKS_FOR_HTML, **headers})
    return connection


def until(response: Any, text: str) -> str:
    """The response up to a text in it."""
    found = b""
    while text.encode() not in found:
        piece = response.read1()
        assert piece, f"the response ended before {text!r}: {found!r}"
        found += piece
    return found.decode()


def test_a_browser_sees_menu_and_note_before_the_query_ends(visitor: Visitor, slow: Slow) -> None:
    with closing(send_request(visitor)) as connection:
        response = connection.getresponse()
        head = until(response, NOTE)
        assert response.status == 200
        assert "<title>t · rows · Rowstone</title>" in head
        slow.go_on.set()
        rest = response.read().decode()
    assert rest.count("<main>") == 0
    assert "No rows" in rest
    assert rest.rstrip().endswith("</html>")
    whole = visitor.get("rows").html
    assert head.partition("<main>")[0] == whole.partition("<main>")[0]
    assert rest.partition("</h1>")[0] == whole.partition("<main>")[2].partition("</h1>")[0]


def test_an_error_after_the_head_is_on_the_page(visitor: Visitor, slow: Slow) -> None:
    slow.error = StorageError("the disk failed")
    with closing(send_request(visitor)) as connection:
        response = connection.getresponse()
        until(response, NOTE)
        slow.go_on.set()
        assert "The disk failed" in response.read().decode()


def test_a_program_waits_for_the_status(visitor: Visitor, slow: Slow) -> None:
    slow.error = StorageError("the disk failed")
    with closing(send_request(visitor, Accept="*/*")) as connection:
        assert slow.started.wait(20)
        slow.go_on.set()
        response = connection.getresponse()
        assert response.status == 503
        assert NOTE not in response.read().decode()


def test_the_query_ends_when_the_browser_leaves_after_the_head(visitor: Visitor, slow: Slow) -> None:
    with closing(send_request(visitor)) as connection:
        until(connection.getresponse(), NOTE)
        assert not slow.ended.is_set()
    assert slow.ended.wait(20)


def test_a_client_without_the_token_sees_no_head(visitor: Visitor, slow: Slow) -> None:
    with closing(send_request(visitor, Cookie="")) as connection:
        response = connection.getresponse()
        assert response.status == 401
        assert b"<" not in response.read()
    assert not slow.started.is_set()


def test_the_head_of_a_page_has_the_headers_of_security(visitor: Visitor, slow: Slow) -> None:
    with closing(send_request(visitor)) as connection:
        response = connection.getresponse()
        until(response, NOTE)
        assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert response.headers["Cache-Control"] == "no-store"
        slow.go_on.set()
        response.read()


def test_an_error_in_plain_text_after_the_head_is_on_the_page(
    visitor: Visitor, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any) -> Any:
        assert slow.go_on.wait(20)
        raise StorageError("the disk <failed>")

    monkeypatch.setattr("rowstone.server.dashboard.pages.tables.body", fail)
    with closing(send_request(visitor, "/tables")) as connection:
        response = connection.getresponse()
        until(response, NOTE)
        slow.go_on.set()
        rest = response.read().decode()
    assert "the disk &lt;failed&gt;" in rest
    assert rest.endswith("</html>")
