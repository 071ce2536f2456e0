"""Clients that use too many resources: thousands of idle ones, one that never reads, one that stops in the middle.

ROWSTONE_IDLE sets the number of idle clients; `make served-idle` uses 5,000 and prints the cost of each.
"""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

import rowstone as rs
from tests.memory import resident_bytes
from tests.served.test_kill import free_port, start
from tests.served.wire import answer, by_name, connect, field, hello, request

IDLE = int(os.environ.get("ROWSTONE_IDLE", "500"))
AT_ONCE = 200
MOST_BYTES_PER_CONNECTION = 64 << 10


@contextmanager
def served(directory: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a server in another process, with a table and a large cell."""
    port = free_port()
    process = start(directory, port)
    try:
        with rs.connect(f"hbase://127.0.0.1:{port}") as db:
            db.create_table("t", ["f"])
            table = db.table("t")
            table.put("r", {"f:q": "value"})
            table.put("big", {"f:q": bytes(1 << 20)})
        yield process, port
    finally:
        process.kill()
        process.communicate()


def is_alive(port: int) -> None:
    with rs.connect(f"hbase://127.0.0.1:{port}") as db:
        assert db.table("t").get("r")["f:q"] == b"value"


def allow_files(count: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count + 1_000), most))


def ask_all(sockets: list[socket.socket], question: bytes) -> None:
    """Send a request on every connection, with no more at once than the server accepts."""
    for wave in batched(sockets, AT_ONCE):
        for sock in wave:
            sock.sendall(question)
        for sock in wave:
            assert b"UnsupportedOperationException" in answer(sock)


def batched(sockets: list[socket.socket], count: int) -> Iterator[list[socket.socket]]:
    for first in range(0, len(sockets), count):
        yield sockets[first : first + count]


def test_idle_connections_use_little_memory(tmp_path: Path) -> None:
    allow_files(IDLE)
    with served(tmp_path / "db") as (process, port), ExitStack() as idle:
        is_alive(port)
        before = resident_bytes(process.pid)
        sockets = [idle.enter_context(connect(port)) for _ in range(IDLE)]
        ask_all(sockets, hello() + request(1, "Nothing"))
        is_alive(port)
        each = (resident_bytes(process.pid) - before) / IDLE
        print(f"{IDLE} idle connections: {each:.0f} bytes of the server's memory each")
        assert each < MOST_BYTES_PER_CONNECTION
        # All of them are still served.
        ask_all(sockets, request(2, "Nothing"))


def region(port: int) -> str:
    with rs.connect(f"hbase://127.0.0.1:{port}") as db:
        [found] = db.admin.regions.list("t")
    return found.name.decode() if isinstance(found.name, bytes) else found.name


def test_a_client_that_never_reads_holds_no_more_than_its_calls(tmp_path: Path) -> None:
    with served(tmp_path / "db") as (process, port):
        get = request(1, "Get", field(1, by_name(region(port))) + field(2, field(1, "big")))
        before = resident_bytes(process.pid)
        with connect(port) as sock:
            sock.sendall(hello())
            sock.settimeout(1)
            sent = 0
            # The server stops reading when this many of the connection's calls wait for execution.
            try:
                while sent < 200_000:
                    sock.sendall(get * 100)
                    sent += 100
            except (TimeoutError, BrokenPipeError, ConnectionResetError):
                pass
            is_alive(port)
            grown = resident_bytes(process.pid) - before
            print(f"a client that never reads: {sent} calls for 1 MiB sent, {grown >> 20} MiB held")
            # 64 calls of a connection, each with its answer, and memory that allocators retain.
            assert grown < 256 << 20
        is_alive(port)


def test_unfinished_frames_do_not_block_others(tmp_path: Path) -> None:
    with served(tmp_path / "db") as (_, port):
        begun = [connect(port) for _ in range(20)]
        for sock in begun:
            # Announces 200 MB.
            sock.sendall(hello() + b"\x0b\xeb\xc2\x00" + b"x" * 1000)
        is_alive(port)
        for sock in begun:
            sock.shutdown(socket.SHUT_WR)
            assert answer(sock) == b""
            sock.close()
        is_alive(port)


def test_connections_over_the_limit_are_closed() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, max_connections=2) as server:
        first, second = connect(server.port), connect(server.port)
        for sock in (first, second):
            sock.sendall(hello() + request(1, "Nothing"))
            assert b"UnsupportedOperationException" in answer(sock)
        with connect(server.port) as third:
            assert third.recv(1) == b""
        first.close()
        # The permit is released when the server has seen the end of the connection.
        while True:
            try:
                with connect(server.port) as again:
                    again.sendall(hello() + request(1, "Nothing"))
                    if b"UnsupportedOperationException" in answer(again):
                        break
            except (ConnectionResetError, BrokenPipeError):
                continue
        second.close()


def test_calls_that_find_no_place_are_to_come_again() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, max_in_flight_bytes=1 << 20, patience_ms=500) as server:
        with connect(server.port) as holding, connect(server.port) as waiting:
            # A frame of 2 MiB, half of which arrives: it has all the memory until the server gives it up.
            holding.sendall(hello() + (2 << 20).to_bytes(4, "big") + bytes(1 << 20))
            waiting.sendall(hello() + request(1, "Nothing"))
            said = answer(waiting)
            assert b"UnsupportedOperationException" in said or b"CallQueueTooBigException" in said
            assert answer(holding) == b""
        with connect(server.port) as sock:
            sock.sendall(hello() + request(2, "Nothing"))
            assert b"UnsupportedOperationException" in answer(sock)


@pytest.mark.parametrize("own_threads", [0, 64])
def test_unread_answers_are_limited_over_all_connections(own_threads: int) -> None:
    most = 4 << 20
    with (
        rs.serve(":memory:", port=0, zk_port=None, max_in_flight_bytes=most, max_own_threads=own_threads) as server,
        rs.connect(server.url) as db,
    ):

        def answer_bytes() -> int:
            return server._native.measured()["numbers"]["answer_bytes"]

        def wait_until(reached: Callable[[], bool]) -> None:
            end = time.monotonic() + 60
            while not reached():
                assert time.monotonic() < end, answer_bytes()
                time.sleep(0.01)

        def is_refused() -> bool:
            """Repeat requests, because bytes in the operating system's buffers are sent and no longer count."""
            for deaf in deaf_ones:
                deaf.sendall(get)
            with connect(server.port) as other:
                other.sendall(hello() + get)
                return b"CallQueueTooBigException" in answer(other)

        db.create_table("t", ["f"])
        table = db.table("t")
        table.put("big", {"f:q": bytes(1 << 20)})
        for number in range(5):
            table.put(f"row {number}", {"f:q": str(number)})
        get = request(1, "Get", field(1, by_name(region(server.port))) + field(2, field(1, "big")))
        rows = table.scan("row", caching=1)
        assert next(rows).key == b"row 0"
        with ExitStack() as open_ones, ThreadPoolExecutor(1) as pool:
            deaf_ones = [open_ones.enter_context(connect(server.port)) for _ in range(10)]
            for deaf in deaf_ones:
                deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
                deaf.sendall(hello() + get * 64)
            wait_until(is_refused)
            # More than 640 MiB were requested. Reads that began before the limit was reached continue.
            assert answer_bytes() < 160 << 20
            # A scan and a write of another client: the scan waits because its answer may be large, the write does not.
            rest = pool.submit(lambda: [row.key for row in rows])
            table.put("other", {"f:q": "written"})
            open_ones.close()
            assert rest.result(60) == [b"row 1", b"row 2", b"row 3", b"row 4"]
        wait_until(lambda: answer_bytes() == 0)
        assert len(table.get("big")["f:q"]) == 1 << 20


def test_a_reset_is_no_end_for_others() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        for _ in range(50):
            sock = connect(server.port)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            sock.sendall(hello() + request(1, "Nothing"))
            sock.close()
        with rs.connect(server.url) as db:
            assert db.tables() == []


@pytest.mark.parametrize("most", [0, 1, 64])
def test_connections_beyond_the_threads_of_their_own_are_served_too(most: int) -> None:
    """Every client reads the others' writes; a scan, a batch and 20 concurrent gets use each connection."""
    with (
        rs.connect(":memory:") as db,
        rs.serve(db, port=0, zk_port=None, max_own_threads=most) as server,
        ExitStack() as all_of,
    ):

        def own_threads() -> int:
            return server._native.measured()["numbers"]["own_threads"]

        clients = [all_of.enter_context(rs.connect(server.url)) for _ in range(3)]
        clients[0].create_table("t", ["f"])
        tables = [client.table("t") for client in clients]
        for number, table in enumerate(tables):
            table.put(f"r{number}", {"f:q": str(number)})
        # Each client has one connection for rows, and may have others.
        assert own_threads() == most if most < 3 else own_threads() >= 3
        for table in tables:
            assert [row["f:q"] for row in table.scan()] == [b"0", b"1", b"2"]
            with ThreadPoolExecutor(20) as pool:
                found = list(pool.map(lambda number, table=table: table.get(f"r{number % 3}")["f:q"], range(60)))
            assert found == [b"0", b"1", b"2"] * 20
            assert [bool(row) for row in table.get_many(["r0", "r1", "r2", "none"])] == [True, True, True, False]
        server.stop()
        assert own_threads() == 0


def test_idle_connections_leave_files_for_the_database(tmp_path: Path) -> None:
    """Otherwise neither reads nor flushes could open a file, and the HTTP ports would log an error per attempt."""
    limited = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))"
    main = f"{limited}; from rowstone.cli import main; main()"
    ports = {name: free_port() for name in ("--port", "--thrift-port", "--rest-port")}
    options = [text for name, port in ports.items() for text in (name, str(port))]
    command = [sys.executable, "-c", main, "serve", str(tmp_path / "db"), "--zk-port", "-1", *options]
    allow_files(1_000)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready")
        with ExitStack() as idle, rs.connect(f"hbase://127.0.0.1:{ports['--port']}") as db:
            db.create_table("t", ["f"])
            table = db.table("t")
            table.put("0", {"f:q": "value"})
            for port in ports.values():
                for _ in range(150):
                    # On a busy machine, the queue of new connections may be full.
                    with suppress(TimeoutError):
                        idle.enter_context(connect(port))
            for number in range(1, 3):
                table.put(f"{number}", {"f:q": "value"})
                db.admin.flush("t")
            assert [row.key for row in table.scan()] == [b"0", b"1", b"2"]
        process.terminate()
        assert process.stdout.read() == "stopped: all that was acknowledged is in the database\n"
    finally:
        process.kill()
        process.communicate()
