"""Malformed input: the connection is closed, memory does not grow, and the gateway continues."""

from __future__ import annotations

import contextlib
import random
import resource
import socket
from collections.abc import Iterator
from typing import cast

import pytest

import rowstone as rs
from rowstone.server.thrift import Gateway
from rowstone.server.thrift._conversation import service as service_of
from rowstone.server.thrift._scanners import Scanners
from rowstone.server.thrift._service import Service
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.codec.source import Source
from rowstone.server.thrift.codec.types import Malformed
from rowstone.server.thrift.wire.greeting import BINARY, COMPACT, ENCODINGS
from rowstone.server.thrift.wire.stream import Stream
from tests.thrift import messages
from tests.thrift.messages import BAD, COMPACT_TABLE_NAMES, TABLE_NAMES

MOST_KIB_MORE = 64 * 1024
THRIFT = b"POST / HTTP/1.1\r\nContent-Type: application/x-thrift\r\n"


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0, max_message_bytes=2**20) as served:
        yield served


def converse(gateway: Gateway, data: bytes) -> bytes:
    """Send these bytes and nothing else. Return everything that the gateway sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as connection:
        with contextlib.suppress(ConnectionError):
            # The server may close the connection before it has read everything.
            connection.sendall(data)
        answer = b""
        while got := _received(connection):
            answer += got
        return answer


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize("name", BAD)
def test_a_bad_message_ends_the_connection_and_nothing_else(gateway: Gateway, name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = converse(gateway, BAD[name])
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_KIB_MORE
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as connection:
        connection.sendall(TABLE_NAMES)
        assert b"getTableNames" in connection.recv(65536)


def test_a_message_longer_than_allowed_is_not_read(gateway: Gateway) -> None:
    row = messages.field(11, 2, messages.string(b"x" * 2**21))
    assert converse(gateway, messages.binary_call(b"getRow", row + b"\0")) == b""
    assert converse(gateway, messages.framed(messages.binary_call(b"getRow", row + b"\0"))) == b""


def test_a_content_length_of_very_many_digits_is_too_large(gateway: Gateway, caplog: pytest.LogCaptureFixture) -> None:
    for digits in (18, 19, 5000):
        answer = converse(gateway, THRIFT + b"Content-Length: " + b"9" * digits + b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 413 ")
    assert caplog.text == ""


def test_an_unknown_method_is_answered_and_the_next_call_too(gateway: Gateway) -> None:
    arguments = messages.field(15, 3, b"\x0b\0\0\0\1" + messages.string(b"x")) + b"\0"
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as connection:
        connection.sendall(messages.binary_call(b"nope", arguments))
        assert b"Invalid method name: 'nope'" in connection.recv(65536)
        connection.sendall(TABLE_NAMES)
        assert b"getTableNames" in connection.recv(65536)


@pytest.mark.parametrize(
    "data",
    [TABLE_NAMES, COMPACT_TABLE_NAMES, messages.old_call(b"getTableNames", b"\0")],
    ids=["binary", "compact", "old"],
)
@pytest.mark.parametrize("in_frames", [False, True], ids=["plain", "framed"])
def test_a_message_may_come_byte_by_byte_and_many_at_once(gateway: Gateway, data: bytes, in_frames: bool) -> None:
    message = messages.framed(data) if in_frames else data
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as connection:
        for place in range(len(message)):
            connection.sendall(message[place : place + 1])
        assert b"getTableNames" in connection.recv(65536)
        connection.sendall(message * 3)
        answers = b""
        while answers.count(b"getTableNames") < 3:
            answers += connection.recv(65536)


def test_more_connections_than_allowed_are_closed() -> None:
    with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0, max_connections=2) as gateway:
        places = [socket.create_connection(("127.0.0.1", gateway.port), timeout=20) for _ in range(2)]
        for place in places:
            place.sendall(TABLE_NAMES)
            assert place.recv(65536)
        assert converse(gateway, b"") == b""
        for place in places:
            place.close()


def test_an_incomplete_message_ends_the_connection() -> None:
    with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0, patience_s=0.1) as gateway:
        assert converse(gateway, TABLE_NAMES[:10]) == b""


def test_a_gateway_that_stops_ends_idle_connections_and_stops_twice() -> None:
    with rs.connect(":memory:") as db:
        gateway = rs.server.thrift.serve(db, port=0)
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as connection:
            connection.sendall(TABLE_NAMES)
            assert connection.recv(65536)
            gateway.stop()
            gateway.stop()
            assert _received(connection) == b""


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda one: one.name)
def test_changed_messages_are_answered_or_refused(encoding: object, version: int) -> None:
    """A message with random changes is answered or raises `Malformed`, and no other error."""
    service: Service = service_of(version)
    chance = random.Random(version)
    seeds = [TABLE_NAMES, *BAD.values()] if encoding is BINARY else [COMPACT_TABLE_NAMES, *BAD.values()]
    seeds = [seed[:200] for seed in seeds if (seed[:1] == b"\x82") == (encoding is COMPACT)]
    counted = {"answered": 0, "refused": 0}
    with rs.connect(":memory:") as db:
        session = Session(db, None, Scanners(60))
        for _ in range(3_000):
            data = bytearray(chance.choice(seeds))
            for _ in range(chance.randrange(4)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            source = Source(bytes(data), 2**16)
            try:
                service.answer(source, encoding, session)  # type: ignore[arg-type]
                counted["answered"] += 1
            except Malformed:
                counted["refused"] += 1
    assert min(counted.values()) > 50, counted


class Trickle:
    """A socket whose peer sends a byte per second, and the clock that measures it."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def settimeout(self, seconds: float) -> None:
        assert seconds > 0

    def recv(self, most: int) -> bytes:
        self.now_s += 1.0
        return b"x"


def test_a_message_that_arrives_too_slowly_ends_the_connection() -> None:
    """Regression: each byte arrived in time, so the message occupied its thread forever."""
    socket_ = Trickle()
    stream = Stream(cast("socket.socket", socket_), patience_s=30.0, clock=lambda: socket_.now_s)
    stream.first()

    def read() -> None:
        for _ in range(1000):
            stream.more(100)

    with pytest.raises(Malformed, match="too slowly"):
        read()
    assert 29 <= socket_.now_s <= 32
