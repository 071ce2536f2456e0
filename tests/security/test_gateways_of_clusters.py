"""Gateways before a cluster: a cluster with access control checks the permissions of the gateway's own connection, so a
gateway cannot serve users whose permissions differ."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.errors import ConnectionFailed, UnsupportedOperation
from rowstone.server import dashboard, rest, thrift

LIST_TABLES = b"\x80\x01\x00\x01\x00\x00\x00\x0dgetTableNames\x00\x00\x00\x01\x00"


@pytest.fixture(params=[True, False], ids=["permissions", "no permissions"])
def cluster(request: pytest.FixtureRequest) -> Iterator[tuple[rs.Database, bool]]:
    """The connection of a gateway's account, which is a superuser, and whether there is access control."""
    settings = {"hbase.security.authorization": request.param, "hbase.superuser": "gate"}
    with rs.serve(":memory:", port=0, zk_port=None, configuration=settings) as server:
        server.database.create_table("t", ["f"])
        server.database.table("t").put("r", {"f:q": "hidden"})
        with rs.connect(server.url, user="gate") as client:
            yield client, request.param


def send(url: str, body: bytes | None = None) -> tuple[int, bytes]:
    headers = {"Accept": "application/octet-stream, */*", "Content-Type": "application/x-thrift"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_a_view_of_a_cluster_has_no_permissions_of_the_connection(cluster: tuple[rs.Database, bool]) -> None:
    client, is_guarded = cluster
    if is_guarded:
        with pytest.raises(UnsupportedOperation, match="impersonate='ann'"):
            client.as_user("ann")
    else:
        assert client.as_user("ann").table("t").get("r")["f:q"] == b"hidden"


def test_the_connections_own_user_has_its_permissions(cluster: tuple[rs.Database, bool]) -> None:
    assert cluster[0].as_user("gate").table("t").get("r")["f:q"] == b"hidden"


def no_master(_: object) -> list[str]:
    raise ConnectionFailed("the master does not answer")


def test_a_cluster_that_begins_to_check_permissions_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection of a gateway outlives restarts of the cluster."""
    with rs.serve(tmp_path / "db", port=0, zk_port=None) as server:
        client, port = rs.connect(server.url, user="gate"), server.port
        client.as_user("ann")
        monkeypatch.setattr("rowstone._core.database._ASK_AGAIN_SECONDS", 0.0)
        with monkeypatch.context() as patched:
            patched.setattr("rowstone.admin._areas.permissions.Permissions.capabilities", no_master)
            client.as_user("ann")
    with client:
        settings = {"hbase.security.authorization": True}
        with (
            rs.serve(tmp_path / "db", port=port, zk_port=None, configuration=settings),
            pytest.raises(UnsupportedOperation, match="impersonate='ann'"),
        ):
            client.as_user("ann")


@pytest.mark.parametrize("query", ["", "?doAs=bob"])
def test_rest_gives_users_no_permissions_of_the_gateway(cluster: tuple[rs.Database, bool], query: str) -> None:
    client, is_guarded = cluster
    with rest.serve(client, port=0, authenticate=lambda _: "ann", may_act_for=lambda *_: True) as gateway:
        status, found = send(f"{gateway.url}/t/r/f:q{query}")
    assert (status, found == b"hidden") == ((503, False) if is_guarded else (200, True))


def test_thrift_gives_users_no_permissions_of_the_gateway(cluster: tuple[rs.Database, bool]) -> None:
    client, is_guarded = cluster
    with thrift.serve(client, port=0, authenticate=lambda _: "ann") as gateway:
        try:
            found = send(f"http://127.0.0.1:{gateway.port}/", LIST_TABLES)[1]
        except OSError:
            found = b""
    assert (b"\x01t" in found) is not is_guarded


def test_pages_give_users_no_permissions_of_the_gateway(cluster: tuple[rs.Database, bool]) -> None:
    client, is_guarded = cluster
    with dashboard.serve(client, authenticate=lambda _: "ann") as page:
        answers = [send(f"{page.url}{path}")[0] for path in ("tables/t", "none")]
    assert answers == [503 if is_guarded else 200, 404]
