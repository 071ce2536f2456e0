"""DNS rebinding: an unauthenticated port on loopback accepts only host names of this machine."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

import pytest

import rowstone as rs
from rowstone.errors import InvalidArgument
from rowstone.server import dashboard, rest, thrift
from rowstone.server.http.hosts import hosts_of

LIST_TABLES = b"\x80\x01\x00\x01\x00\x00\x00\x0dgetTableNames\x00\x00\x00\x01\x00"

OURS = ["127.0.0.1", "127.0.0.1:{port}", "localhost:{port}", "LOCALHOST", "localhost.", "db.localhost", "[::1]:{port}"]
FOREIGN = ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.7", ""]
FOREIGN += ["[::1].evil.example", "[::1].evil.example:{port}", "localhost:80.evil.example", "[::1%evil.example]"]


class Gateway(Protocol):
    @property
    def port(self) -> int: ...


Serve = Callable[..., AbstractContextManager[Gateway]]
DOORS: dict[str, tuple[Serve, str, str, bytes | None]] = {
    "rest": (rest.serve, "GET", "/", None),
    "page": (dashboard.serve, "GET", "/ready", None),
    "thrift": (thrift.serve, "POST", "/", LIST_TABLES),
}


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        yield database


def send(port: int, door: str, host: str) -> tuple[int, str]:
    """Return status and text of a request with this ``Host`` header."""
    _, method, path, body = DOORS[door]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host.format(port=port))
        connection.putheader("Accept", "*/*")
        if body is not None:
            connection.putheader("Content-Type", "application/x-thrift")
        connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("latin-1")
    finally:
        connection.close()


@pytest.mark.parametrize("door", DOORS)
def test_names_of_this_machine_are_answered_and_others_refused(db: rs.Database, door: str) -> None:
    with DOORS[door][0](db, port=0) as gateway:
        for host in OURS:
            assert send(gateway.port, door, host)[0] == 200, host
        for host in FOREIGN:
            status, text = send(gateway.port, door, host)
            assert status == 421, host
            assert "Misdirected Request" in text
            assert "--allowed-host" in text


@pytest.mark.parametrize("door", DOORS)
def test_names_can_be_allowed(db: rs.Database, door: str) -> None:
    with DOORS[door][0](db, port=0, allowed_hosts=["db.example"]) as gateway:
        assert send(gateway.port, door, "db.example:{port}")[0] == 200
        assert send(gateway.port, door, "evil.example")[0] == 421
    with DOORS[door][0](db, port=0, allowed_hosts=["*"]) as gateway:
        assert send(gateway.port, door, "evil.example")[0] == 200


@pytest.mark.parametrize("door", DOORS)
def test_authenticated_ports_accept_any_host_name(db: rs.Database, door: str) -> None:
    def authenticate(_: Any) -> str:
        return "ann"

    with DOORS[door][0](db, port=0, authenticate=authenticate) as gateway:
        assert send(gateway.port, door, "db.example")[0] == 200


def test_nothing_is_done_for_a_foreign_name(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    with rest.serve(db, port=0) as gateway:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
        connection.request("DELETE", "/t/schema", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 421
        connection.close()
    assert db.tables() == ["t"]


def test_a_server_answers_to_its_advertised_name() -> None:
    ports = {"port": 0, "zk_port": None, "rest_port": 0, "info_port": 0, "thrift_port": 0, "thrift2_port": 0}
    with rs.serve(":memory:", **ports, advertised="db.example", allowed_hosts=["tunnel.example"]) as server:  # type: ignore[arg-type]
        for door, port in (("rest", server.rest_port), ("page", server.info_port), ("thrift", server.thrift_port)):
            assert port is not None
            for host, status in (("db.example", 200), ("tunnel.example:1", 200), ("evil.example", 421)):
                assert send(port, door, host)[0] == status, (door, host)


def test_beyond_this_machine_any_name_will_do() -> None:
    assert hosts_of("0.0.0.0", knows_users=False, allowed=()) is None
    assert hosts_of("::1", knows_users=False, allowed=()) is not None


@pytest.mark.parametrize("wrong", ["localhost", [""], ["http://db.example"], ["a,b"], ["a b"]])
def test_invalid_allowed_hosts_are_refused_at_once(wrong: Any) -> None:
    with pytest.raises(InvalidArgument, match="allowed"):
        rs.serve(":memory:", port=0, zk_port=None, allowed_hosts=wrong)
