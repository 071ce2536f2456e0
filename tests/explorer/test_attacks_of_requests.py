"""Attacks below the pages: smuggled and doubled headers, tricks with hosts, paths and methods, sniffing and caches."""

from __future__ import annotations

import base64
import re
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from rowstone.server.dashboard import Dashboard, explore
from tests.explorer.conftest import Visitor, admit
from tests.explorer.test_attacks import PUT


@pytest.fixture
def page(db: rs.Database) -> Iterator[Dashboard]:
    """An explorer that allows changes, of a table with one cell."""
    db.table("t").put("r", {"f:q": "v"})
    with explore(db, write=True) as page:
        yield page


def send(visitor: Visitor, text: str) -> bytes:
    """All that the port answers to bytes, in which COOKIE and HOST are those of the visitor."""
    place = urlsplit(visitor.url)
    text = text.replace("COOKIE", visitor.headers["Cookie"]).replace("HOST", place.netloc)
    with socket.create_connection((place.hostname, place.port), timeout=20) as connection:
        connection.sendall(text.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while piece := connection.recv(65_536):
            found += piece
    return found


HIDDEN = "GET /rows/t?smuggled=1 HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\n\r\n"
SMUGGLED = {
    "both lengths": f"POST /edit/t HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\nContent-Length: 4\r\n"
    f"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}",
    "two lengths": f"POST /edit/t HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\nContent-Length: 0\r\n"
    f"Content-Length: 90\r\n\r\n{HIDDEN}",
    "space before the colon": f"POST /edit/t HTTP/1.1\r\nHost: HOST\r\nContent-Length : 90\r\n\r\n{HIDDEN}",
    "unknown coding": f"POST /edit/t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\n\r\n{HIDDEN}",
    "negative length": f"POST /edit/t HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n{HIDDEN}",
    "zero byte in a header": f"GET /rows/t HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n{HIDDEN}",
    "carriage return alone": f"GET /rows/t HTTP/1.1\r\nHost: HOST\r\nX: a\rCookie: COOKIE\r\n\r\n{HIDDEN}",
    "large chunk size": "POST /edit/t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n"
    f"{'F' * 30}\r\n{HIDDEN}",
}  # fmt: skip


@pytest.mark.parametrize("name", SMUGGLED)
def test_smuggled_requests_are_refused(page: Dashboard, name: str) -> None:
    answer = send(admit(page), SMUGGLED[name])
    assert answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"smuggled" not in answer


def test_a_bare_line_feed_is_one_request(page: Dashboard) -> None:
    """It ends a header, and the second host is refused."""
    answer = send(admit(page), "GET /rows/t HTTP/1.1\r\nHost: HOST\r\nX: a\nHost: evil.example\r\n\r\n")
    assert re.match(rb"HTTP/1.1 4\d\d ", answer)


HOSTS = [
    "127.0.0.1:80@evil.example", "evil.example#127.0.0.1", "evil.example/127.0.0.1", "127.0.0.1, evil.example", "[::1",
    "127.0.0.1%00.evil.example", "0.0.0.0", "192.168.0.1", "127.1", "2130706433", "0x7f000001",
    "localhost.evil.example", "127.0.0.1:port", "evil.example.", "xn--lcalhost-9nc", "[::ffff:10.0.0.1]",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_hosts_that_resemble_this_machine_are_refused(page: Dashboard, host: str) -> None:
    assert admit(page).request("GET", "/rows/t", headers={"Host": host}).status in (400, 421)


def test_headers_of_proxies_are_not_believed(page: Dashboard, caplog: pytest.LogCaptureFixture) -> None:
    visitor = admit(page)
    spoofed = {"X-Forwarded-Host": "evil.example", "X-Forwarded-For": "10.9.8.7", "Forwarded": "for=10.9.8.7;host=evil"}
    answer = visitor.request("GET", "/rows/t", headers=spoofed)
    assert (answer.status, "evil" in answer.html) == (200, False)
    assert visitor.request("GET", "/rows/t", headers={**spoofed, "Host": "evil.example"}).status == 421
    assert visitor.post("edit", "t", spoofed, **PUT).status == 403
    [record] = [one.getMessage() for one in caplog.records if one.name == "rowstone.audit"]
    assert ("from=127.0.0.1" in record, "10.9.8.7" in record) == (True, False)


@pytest.mark.parametrize(
    "header", ["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method", "X-Original-URL", "X-Rewrite-URL"]
)
def test_headers_change_no_method_and_no_path(page: Dashboard, db: rs.Database, header: str) -> None:
    visitor = admit(page)
    for value in ("POST", "DELETE", "/edit/t"):
        form = "&".join(f"{name}={text}" for name, text in PUT.items())
        path = f"/rows/t?{form}&_method=POST&token={visitor.token()}"
        assert visitor.request("GET", path, headers={header: value}).status == 200
    assert db.table("t").get("r").to_dict() == {b"f:q": b"v"}


ANSWERS = (
    "/tables", "/tables/t", "/rows/t", "/row/t?key=r", "/cell/t?key=r&column=f:q", "/value/t?key=r&column=f:q",
    "/scan/t", "/sql/t", "/edit/t", "/download/t?format=csv", "/download/t?format=jsonl", "/static/dashboard.js",
    "/metrics", "/rows/none", "/none", "/rows/t?filter=(", "/row/t", "/download/t?format=exe",
)  # fmt: skip


@pytest.mark.parametrize("path", ANSWERS)
def test_every_answer_forbids_sniffing_frames_caches_and_other_sites(page: Dashboard, path: str) -> None:
    answer = admit(page).request("GET", path, headers={"Origin": page.url.partition("/tables")[0]})
    headers = answer.headers
    assert not [name for name in headers if name.startswith("access-control-")]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert re.match(r"text/(html|plain|csv|css|javascript)|application/", headers["content-type"])


def test_the_token_is_in_no_page(page: Dashboard) -> None:
    """Neither a referrer nor a stored page gives it away."""
    token = page.url.partition("token=")[2]
    visitor = admit(page)
    for path in ANSWERS:
        answer = visitor.request("GET", path)
        assert token not in answer.html
        assert token not in str(answer.headers)


def test_tokens_are_long_and_new(db: rs.Database) -> None:
    tokens = set()
    for _ in range(5):
        with explore(db) as page:
            tokens.add(page.url.partition("token=")[2])
    assert len(tokens) == 5
    assert {len(base64.urlsafe_b64decode(token)) for token in tokens} == {24}


def test_a_guessed_token_says_nothing(page: Dashboard) -> None:
    token, stranger = page.url.partition("token=")[2], Visitor(page.url.partition("/tables")[0])
    guesses = ["", token[:-1], token.swapcase(), f"{token}%00", f"{token}&token=x", "%", "[]", "a" * 9_000]
    answers = [stranger.request("GET", f"/tables?token={guess}") for guess in guesses]
    assert {(answer.status, answer.body) for answer in answers} == {(401, answers[0].body)}


REDIRECTS = (
    "//evil.example", "/\\evil.example", "/%2f%2fevil.example", "/tables//evil.example", "/@evil.example",
    "/%0d%0aLocation:%20http://evil.example",
)  # fmt: skip


@pytest.mark.parametrize("path", REDIRECTS)
def test_redirects_stay_here(page: Dashboard, path: str) -> None:
    """The redirect that removes the token from an address leads to no other host."""
    token, stranger = page.url.partition("token=")[2], Visitor(page.url.partition("/tables")[0])
    answer = stranger.request("GET", f"{path}?token={token}&next=http://evil.example")
    location = answer.headers.get("location", "/")
    assert re.match(r"/([^/\\]|$)", location), location
    assert "\n" not in location
    assert "http:" not in location.replace("http:%2F", "").replace("http%3A", "").replace("%20http://", "")


def test_websockets_are_refused(page: Dashboard) -> None:
    upgrade = "GET /rows/t HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example\r\n"
    answer = send(admit(page), f"{upgrade}{key}\r\n")
    assert re.match(rb"HTTP/1.1 (4\d\d|200) ", answer)
    assert b"101 Switching" not in answer
