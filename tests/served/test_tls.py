"""TLS on the RPC port: with the right certificate, together with plain text or instead of it.

The private key next to this file is public and only for tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from tests.served.wire import answer, connect, hello, request

FILES = Path(__file__).parent / "tls"
CERTIFICATE, KEY = FILES / "certificate.pem", FILES / "key.pem"


def use(url: str, tls: rs.Tls | None) -> None:
    with rs.connect(url, tls=tls, operation_timeout_ms=5_000) as db:
        db.create_table("t", ["f"])
        table = db.table("t")
        value = bytes(range(256)) * 4096
        table.put("row", {"f:q": value})
        assert table.get("row")["f:q"] == value
        assert [row.key for row in table.scan()] == [b"row"]
        db.drop_table("t", force=True)


def test_encrypted_and_plain_clients_share_a_port() -> None:
    tls = rs.ServerTls(CERTIFICATE, KEY)
    with rs.serve(":memory:", port=0, zk_port=0, tls=tls) as server:
        use(server.url, rs.Tls(CERTIFICATE))
        use(server.url, None)
        assert server.zk_url is not None
        use(server.zk_url, rs.Tls(CERTIFICATE))


def test_plain_text_may_be_refused() -> None:
    tls = rs.ServerTls(CERTIFICATE, KEY, plain_text=False)
    with rs.serve(":memory:", port=0, zk_port=None, tls=tls) as server:
        with connect(server.port) as sock:
            sock.sendall(hello() + request(1, "Nothing"))
            assert answer(sock) == b""
        with pytest.raises(rs.errors.ConnectionFailed):
            use(server.url, None)
        use(server.url, rs.Tls(CERTIFICATE))


def test_client_certificates_can_be_required() -> None:
    tls = rs.ServerTls(CERTIFICATE, KEY, client_ca=CERTIFICATE, plain_text=False)
    with rs.serve(":memory:", port=0, zk_port=None, tls=tls) as server:
        with pytest.raises(rs.errors.ConnectionFailed):
            use(server.url, rs.Tls(CERTIFICATE))
        use(server.url, rs.Tls(CERTIFICATE, certificate=CERTIFICATE, key=KEY))


@pytest.mark.parametrize(
    "beginning", [b"\x16", b"\x16\x03\x01\x02\x00", b"\x16" * 300, b"\x16\x03\x01\xff\xff" + bytes(99)]
)
def test_unfinished_tls_handshakes_time_out(beginning: bytes) -> None:
    tls = rs.ServerTls(CERTIFICATE, KEY)
    with rs.serve(":memory:", port=0, zk_port=None, tls=tls, patience_ms=300) as server:
        with connect(server.port) as sock:
            sock.sendall(beginning)
            try:
                while sock.recv(1 << 16):
                    pass
            except ConnectionResetError:
                pass
        use(server.url, rs.Tls(CERTIFICATE))


def test_files_that_are_none(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_text("")
    for tls in (rs.ServerTls(empty, KEY), rs.ServerTls(CERTIFICATE, empty), rs.ServerTls(CERTIFICATE, KEY, empty)):
        with pytest.raises(rs.errors.InvalidArgument, match="TLS"):
            rs.serve(":memory:", port=0, zk_port=None, tls=tls)


def test_a_key_with_a_password() -> None:
    encrypted = FILES / "encrypted-key.pem"
    says = "encrypted-key.pem' for TLS: the key is encrypted; give one without a password"
    with pytest.raises(rs.errors.InvalidArgument, match=says):
        rs.serve(":memory:", port=0, zk_port=None, tls=rs.ServerTls(CERTIFICATE, encrypted))
    tls = rs.Tls(CERTIFICATE, certificate=CERTIFICATE, key=encrypted)
    with rs.serve(":memory:", port=0, zk_port=None) as server, pytest.raises(rs.errors.InvalidArgument, match=says):
        rs.connect(server.url, tls=tls)
