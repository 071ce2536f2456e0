"""Authentication: which clients are accepted, and as which user; refused clients learn nothing."""

from __future__ import annotations

import base64
import logging
import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.server.security import Authentication, Users
from tests.served.wire import answer, hello, read_exactly, request

TLS = Path(__file__).parent / "tls"
SERVER_TLS = rs.ServerTls(TLS / "server.pem", TLS / "server-key.pem", client_ca=TLS / "ca.pem")
PLAIN_BYTE = b"\x0f"
PASSWORD = "correct horse"


@pytest.fixture
def users(tmp_path: Path) -> Users:
    users = Users(tmp_path)
    users.add("ada", password=PASSWORD, groups=["ops"])
    users.add("gate", password=PASSWORD)
    users.set_proxy("gate", groups=["ops"], hosts=["127.0.0.1"])
    return users


@contextmanager
def served(authentication: Authentication, tls: rs.ServerTls | None = SERVER_TLS) -> Iterator[rs.Server]:
    with rs.serve(":memory:", port=0, zk_port=0, tls=tls, authentication=authentication, patience_ms=2_000) as server:
        server.database.create_table("secret", ["f"])
        server.database.table("secret").put("r", {"f:q": "hidden"})
        yield server


def own_tls(name: str | None = None) -> rs.Tls:
    if name is None:
        return rs.Tls(TLS / "ca.pem")
    return rs.Tls(TLS / "ca.pem", certificate=TLS / f"{name}.pem", key=TLS / f"{name}-key.pem")


def who(server: rs.Server, **options: object) -> str:
    """The user that the server sees for this client."""
    with rs.connect(server.url, operation_timeout_ms=5_000, **options) as client:  # type: ignore[arg-type]
        assert client.table("secret").get("r")["f:q"] == b"hidden"
        return client.admin.permissions.who_am_i()


def test_simple_authentication_is_the_default() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        with rs.connect(server.url, user="ada") as client:
            assert client.admin.permissions.who_am_i() == "ada"
        with rs.connect(server.url, user="ada", impersonate="bob") as client:
            assert client.admin.permissions.who_am_i() == "bob"
        assert set(server.logins.values()) == {0}


def test_sasl_clients_fall_back_to_simple_authentication() -> None:
    """As in HBase without security, the client's first token is skipped and the connection header follows."""
    with (
        rs.serve(":memory:", port=0, zk_port=None) as server,
        socket.create_connection(("127.0.0.1", server.port)) as sock,
    ):
        sock.sendall(b"HBas\x00\x51" + struct.pack(">I", 5) + b"token")
        assert struct.unpack(">Ii", read_exactly(sock, 8)) == (0, -88)
        sock.sendall(hello("ClientMetaService")[6:] + request(1, "GetClusterId"))
        assert len(answer(sock)) > 20
        assert server.logins["authenticationFallbacks"] == 1


def test_a_certificate_authenticates_its_user(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rowstone.audit")
    with served(Authentication("certificate")) as server:
        assert who(server, tls=own_tls("ada")) == "ada"
        assert who(server, tls=own_tls("gate"), user="root") == "gate"
        with pytest.raises(errors.AccessDenied, match="gate is not allowed to impersonate ada"):
            who(server, tls=own_tls("gate"), impersonate="ada")
        for certificate in (None, "nobody"):
            # Without a certificate the handshake fails; a certificate with two names is rejected.
            with pytest.raises((errors.ConnectionFailed, errors.AccessDenied)):
                who(server, tls=own_tls(certificate))
        with pytest.raises(errors.AccessDenied, match=r"Authentication is required.*kerberos=True"):
            who(server)
        assert server.logins["authorizationFailures"] >= 1
    assert "login user='ada' by=certificate from=127.0.0.1" in caplog.text


def test_another_part_of_the_certificate_may_be_the_name() -> None:
    with served(Authentication("certificate", certificate_name="O")) as server:
        assert who(server, tls=own_tls("ada")) == "Analytical"
    with (
        pytest.raises(errors.InvalidArgument, match="'XX' is unknown"),
        served(Authentication("certificate", certificate_name="XX")),
    ):
        pass


def test_a_password_authenticates_its_user(users: Users, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    tls = rs.ServerTls(SERVER_TLS.certificate, SERVER_TLS.key)
    token = users.new_token("ada")
    with served(Authentication("password", users=users), tls) as server:
        for password in (PASSWORD, token):
            assert who(server, tls=own_tls(), user="ada", password=password) == "ada"
        assert who(server, tls=own_tls(), user="gate", password=PASSWORD, impersonate="ada") == "ada"
        for user, password in (("ada", "wrong secret"), ("eve", PASSWORD), ("gate", token)):
            with pytest.raises(errors.AccessDenied, match="refused the login") as raised:
                who(server, tls=own_tls(), user=user, password=password)
            assert password not in str(raised.value)
        with pytest.raises(errors.AccessDenied, match="ada is not allowed to impersonate gate"):
            who(server, tls=own_tls(), user="ada", password=PASSWORD, impersonate="gate")
        with pytest.raises(errors.AccessDenied, match="Authentication is required"):
            who(server, tls=own_tls(), user="ada")
        users.remove("ada")
        with pytest.raises(errors.AccessDenied):
            who(server, tls=own_tls(), user="ada", password=PASSWORD)
    assert "refused user='eve' by=password from=127.0.0.1: 'wrong name or password'" in caplog.text
    assert "login user='ada' real='gate' by=password" in caplog.text
    for secret in (PASSWORD, token, "wrong secret"):
        assert secret not in caplog.text


def test_passwords_go_over_tls_only(users: Users) -> None:
    with pytest.raises(errors.InvalidArgument, match="over TLS only"):
        rs.serve(":memory:", port=0, zk_port=None, authentication=Authentication("password", users=users))
    tls = rs.ServerTls(SERVER_TLS.certificate, SERVER_TLS.key)
    with served(Authentication("password", users=users), tls) as server:
        with pytest.raises(errors.InvalidArgument, match="over TLS only") as raised:
            rs.connect(server.url, user="ada", password=PASSWORD)
        assert PASSWORD not in str(raised.value)
        with socket.create_connection(("127.0.0.1", server.port)) as sock:
            message = b"\0ada\0" + PASSWORD.encode()
            sock.sendall(b"HBas\x00" + PLAIN_BYTE + struct.pack(">I", len(message)) + message + hello()[6:])
            assert b"BadAuthException" in answer(sock)


def test_either_way_where_both_are_there(users: Users) -> None:
    with served(Authentication(("certificate", "password"), users=users)) as server:
        assert who(server, tls=own_tls("ada")) == "ada"
        assert who(server, tls=own_tls(), user="gate", password=PASSWORD) == "gate"
        assert who(server, tls=own_tls("ada"), user="gate", password=PASSWORD) == "gate"
        with pytest.raises(errors.AccessDenied, match="Authentication is required"):
            who(server, tls=own_tls())


ADDRESSES = [b"HBas\x00\x50", b"HBas\x00\x51", b"HBas\x00\x52", b"HBas\x00\x0f", b"HBas\x00\x00"]


@pytest.mark.parametrize("beginning", ADDRESSES)
@pytest.mark.parametrize("service", ["ClientService", "ClientMetaService", "MasterService", "AdminService"])
def test_unauthenticated_clients_get_no_data(beginning: bytes, service: str) -> None:
    """The client learns no table's name and no address: one exception, and the connection ends."""
    with served(Authentication("certificate")) as server, socket.create_connection(("127.0.0.1", server.port)) as sock:
        rest = hello(service)[6:]
        sock.sendall(beginning + rest + request(1, "GetClusterId") + request(2, "GetTableNames") + request(3, "Get"))
        got = answer(sock)
        assert b"AccessDeniedException" in got or b"BadAuthException" in got
        assert b"secret" not in got
        assert answer(sock) == b""


def test_before_a_login_there_is_the_clusters_id_and_no_more() -> None:
    """As in HBase since 2.6. The ZooKeeper port serves addresses to any client."""
    with served(Authentication("certificate")) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as sock:
            sock.sendall(b"Regist")
            assert len(answer(sock)) < 60
            assert answer(sock) == b""
        with socket.create_connection(("127.0.0.1", server.port)) as sock:
            sock.sendall(b"Securi")
            assert b"SecurityNotEnabledException" in answer(sock)
            sock.sendall(hello("ClientMetaService") + request(1, "GetClusterId"))
            assert b"AccessDeniedException" in answer(sock)
        assert server.zk_port is not None
        got = zookeeper(
            server.zk_port, [b"/hbase", b"/hbase/table", b"/hbase/table/secret", b"/", b"/hbase/meta-region-server"]
        )
        assert b"secret" not in got
        assert b"127.0.0.1" in got


def zookeeper(port: int, paths: list[bytes]) -> bytes:
    """Return everything that the ZooKeeper port serves about those nodes: children and data."""
    with socket.create_connection(("127.0.0.1", port)) as sock:
        greeting = struct.pack(">iqiqi", 0, 0, 30_000, 0, 16) + bytes(16)
        sock.sendall(struct.pack(">i", len(greeting)) + greeting)
        got = answer(sock)
        for number, path in enumerate(paths):
            for operation in (4, 8, 12):
                body = struct.pack(">iii", number, operation, len(path)) + path + b"\0"
                sock.sendall(struct.pack(">i", len(body)) + body)
                got += answer(sock)
    return got


@pytest.mark.parametrize(
    "token",
    [
        struct.pack(">I", 0xFFFFFFFF),
        struct.pack(">I", 1 << 20) + bytes(1 << 20),
        struct.pack(">I", 0),
        struct.pack(">I", 4) + b"\0ada",
        struct.pack(">I", 3) + b"\0\xff\0",
        struct.pack(">I", 9) + b"bob\0ada\0x",
    ],
)
def test_a_login_that_is_none_is_refused_in_the_words_of_logins(users: Users, token: bytes) -> None:
    import ssl

    tls = rs.ServerTls(SERVER_TLS.certificate, SERVER_TLS.key)
    context = ssl.create_default_context(cafile=str(TLS / "ca.pem"))
    with served(Authentication("password", users=users), tls) as server:
        raw = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        with raw, context.wrap_socket(raw, server_hostname="localhost") as sock:
            sock.sendall(b"HBas\x00" + PLAIN_BYTE + token[:100])
            status, length = struct.unpack(">II", read_exactly(sock, 8))
            assert (status, read_exactly(sock, length)) == (1, b"javax.security.sasl.SaslException")
        assert who(server, tls=own_tls(), user="ada", password=PASSWORD) == "ada"
        assert server.logins["authenticationFailures"] == 1


def test_unfinished_logins_time_out(users: Users) -> None:
    with (
        served(Authentication("certificate", users=users)) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as sock,
    ):
        sock.sendall(b"HBas")
        assert sock.recv(1) == b""


def test_other_machines_need_authentication(users: Users) -> None:
    everywhere = {"host": "0.0.0.0", "port": 0, "zk_port": None}
    tls = rs.ServerTls(SERVER_TLS.certificate, SERVER_TLS.key)
    password = Authentication("password", users=users)
    for options, words in (
        ({}, "authenticate clients.*insecure"),
        ({"tls": tls}, "authenticate clients"),
        ({"tls": tls, "authentication": Authentication(("simple", "password"), users=users)}, "authenticate clients"),
        ({"authentication": password}, "give tls="),
    ):
        with pytest.raises(errors.InvalidArgument, match=words):
            rs.serve(":memory:", **everywhere, **options)  # type: ignore[arg-type]
    with rs.serve(":memory:", **everywhere, insecure=True) as server:  # type: ignore[arg-type]
        rs.connect(server.url).close()
    with rs.serve(":memory:", **everywhere, tls=tls, authentication=password) as server:  # type: ignore[arg-type]
        with rs.connect(server.url, tls=own_tls(), user="ada", password=PASSWORD) as client:
            assert client.admin.permissions.who_am_i() == "ada"
        with socket.create_connection(("127.0.0.1", server.port)) as sock:
            sock.sendall(b"Regist")
            assert answer(sock) == b"", "plain text was taken"


def test_options_that_do_not_fit(tmp_path: Path) -> None:
    url = "hbase://127.0.0.1:1"
    for options, words in (
        ({"password": PASSWORD}, "needs user="),
        ({"kerberos": True, "user": "ada"}, "leave out user="),
        ({"keytab": "x"}, "principal="),
        ({"kerberos": False, "principal": "x"}, "for Kerberos"),
    ):
        with pytest.raises(errors.InvalidArgument, match=words):
            rs.connect(url, **options)  # type: ignore[arg-type]
    with pytest.raises(errors.UnsupportedOperation) as raised:
        rs.connect(tmp_path / "db", password=PASSWORD)
    assert PASSWORD not in str(raised.value)
    with pytest.raises(errors.InvalidArgument, match="client_ca"):
        rs.serve(":memory:", port=0, zk_port=None, authentication=Authentication("certificate"))


def test_gateways_authenticate_like_the_server(users: Users) -> None:
    """If clients must authenticate, a gateway on another port does not bypass that."""
    tls = rs.ServerTls(SERVER_TLS.certificate, SERVER_TLS.key)
    known = Authentication("password", users=users)
    places = {"port": 0, "zk_port": None, "thrift_port": 0}
    with rs.serve(":memory:", **places, tls=tls, authentication=known) as server:  # type: ignore[arg-type]
        assert server.thrift_port is not None
        call = b"\x80\x01\x00\x01\x00\x00\x00\x0dgetTableNames\x00\x00\x00\x01\x00"
        context = ssl.create_default_context(cafile=TLS / "ca.pem")
        with (
            socket.create_connection(("127.0.0.1", server.thrift_port), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname="127.0.0.1") as sock,
        ):
            sock.sendall(call)
            assert sock.recv(1) == b""
    basic = base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
    by_file = known.for_gateways()
    assert by_file is not None
    assert by_file.authenticate(SimpleNamespace(headers={"authorization": f"Basic {basic}"})) == "ada"
    assert by_file.authenticate(SimpleNamespace(headers={})) is None
    without = Authentication("certificate").for_gateways()
    assert without is not None
    assert without.authenticate(SimpleNamespace(headers={"authorization": f"Basic {basic}"})) is None
    assert Authentication("simple").for_gateways() is None
