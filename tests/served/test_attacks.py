"""Malformed bytes: each gets an error or a closed connection, and other clients are served as before."""

from __future__ import annotations

import gzip
import socket
import struct
from collections.abc import Callable, Iterator
from random import Random

import pytest

import rowstone as rs
from tests.served.wire import CODEC, answer, by_name, connect, field, hello, request, varint

LIMIT = 1 << 20


@pytest.fixture(scope="module")
def served() -> Iterator[rs.Server]:
    with rs.serve(":memory:", port=0, zk_port=0, patience_ms=500, max_request_bytes=LIMIT) as server:
        server.database.create_table("t", ["f"])
        server.database.table("t").put("r", {"f:q": "value"})
        yield server


def region(server: rs.Server) -> str:
    [found] = server.database.admin.regions.list("t")
    return found.name.decode() if isinstance(found.name, bytes) else found.name


def is_alive(server: rs.Server) -> None:
    with rs.connect(server.url) as client:
        assert client.table("t").get("r")["f:q"] == b"value"


def nested_filter(depth: int) -> bytes:
    package = "org.apache.hadoop.hbase.filter."
    inner = field(1, package + "FirstKeyOnlyFilter") + field(2, b"")
    for _ in range(depth):
        inner = field(1, package + "SkipFilter") + field(2, field(1, inner))
    return inner


ATTACKS: dict[str, tuple[Callable[[rs.Server], bytes], bytes]] = {
    "another protocol": (lambda _: b"GET / HTTP/1.1\r\n\r\n", b"FatalConnectionException"),
    "another version": (lambda _: b"HBas\x09\x50", b"WrongVersionException"),
    "a login that nobody knows": (lambda _: b"HBas\x00\x63", b"BadAuthException"),
    "a password in the clear": (lambda _: b"HBas\x00\x0f", b"BadAuthException"),
    "a header longer than the socket": (lambda _: b"HBas\x00\x50\xff\xff\xff\xff", b"FatalConnectionException"),
    "a header that is none": (lambda _: b"HBas\x00\x50\x00\x00\x00\x03\xff\xff\xff", b"FatalConnectionException"),
    "a service that is none": (lambda _: hello("../../etc"), b"UnknownServiceException"),
    "a codec that is none": (lambda _: hello(codec="java.lang.Runtime"), b"UnsupportedCellCodecException"),
    "a compressor that is none": (lambda _: hello(more=field(4, "zip")), b"UnsupportedCompressionCodec"),
    "a frame beyond the limit": (lambda _: hello() + b"\x7f\xff\xff\xff" + b"x" * 99, b"RequestTooBigException"),
    "a message longer than its frame": (
        lambda _: hello() + b"\x00\x00\x00\x05\xff\xff\xff\xff\x07",
        b"ends before its message",
    ),
    "a cell block longer than its frame": (
        lambda _: hello() + request(7, "Get", b"", b"x" * 200).replace(varint(200), varint(16383)),
        b"Exception",
    ),
    "a method that is none": (lambda _: hello() + request(1, "../Get"), b"UnsupportedOperationException"),
    "a message that is none": (lambda _: hello() + request(1, "Get", b"\xff\xff\xff"), b"cannot be read"),
    "filters in filters": (
        lambda server: (
            hello()
            + request(
                1, "Get", field(1, by_name(region(server))) + field(2, field(1, "r") + field(4, nested_filter(500)))
            )
        ),
        b"Exception",
    ),
    "somebody else's scanner": (lambda _: hello() + request(1, "Scan", field(3, 1)), b"UnknownScannerException"),
    "a table with a path": (
        lambda _: (
            hello("MasterService") + request(1, "CreateTable", field(1, field(1, field(1, "x") + field(2, "../y"))))
        ),
        b"Exception",
    ),
    "fewer cells than announced": (
        lambda server: (
            hello()
            + request(
                1,
                "Mutate",
                field(1, by_name(region(server))) + field(2, field(1, "r") + field(2, 2) + field(8, 5)),
                b"\x00\x00\x00\x02ab",
            )
        ),
        b"DoNotRetryIOException",
    ),
    "a region of another table": (
        lambda _: hello() + request(1, "Get", field(1, by_name("t,,1.x.")) + field(2, field(1, "r"))),
        b"NotServingRegionException",
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_it_is_refused_and_others_are_served(served: rs.Server, name: str) -> None:
    attack, refusal = ATTACKS[name]
    with connect(served.port) as sock:
        sock.sendall(attack(served))
        assert refusal in answer(sock)
    is_alive(served)


@pytest.mark.parametrize(
    "beginning", [b"", b"HB", b"HBas\x00\x50\x00", hello() + b"\x00", hello() + b"\x00\x00\x00\x40abc"]
)
def test_stalled_connections_are_closed(served: rs.Server, beginning: bytes) -> None:
    with connect(served.port) as sock:
        sock.sendall(beginning)
        assert answer(sock) == b""
    is_alive(served)


def test_a_bomb_of_cells_does_not_go_off(served: rs.Server) -> None:
    bomb = gzip.compress(bytes(200 * LIMIT))
    mutation = field(1, by_name(region(served))) + field(2, field(1, "r") + field(2, 2) + field(8, 1))
    with connect(served.port) as sock:
        sock.sendall(hello(more=field(4, "org.apache.hadoop.io.compress.GzipCodec")))
        sock.sendall(request(1, "Mutate", mutation, bomb))
        assert b"Exception" in answer(sock)
    is_alive(served)


def test_many_connections_that_say_nothing(served: rs.Server) -> None:
    idle = [connect(served.port) for _ in range(200)]
    is_alive(served)
    for sock in idle:
        sock.close()
    is_alive(served)


def test_a_client_that_does_not_read(served: rs.Server) -> None:
    served.database.table("t").put("big", {"f:q": bytes(500_000)})
    get = field(1, by_name(region(served))) + field(2, field(1, "big"))
    with connect(served.port) as sock:
        sock.sendall(hello())
        with pytest.raises((BrokenPipeError, ConnectionResetError, TimeoutError)):  # noqa: PT012
            while True:
                sock.sendall(request(1, "Get", get) * 100)
    is_alive(served)


@pytest.mark.parametrize(
    "message",
    [b"\x7f\xff\xff\xff", struct.pack(">I", 3) + b"abc", b"ruok", struct.pack(">I", 44) + b"\xff" * 44],
)
def test_rubbish_for_zookeeper(served: rs.Server, message: bytes) -> None:
    assert served.zk_port is not None
    with connect(served.zk_port) as sock:
        sock.sendall(message)
        sock.shutdown(socket.SHUT_WR)
        while sock.recv(1 << 16):
            pass
    is_alive(served)


@pytest.mark.parametrize("seed", range(20))
def test_frames_with_wrong_bytes(served: rs.Server, seed: int) -> None:
    random = Random(seed)
    name = by_name(region(served))
    mutation = field(1, "r") + field(2, 2) + field(3, field(1, "f") + field(2, field(1, "x") + field(2, "1")))
    scan = field(3, "a") + field(5, nested_filter(3)) + field(10, 1 << 20)
    calls = [
        ("Get", field(1, name) + field(2, field(1, "r"))),
        ("Mutate", field(1, name) + field(2, mutation)),
        ("Scan", field(1, name) + field(2, scan) + field(4, 100)),
        ("Multi", field(1, field(1, name) + field(3, field(1, 1) + field(2, mutation)))),
    ]
    for method, message in calls * 5:
        frame = bytearray(request(1, method, message))
        for _ in range(random.randint(1, 4)):
            frame[random.randrange(4, len(frame))] = random.randrange(256)
        with connect(served.port) as sock:
            sock.sendall(hello() + frame)
            sock.shutdown(socket.SHUT_WR)
            answer(sock)
    served.database.table("t").put("r", {"f:q": "value"})
    is_alive(served)


def test_the_codec_is_the_one_that_was_asked_for(served: rs.Server) -> None:
    get = field(1, by_name(region(served))) + field(2, field(1, "r"))
    with connect(served.port) as sock:
        # If the client sends no version, the cells of a get are in the message, whatever the codec.
        sock.sendall(hello(codec=CODEC) + request(3, "Get", get))
        data = answer(sock)
    assert b"value" in data
    assert field(6, "value") in data
