"""Thrift over TLS, with unmodified clients, and clients that speak another protocol."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from thriftpy2.thrift import TClient
from thriftpy2.transport import TSSLSocket

import happybase
import rowstone as rs
from rowstone.errors import StorageError
from tests.thrift import clients, messages

FILES = Path(__file__).parents[1] / "served" / "tls"
TLS = rs.ServerTls(FILES / "certificate.pem", FILES / "key.pem")
TIMEOUT_S = 30


def context() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=FILES / "certificate.pem")


class EncryptedConnection(happybase.Connection):
    """happybase's connection over thriftpy2's socket with TLS: its one place for a transport of one's own."""

    def _refresh_thrift_client(self) -> None:
        secret = TSSLSocket(self.host, self.port, socket_timeout=TIMEOUT_S * 1000, ssl_context=context())
        self.transport = self._transport_class(secret)
        protocol = self._protocol_class(self.transport, decode_response=False)
        self.client = TClient(happybase.connection.Hbase, protocol)


def post(port: int, tls: ssl.SSLContext) -> bytes:
    """The answer to a call over HTTP."""
    with closing(http.client.HTTPSConnection("localhost", port, timeout=TIMEOUT_S, context=tls)) as connection:
        connection.request("POST", "/", messages.TABLE_NAMES, {"Content-Type": "application/x-thrift"})
        return connection.getresponse().read()


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("t", ["f"])
        yield database


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("transport", ["buffered", "framed"])
def test_happybase_behind_tls(db: rs.Database, transport: str, protocol: str) -> None:
    with rs.server.thrift.serve(db, port=0, tls=TLS) as gateway:
        connection = EncryptedConnection("localhost", gateway.port, transport=transport, protocol=protocol)
        table = connection.table("t")
        for number in range(50):
            table.put(b"row%02d" % number, {b"f:q": b"x" * 10_000})
        assert table.row(b"row07") == {b"f:q": b"x" * 10_000}
        assert len(list(table.scan(batch_size=7))) == 50
        connection.close()


def test_thriftpy2_behind_tls_in_the_second_service(db: rs.Database) -> None:
    from thriftpy2.rpc import make_client

    with rs.server.thrift.serve(db, port=0, version=2, tls=TLS) as gateway:
        client = make_client(clients.service(2), "localhost", gateway.port, ssl_context=context(), timeout=30_000)
        assert client.tableExists(clients.module(2).TTableName(qualifier=b"t"))
        client.close()


def test_http_behind_tls(db: rs.Database) -> None:
    with rs.server.thrift.serve(db, port=0, tls=TLS) as gateway:
        assert b"getTableNames" in post(gateway.port, context())


@pytest.mark.parametrize("begin", [messages.TABLE_NAMES, b"POST / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05hello"])
def test_plain_connections_are_refused_and_others_served(db: rs.Database, begin: bytes) -> None:
    with rs.server.thrift.serve(db, port=0, tls=TLS) as gateway:
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=TIMEOUT_S) as plain:
            plain.sendall(begin)
            answer = b""
            try:
                while piece := plain.recv(1 << 16):
                    answer += piece
            except ConnectionResetError:
                pass
            assert b"getTableNames" not in answer
        connection = EncryptedConnection("localhost", gateway.port)
        assert connection.tables() == [b"t"]
        connection.close()


def test_unfinished_handshakes_time_out(db: rs.Database) -> None:
    with (
        rs.server.thrift.serve(db, port=0, tls=TLS, patience_s=0.2) as gateway,
        socket.create_connection(("127.0.0.1", gateway.port), timeout=TIMEOUT_S) as idle,
    ):
        assert idle.recv(1) == b""


def test_clients_need_certificates_where_they_are_asked_for(db: rs.Database) -> None:
    asking = rs.ServerTls(FILES / "certificate.pem", FILES / "key.pem", FILES / "certificate.pem")
    with rs.server.thrift.serve(db, port=0, tls=asking) as gateway:
        with pytest.raises((OSError, http.client.HTTPException)):
            post(gateway.port, context())
        known = context()
        known.load_cert_chain(FILES / "certificate.pem", FILES / "key.pem")
        assert b"getTableNames" in post(gateway.port, known)


def test_stopping_ends_a_handshake_and_an_open_connection(db: rs.Database) -> None:
    gateway = rs.server.thrift.serve(db, port=0, tls=TLS)
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=TIMEOUT_S) as half:
        connection = EncryptedConnection("localhost", gateway.port)
        assert connection.tables() == [b"t"]
        gateway.stop()
        # An alert, and the end.
        while half.recv(1 << 16):
            pass
        with pytest.raises(Exception, match=r"."):
            connection.tables()
        connection.close()
    assert [thread for thread in threading.enumerate() if thread.name.startswith("rowstone-thrift")] == []


def test_a_file_that_is_none(db: rs.Database, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="TLS"):
        rs.server.thrift.serve(db, port=0, tls=rs.ServerTls(tmp_path / "none", tmp_path / "none"))


def test_a_server_with_tls_has_it_on_its_thrift_ports(db: rs.Database) -> None:
    with rs.serve(db, port=0, zk_port=None, thrift_port=0, tls=TLS) as server:
        assert server.thrift_port is not None
        connection = EncryptedConnection("localhost", server.thrift_port)
        assert connection.tables() == [b"t"]
        connection.close()


def test_a_key_with_a_password_is_refused(db: rs.Database) -> None:
    """Regression: OpenSSL asked for the password on the terminal, and the server waited."""
    tls = rs.ServerTls(FILES / "certificate.pem", FILES / "encrypted-key.pem")
    with pytest.raises(StorageError, match=r"encrypted-key.pem' is encrypted; give one without a password"):
        rs.server.thrift.serve(db, port=0, tls=tls)
