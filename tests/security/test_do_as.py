"""Impersonation by gateways (`doAs`): who is allowed to, and whose permissions apply."""

from __future__ import annotations

import base64
import http.client
import logging
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.server.acting import acting_user
from rowstone.server.security import Authentication, Users
from tests.thrift import messages

FILES = Path(__file__).with_name("tls")
PASSWORD = "a long password"

THRIFT = {"Content-Type": "application/x-thrift"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[rs.Server]:
    """A server with access control: ann may read the table; gate may impersonate members of the group readers, bob no
    one."""
    users = Users(tmp_path / "users.toml")
    for name, groups in (("ann", ["readers"]), ("bob", []), ("gate", []), ("root", [])):
        users.add(name, password=PASSWORD, groups=groups, superuser=name == "root")
    users.set_proxy("gate", groups=["readers"], hosts=["127.0.0.1"])
    tls = rs.ServerTls(FILES / "server.pem", FILES / "server-key.pem")
    rights = {"hbase.security.authorization": True}
    with rs.serve(
        ":memory:", port=0, zk_port=None, rest_port=0, thrift_port=0, tls=tls,
        authentication=Authentication("password", users=users), configuration=rights,
    ) as server:  # fmt: skip
        server.database.create_table("t", ["f"])
        server.database.table("t").put("row", {"f:q": "value"})
        server.database.admin.permissions.grant("ann", "R", table="t")
        yield server


def status(port: int | None, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> int:
    """Return the status of one request over TLS."""
    context = ssl.create_default_context(cafile=FILES / "ca.pem")
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def basic(user: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{PASSWORD}".encode()).decode()}


@pytest.mark.parametrize(
    ("user", "for_whom", "expected"),
    [
        ("ann", None, 200),
        ("ann", "ann", 200),
        ("gate", None, 403),
        ("gate", "ann", 200),
        ("gate", "bob", 403),
        ("gate", "root", 403),
        ("gate", "", 403),
        ("bob", "ann", 403),
        ("stranger", "ann", 401),
    ],
)
def test_rest_obeys_do_as(server: rs.Server, user: str, for_whom: str | None, expected: int) -> None:
    for name in ("doAs", "doas"):
        path = "/t/row" if for_whom is None else f"/t/row?{name}={for_whom}"
        assert status(server.rest_port, "GET", path, basic(user) | {"Accept": "application/json"}) == expected


def test_rights_are_those_of_the_other(server: rs.Server) -> None:
    headers = basic("gate") | {"Content-Type": "application/octet-stream"}
    assert status(server.rest_port, "PUT", "/t/row/f:q?doAs=ann", headers, b"other") == 403
    assert server.database.table("t").get("row")["f:q"] == b"value"


@pytest.mark.parametrize(
    ("user", "for_whom", "expected"),
    [("ann", None, 200), ("gate", "ann", 200), ("gate", "root", 403), ("bob", "ann", 403), ("stranger", "ann", 401)],
)
def test_thrift_over_http(server: rs.Server, user: str, for_whom: str | None, expected: int) -> None:
    headers = basic(user) | THRIFT | ({} if for_whom is None else {"doAs": for_whom})
    assert status(server.thrift_port, "POST", "/", headers, messages.TABLE_NAMES) == expected


def test_a_refusal_is_written_down(server: rs.Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rowstone.audit"):
        status(server.rest_port, "GET", "/t/row?doAs=root", basic("gate"))
    assert "refused user='root' real='gate' by=doAs from=127.0.0.1" in caplog.text


def test_do_as_needs_authentication() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, rest_port=0, thrift_port=0) as server:
        for port, headers, path in (
            (server.rest_port, {}, "/?doAs=ann"),
            (server.thrift_port, THRIFT | {"doAs": "ann"}, "/"),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET" if port == server.rest_port else "POST", path, messages.TABLE_NAMES, headers)
            assert connection.getresponse().status == 403
            connection.close()


def test_an_empty_name_impersonates_no_user() -> None:
    assert acting_user("gate", "", "127.0.0.1", lambda *_: True) is None
    assert acting_user("gate", "ann", "127.0.0.1", None) is None
    assert acting_user(None, None, "127.0.0.1", None) is None
