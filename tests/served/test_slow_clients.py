"""Clients that read slowly or pause, and calls that take long."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from tests.served.wire import by_name, connect, field, hello, read_exactly, request

ROWS = "abcd"
LARGE = 6 << 20
PATIENCE_MS = 300


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for row in ROWS:
            db.table("t").put(row, {"f:q": row.upper().encode() * LARGE})
        yield db


def region(db: rs.Database, table: str) -> bytes:
    [found] = db.admin.regions.list(table)
    name = found.name
    return by_name(name.decode() if isinstance(name, bytes) else name)


def scan(db: rs.Database, call: int, row: str) -> bytes:
    """Request a scan of one row of 6 MB, with a row count above that of short scans."""
    rows = field(3, row) + field(4, row + "\0")
    return request(call, "Scan", field(1, region(db, "t")) + field(2, rows) + field(4, 1_000) + field(5, 1))


def slow_socket(port: int) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    sock.settimeout(10)
    sock.connect(("127.0.0.1", port))
    return sock


@pytest.mark.parametrize("own_threads", [0, 64])
def test_a_half_sent_frame_is_not_followed_by_another(db: rs.Database, own_threads: int) -> None:
    """Regression: the server abandoned the first answer half way, and sent the second one in the middle of it."""
    options = {"patience_ms": PATIENCE_MS, "max_own_threads": own_threads}
    with rs.serve(db, port=0, zk_port=None, **options) as server, slow_socket(server.port) as sock:
        sock.sendall(hello() + b"".join(scan(db, number, row) for number, row in enumerate(ROWS, 1)))
        # This waits for the server's socket timeout, which no test clock controls.
        time.sleep(PATIENCE_MS / 1000 * 3)
        whole = b""
        try:
            while len(head := read_exactly(sock, 4)) == 4:
                (length,) = struct.unpack(">I", head)
                assert length < 2 * LARGE
                whole = read_exactly(sock, length)
                letters = [letter for letter in ROWS.upper().encode() if whole.count(letter) > 1_000]
                assert len(letters) == 1
        except ConnectionResetError:
            pass
        with rs.connect(server.url) as other:
            assert other.table("t").exists("a")


def test_a_waiting_put_does_not_block_an_answer_being_sent(db: rs.Database) -> None:
    """Regression: the put ran on the connection's thread, which sent nothing meanwhile, so the answer was abandoned."""

    class Waits(rs.coprocessors.RegionObserver):
        def pre_put(self, context: object, put: object, durability: object) -> None:
            time.sleep(PATIENCE_MS / 1000 * 3)

    db.create_table("slow", ["f"])
    db.coprocessors.attach("slow", Waits(), budget_ms=60_000)
    value = field(1, "f") + field(2, field(1, "q") + field(2, "v"))
    put = field(1, region(db, "slow")) + field(2, field(1, "r") + field(2, 2) + field(3, value))
    options = {"patience_ms": PATIENCE_MS}
    with rs.serve(db, port=0, zk_port=None, **options) as server, slow_socket(server.port) as sock:
        sock.sendall(hello() + scan(db, 1, "a"))
        assert len(sock.recv(1)) == 1
        sock.sendall(request(2, "Mutate", put))
        left = 3 + LARGE
        assert len(read_exactly(sock, left)) == left
    assert db.table("slow").get("r")["f:q"] == b"v"


def test_calls_after_a_long_put_run_on_other_threads(db: rs.Database) -> None:
    """Once a call has taken long, later calls of the connection run on other threads for a while."""
    calls = []

    class Waits(rs.coprocessors.RegionObserver):
        def pre_put(self, context: object, put: object, durability: object) -> None:
            calls.append(put)
            time.sleep(0.2)

    db.create_table("slow", ["f"])
    db.coprocessors.attach("slow", Waits(), budget_ms=60_000)
    value = field(1, "f") + field(2, field(1, "q") + field(2, "v"))
    put = field(1, region(db, "slow")) + field(2, field(1, "r") + field(2, 2) + field(3, value))
    get = field(1, region(db, "slow")) + field(2, field(1, "none"))
    with rs.serve(db, port=0, zk_port=None) as server, connect(server.port) as sock:
        sock.sendall(hello() + request(1, "Mutate", put))
        assert _call(sock) == 1
        sock.sendall(request(2, "Mutate", put) + request(3, "Get", get))
        # The get arrived last and is answered first.
        assert [_call(sock), _call(sock)] == [3, 2]
    assert len(calls) == 2


def _call(sock: socket.socket) -> int:
    """Return the call ID of the next frame."""
    frame = read_exactly(sock, struct.unpack(">I", read_exactly(sock, 4))[0])
    assert frame[1] == 0x08
    return frame[2]
