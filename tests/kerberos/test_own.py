"""Rowstone's client against its server: each protection level, and clients without a valid ticket."""

from __future__ import annotations

import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone._core.kerberos import Initiator
from tests.kerberos.conftest import SERVICE, kerberized
from tests.kerberos.kdc import Realm, principal
from tests.served.wire import answer, hello, read_exactly, request

PROTECTIONS = ("authentication", "integrity", "privacy")
VALUE = os.urandom(3_000_000)


def who(server: rs.Server, **options: Any) -> str:
    """The user that the server sees for this client."""
    options = {"kerberos": True, "operation_timeout_ms": 20_000, **options}
    with rs.connect(server.url.replace("127.0.0.1", "localhost"), **options) as client:
        assert client.table("secret").get("r")["f:q"] == b"hidden"
        return client.admin.permissions.who_am_i()


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_every_protection_carries_everything(server: rs.Server, protection: str) -> None:
    url = server.url.replace("127.0.0.1", "localhost")
    with rs.connect(url, kerberos=True, protection=protection, operation_timeout_ms=30_000) as client:
        client.create_table(protection, ["f"])
        table = client.table(protection)
        table.put("big", {"f:q": VALUE})
        assert table.get("big")["f:q"] == VALUE
        with table.batch() as batch:
            for number in range(5_000):
                batch.put(f"{number:05}", {"f:q": str(number) * 20})
        assert sum(1 for _ in table.scan()) == 5_001
        assert client.admin.permissions.who_am_i() == "ada"
        client.drop_table(protection, force=True)


def test_the_agreed_protection_is_what_is_on_the_wire(realm: Realm) -> None:
    """An eavesdropper sees the value, or does not."""
    for protection, is_seen in (("authentication", True), ("integrity", True), ("privacy", False)):
        with kerberized(realm, protection) as server, Ear(server.port) as ear:
            with rs.connect(
                f"hbase://localhost:{ear.port}",
                kerberos=True,
                hosts={f"localhost:{server.port}": f"localhost:{ear.port}"},
            ) as client:
                assert client.table("secret").get("r")["f:q"] == b"hidden"
            assert (b"hidden" in ear.heard) == is_seen, protection


def test_a_client_that_wants_more_than_there_is_does_not_come(realm: Realm) -> None:
    with kerberized(realm, "authentication") as server:
        with pytest.raises(errors.AccessDenied, match=r"hbase\.rpc\.protection"):
            who(server, protection="privacy")
        assert who(server) == "ada"


def test_a_keytab_is_as_good_as_a_ticket(server: rs.Server, realm: Realm) -> None:
    assert who(server, principal=principal("bob"), keytab=realm.keytab("bob")) == "bob"
    with pytest.raises(errors.AccessDenied, match=r"no ticket.*is its key in"):
        who(server, principal=principal("ada"), keytab=realm.keytab("bob"))
    with pytest.raises(errors.InvalidArgument, match="cannot be read"):
        who(server, principal=principal("ada"), keytab="missing.keytab")


def test_the_first_part_of_a_principal_is_the_user(server: rs.Server, realm: Realm) -> None:
    assert who(server, principal=principal("carol/desk"), keytab=realm.keytab("carol/desk")) == "carol"


def test_a_missing_ticket_suggests_kinit(server: rs.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRB5CCNAME", f"FILE:{tmp_path}/empty")
    with pytest.raises(errors.AccessDenied, match="run kinit"):
        who(server)


def test_a_ticket_that_ran_out_is_none(
    server: rs.Server, realm: Realm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = realm.kinit("ada", cache=tmp_path / "short", life="1s")
    end = time.monotonic() + 20
    while realm.has_ticket(cache) and time.monotonic() < end:
        time.sleep(0.1)
    monkeypatch.setenv("KRB5CCNAME", f"FILE:{cache}")
    with pytest.raises(errors.AccessDenied, match=r"expired.*run kinit"):
        who(server)


def test_a_server_of_another_name(server: rs.Server, realm: Realm) -> None:
    with pytest.raises(errors.AccessDenied, match="give service_principal="):
        who(server, service_principal="hbase/elsewhere")
    realm.keytab("hbase/other")
    with pytest.raises(errors.AccessDenied, match="refused the login: GSS initiate failed"):
        who(server, service_principal="hbase/other")
    assert who(server, service_principal=principal(SERVICE)) == "ada"


def test_unauthenticated_clients_get_no_data(server: rs.Server) -> None:
    with pytest.raises(errors.AccessDenied, match=r"Authentication is required.*kerberos=True"):
        rs.connect(server.url, operation_timeout_ms=5_000)
    for byte in (80, 82, 15):
        with socket.create_connection(("127.0.0.1", server.port)) as sock:
            sock.sendall(b"HBas\0" + bytes([byte]) + hello()[6:] + request(1, "Get"))
            assert b"secret" not in answer(sock)
            assert answer(sock) == b""


def test_a_server_without_kerberos_says_so(realm: Realm) -> None:
    with (
        rs.serve(":memory:", port=0, zk_port=None) as server,
        pytest.raises(errors.AccessDenied, match="without kerberos"),
    ):
        rs.connect(server.url, kerberos=True, service_principal=SERVICE)


def test_the_server_tells_its_principal(server: rs.Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as sock:
        sock.sendall(b"Securi")
        assert principal(SERVICE).encode() in answer(sock)


def test_only_proxies_act_for_others(realm: Realm, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rowstone.audit")
    proxies = {"hadoop.proxyuser.bob.hosts": "127.0.0.1", "hadoop.proxyuser.bob.users": "carol"}
    with kerberized(realm, "authentication", proxies=proxies) as server:
        bob = {"principal": principal("bob"), "keytab": realm.keytab("bob")}
        assert who(server, impersonate="carol", **bob) == "carol"
        for options in ({"impersonate": "root", **bob}, {"impersonate": "carol"}):
            with pytest.raises(errors.AccessDenied, match="not allowed to impersonate"):
                who(server, **options)
        assert server.logins["authorizationFailures"] >= 2
    assert "login user='carol' real='bob' by=kerberos from=127.0.0.1" in caplog.text


def token_for(name: str) -> bytes:
    """A first token for the server of that name, as ada."""
    return Initiator(service_principal=name).initiate("localhost").step(b"")


def framed(token: bytes) -> bytes:
    return struct.pack(">I", len(token)) + token


def first_answer(server: rs.Server, token: bytes) -> int:
    """The start of a server's answer to a first token: 0 continues, 1 refuses."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
        sock.sendall(b"HBas\x00\x51" + framed(token))
        return int.from_bytes(read_exactly(sock, 4))


def test_a_token_is_good_once_and_for_one_server(server: rs.Server, realm: Realm) -> None:
    token = token_for(SERVICE)
    assert first_answer(server, token) == 0
    assert first_answer(server, token) == 1, "a replay was taken"
    realm.keytab("hbase/other")
    assert first_answer(server, token_for("hbase/other")) == 1
    changes: list[Callable[[bytes], bytes]] = [
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
        lambda whole: whole[: len(whole) // 2],
        lambda whole: bytes(len(whole)),
        lambda _: b"",
        lambda whole: whole * 3,
    ]
    for change in changes:
        assert first_answer(server, change(token_for(SERVICE))) == 1


def test_after_half_a_login_nothing_is_answered(server: rs.Server) -> None:
    """A client with a ticket that skips the negotiation of the protection level is not logged in."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
        sock.sendall(b"HBas\x00\x51" + framed(token_for(SERVICE)))
        assert read_exactly(sock, 4) == bytes(4)
        read_exactly(sock, int.from_bytes(read_exactly(sock, 4)))
        sock.sendall(hello()[6:] + request(1, "Get"))
        assert int.from_bytes(read_exactly(sock, 4)) == 1


def test_a_keytab_without_the_key_is_found_at_the_start(realm: Realm) -> None:
    from rowstone.server.security import Authentication

    for keytab, words in ((realm.keytab("bob"), "has no key of"), (realm.folder / "missing", "cannot be read")):
        authentication = Authentication("kerberos", keytab=keytab, principal=principal(SERVICE))
        with pytest.raises(errors.InvalidArgument, match=words):
            rs.serve(":memory:", port=0, zk_port=None, authentication=authentication)


class Ear:
    """Passes bytes on to a port, and keeps them."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._parts: list[bytes] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def heard(self) -> bytes:
        return b"".join(self._parts)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._target)) as server:
            back = threading.Thread(target=self._pass, args=(server, client), daemon=True)
            back.start()
            self._pass(client, server)
            back.join()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._parts.append(data)
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Ear:
        return self

    def __exit__(self, *_: object) -> None:
        # An accept that waits in a thread is not woken by a close.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
