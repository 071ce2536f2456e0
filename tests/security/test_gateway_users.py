"""Groups of the users file apply to every port of a server alike: HBase's RPC, Thrift, REST, the web UI."""

from __future__ import annotations

import base64
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.server.security import Authentication, Users

TLS = Path(__file__).parent / "tls"
PASSWORD = "correct horse"
LIST_TABLES = b"\x80\x01\x00\x01\x00\x00\x00\x0dgetTableNames\x00\x00\x00\x01\x00"
"""A Thrift call of ``getTableNames``."""

MAY = {"ada": True, "root": True, "eve": False}
"""Ada is in a group with read permission, root is a superuser of the users file, Eve is neither."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[rs.Server]:
    users = Users(tmp_path)
    users.add("ada", password=PASSWORD, groups=["ops"])
    users.add("root", password=PASSWORD, superuser=True)
    users.add("eve", password=PASSWORD)
    tls = rs.ServerTls(TLS / "server.pem", TLS / "server-key.pem")
    settings = {"hbase.security.authorization": True, "hbase.superuser": "@superusers"}
    ports = {"port": 0, "zk_port": None, "thrift_port": 0, "rest_port": 0, "info_port": 0}
    known = Authentication("password", users=users)
    with rs.serve(":memory:", **ports, tls=tls, authentication=known, configuration=settings) as running:  # type: ignore[arg-type]
        running.database.create_table("secret", ["f"])
        running.database.table("secret").put("r", {"f:q": "hidden"})
        running.database.admin.permissions.grant("@ops", "R", table="secret")
        yield running


def send(url: str, user: str, body: bytes | None = None) -> tuple[int, bytes]:
    """Return status and body of a request with user name and password."""
    request = urllib.request.Request(url, body, {"Accept": "application/octet-stream, */*"})
    if body is not None:
        request.add_header("Content-Type", "application/x-thrift")
    request.add_header("Authorization", "Basic " + base64.b64encode(f"{user}:{PASSWORD}".encode()).decode())
    context = ssl.create_default_context(cafile=str(TLS / "ca.pem")) if url.startswith("https") else None
    try:
        with urllib.request.urlopen(request, timeout=20, context=context) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def by_rpc(server: rs.Server, user: str) -> bool:
    with rs.connect(server.url, user=user, password=PASSWORD, tls=rs.Tls(TLS / "ca.pem")) as client:
        try:
            return client.table("secret").get("r")["f:q"] == b"hidden"
        except errors.AccessDenied:
            return False


def by_rest(server: rs.Server, user: str) -> bool:
    status, found = send(f"https://127.0.0.1:{server.rest_port}/secret/r/f:q", user)
    assert status in (200, 403)
    return found == b"hidden"


def by_thrift(server: rs.Server, user: str) -> bool:
    status, found = send(f"https://127.0.0.1:{server.thrift_port}/", user, LIST_TABLES)
    assert status == 200
    return b"secret" in found


@pytest.mark.parametrize("user", MAY)
@pytest.mark.parametrize("come", [by_rpc, by_rest, by_thrift])
def test_groups_count_by_every_door(server: rs.Server, come: Callable[[rs.Server, str], bool], user: str) -> None:
    assert come(server, user) is MAY[user]


def test_the_page_needs_global_admin_permission(server: rs.Server) -> None:
    assert send(f"{server.info_url}tables", "root")[0] == 200
    assert send(f"{server.info_url}tables", "ada")[0] == 403
    server.database.admin.permissions.grant("@ops", "A")
    assert send(f"{server.info_url}tables", "ada")[0] == 200


def test_changes_of_the_users_file_apply_at_once(server: rs.Server, tmp_path: Path) -> None:
    assert not by_rest(server, "eve")
    assert not by_thrift(server, "eve")
    users = Users(tmp_path)
    users.remove("eve")
    users.add("eve", password=PASSWORD, groups=["ops"])
    assert by_rest(server, "eve")
    assert by_thrift(server, "eve")


def test_clients_learn_nothing_of_a_users_file_that_cannot_be_used(
    server: rs.Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for content in ("broken = [", None):
        if content is None:
            (tmp_path / "users.toml").unlink()
        else:
            (tmp_path / "users.toml").write_text(content)
        caplog.clear()
        for url in (f"https://127.0.0.1:{server.rest_port}/secret/r/f:q", f"{server.info_url}tables"):
            status, found = send(url, "ada")
            assert status == 503
            assert b"users.toml" not in found
            assert b"broken" not in found
        assert "users.toml" in caplog.text
