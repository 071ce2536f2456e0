"""Requests that take much more memory or time than their bytes, and requests of users without permissions."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.server.serve import Server
from tests.served.wire import answer, by_name, connect, field, hello, request

META = by_name("hbase:meta,,1")
MOST_BYTES = 8 << 20
SETTINGS = {"hbase.security.authorization": True, "hbase.superuser": "boss"}


@pytest.fixture
def server() -> Iterator[Server]:
    with rs.serve(":memory:", port=0, zk_port=None, max_in_flight_bytes=MOST_BYTES) as server:
        yield server


@pytest.fixture
def guarded() -> Iterator[Server]:
    """A server with access control, and the table ``t`` of the superuser."""
    with rs.serve(":memory:", port=0, zk_port=None, configuration=SETTINGS) as server:
        with rs.connect(server.url, user="boss") as boss:
            boss.create_table("t", ["f"])
        yield server


def call(port: int, service: str, method: str, message: bytes = b"", *, user: str = "tester") -> bytes:
    with connect(port) as sock:
        sock.sendall(hello(service, user=user) + request(1, method, message))
        return answer(sock)


def multi(action: bytes, count: int) -> bytes:
    return field(1, field(1, META) + field(3, action) * count)


def wait_until_free(server: Server) -> None:
    """Wait until the memory of all requests is free, soon after their answers."""
    end = time.monotonic() + 20
    while server._native.measured()["numbers"]["bytes_in_flight"]:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_actions_count_as_what_they_become(server: Server) -> None:
    get = field(3, field(1, "no such row"))
    assert b"RequestTooBigException" in call(server.port, "ClientService", "Multi", multi(b"", 100_000))
    assert b"Exception" not in call(server.port, "ClientService", "Multi", multi(get, 5_000))
    wait_until_free(server)


@pytest.mark.parametrize("codec", ["GzipCodec", "SnappyCodec"])
def test_decompressed_cells_count(server: Server, codec: str) -> None:
    if codec == "GzipCodec":
        cells = gzip.compress(bytes(64 << 20))
    else:
        # A literal of one byte, and copies of 64 bytes: 1 MiB in each chunk.
        chunk = b"\x80\x80\x40\x00\x00" + b"\xfe\x01\x00" * ((1 << 14) - 1) + b"\xfa\x01\x00"
        piece = len(chunk).to_bytes(4, "big") + chunk
        cells = (64 << 20).to_bytes(4, "big") + piece * 64
    with connect(server.port) as sock:
        sock.sendall(hello(more=field(4, f"org.apache.hadoop.io.compress.{codec}")))
        sock.sendall(request(1, "Multi", multi(b"", 1), cells))
        assert b"CallQueueTooBigException" in answer(sock)
        # The connection continues, and the memory is free again.
        sock.sendall(request(2, "Multi", multi(field(3, field(1, "r")), 1)))
        assert b"Exception" not in answer(sock)
    wait_until_free(server)


def test_an_aggregation_ends_with_its_clients_timeout(server: Server) -> None:
    with rs.connect(server.url) as db:
        db.create_table("t", ["f"])
        with db.table("t").batch() as batch:
            for number in range(30_000):
                batch.put(b"%06d" % number, {"f:q": b"12345678"})
        region = db.admin.regions.list("t")[0].name
    interpreter = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter"
    aggregation = field(1, interpreter) + field(2, field(1, field(1, "f")))
    service = field(1, b"") + field(2, "AggregateService") + field(3, "GetSum") + field(4, aggregation)
    message = field(1, field(1, 1) + field(2, region)) + field(2, service)
    with connect(server.port) as sock:
        sock.sendall(hello() + request(1, "ExecService", message, timeout_ms=1))
        assert b"TimeoutIOException" in answer(sock)
        sock.sendall(request(2, "ExecService", message))
        assert b"Exception" not in answer(sock)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("GetSlowLogResponses", b""),
        ("GetLargeLogResponses", b""),
        ("GetLogEntries", field(1, "x.AdminProtos$SlowLogResponseRequest") + field(2, b"")),
        ("ClearSlowLogsResponses", b""),
    ],
)
def test_the_slow_log_needs_permission(guarded: Server, method: str, message: bytes) -> None:
    assert b"AccessDeniedException" in call(guarded.port, "AdminService", method, message)
    assert b"Exception" not in call(guarded.port, "AdminService", method, message, user="boss")


def test_a_flush_reveals_no_families(guarded: Server) -> None:
    table = field(1, field(1, "default") + field(2, "t"))
    for family in ("f", "zz"):
        said = call(guarded.port, "MasterService", "FlushTable", table + field(2, family))
        assert b"AccessDeniedException" in said
    assert b"NoSuchColumnFamily" in call(
        guarded.port, "MasterService", "FlushTable", table + field(2, "zz"), user="boss"
    )


def test_a_restore_touches_no_table_that_it_does_not_name(server: Server) -> None:
    with rs.connect(server.url) as db:
        db.create_table("own", ["f"])
        db.create_table("other", ["f"])
        db.table("own").put("a", {"f:q": "1"})
        db.admin.snapshot("s", "own")
        db.table("own").put("b", {"f:q": "2"})
        db.admin.disable_table("own")
        snapshot = field(1, field(1, "s") + field(2, "other"))
        said = call(server.port, "MasterService", "RestoreSnapshot", snapshot)
        assert b"TableExistsException" in said
        db.admin.enable_table("own")
        assert [row.key for row in db.table("own").scan()] == [b"a", b"b"]
        assert list(db.table("other").scan()) == []
