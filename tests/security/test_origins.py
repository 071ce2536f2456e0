"""Cross-site requests: a browser's requests for a page of another site change nothing, and programs are served."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.server.http.origins import is_from_another_site
from tests.thrift import messages

THRIFT = {"Content-Type": "application/x-thrift"}
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def server() -> Iterator[rs.Server]:
    ports = {"port": 0, "zk_port": None, "rest_port": 0, "info_port": 0, "thrift_port": 0, "thrift2_port": 0}
    with rs.serve(":memory:", **ports) as server:  # type: ignore[arg-type]
        server.database.create_table("t", ["f"])
        yield server


def send(port: int | None, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> int:
    assert port is not None
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body or None, {"Accept": "*/*", **headers})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.mark.parametrize(
    "foreign",
    [
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}, {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    ],
)  # fmt: skip
def test_nothing_is_done_for_a_page_of_another_site(server: rs.Server, foreign: dict[str, str]) -> None:
    for method, path, headers in (
        ("POST", "/namespaces/x", {}), ("PUT", "/namespaces/x", {}), ("DELETE", "/t/schema", {}),
        ("POST", "/namespaces/x", JSON), ("GET", "/t/schema", {}),
    ):  # fmt: skip
        assert send(server.rest_port, method, path, headers | foreign) == 403, (method, path)
    assert send(server.info_port, "GET", "/ready", foreign) == 403
    for port in (server.thrift_port, server.thrift2_port):
        assert send(port, "POST", "/", THRIFT | foreign, messages.TABLE_NAMES) == 403
    assert server.database.tables() == ["t"]
    assert "x" not in server.database.admin.namespaces.list()


def test_own_pages_and_programs_are_served(server: rs.Server) -> None:
    for port in (server.rest_port, server.thrift_port):
        own = [{}, {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}]
        for headers in own:
            if port == server.rest_port:
                assert send(port, "GET", "/t/schema", headers) == 200
            else:
                assert send(port, "POST", "/", THRIFT | headers, messages.TABLE_NAMES) == 200
    # A link on another page.
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert send(server.info_port, "GET", "/ready", link) == 200
    assert is_from_another_site("POST", {"sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site"})


@pytest.mark.parametrize("media", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_thrift_takes_its_own_content_type_alone(server: rs.Server, media: str | None) -> None:
    headers = {} if media is None else {"Content-Type": media}
    for port in (server.thrift_port, server.thrift2_port):
        assert send(port, "POST", "/", headers, messages.TABLE_NAMES) == 415


def test_a_post_without_a_body_and_a_type_changes_nothing(server: rs.Server) -> None:
    assert send(server.rest_port, "POST", "/namespaces/x", {}) == 415
    assert "x" not in server.database.admin.namespaces.list()
    assert send(server.rest_port, "POST", "/namespaces/x", JSON) == 201
    assert send(server.rest_port, "PUT", "/namespaces/x", {}) == 200


def test_a_user_with_a_password_is_not_used_by_another_site(server: rs.Server) -> None:
    """Browsers send saved passwords with requests of any page."""
    from rowstone.server import rest

    with rest.serve(server.database, port=0, authenticate=lambda _: "ann") as gateway:
        assert send(gateway.port, "DELETE", "/t/schema", {"Origin": "http://evil.example"}) == 403
    assert server.database.tables() == ["t"]
