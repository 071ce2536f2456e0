"""Bodies that are small on the wire and large in memory; bodies of unauthenticated clients."""

from __future__ import annotations

import gzip
import http.client
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

import rowstone as rs
from rowstone.errors import InvalidArgument
from rowstone.server import rest
from rowstone.server.rest import Limits
from rowstone.server.rest.messages import _media
from rowstone.server.rest.messages._models import CELL_SET

SMALL = replace(Limits(), parsed_bytes=8 << 20, in_flight_bytes=16 << 20)


@pytest.fixture
def gateway() -> Iterator[rest.Gateway]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        with rest.serve(db, port=0, limits=SMALL) as gateway:
            yield gateway


def put(gateway: rest.Gateway, body: bytes, media: str, *, packed: bool = True) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=60)
    headers = {"Content-Type": media, **({"Content-Encoding": "gzip"} if packed else {})}
    connection.request("PUT", "/t/false-row", gzip.compress(body) if packed else body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


GREEDY = {
    "application/json": b'{"Row":[' + b'{"key":"","Cell":[]},' * 200_000 + b"{}]}",
    "text/xml": b"<CellSet>" + b"<Row/>" * 200_000 + b"</CellSet>",
    "application/x-protobuf": b"\x0a\x00" * 200_000,
}


@pytest.mark.parametrize("media", GREEDY)
def test_memory_of_parsed_bodies_is_limited(gateway: rest.Gateway, media: str) -> None:
    """7.8 KB of compressed JSON took 361 MB."""
    assert len(gzip.compress(GREEDY[media])) < 32 << 10
    assert put(gateway, GREEDY[media], media) == 413
    assert put(gateway, b'{"Row":[{"key":"YQ==","Cell":[{"column":"Zjpx","$":"dg=="}]}]}', "application/json") == 200


@pytest.mark.parametrize("media", GREEDY)
def test_the_estimate_counts_all_parsed_data(media: str) -> None:
    spent: list[int] = []
    _media.decode(CELL_SET, GREEDY[media], media, spent.append)
    assert sum(spent) > 200_000 * 100


def test_unpacked_bytes_count_with_those_of_others() -> None:
    limits = replace(Limits(), in_flight_bytes=1 << 20)
    with rs.connect(":memory:") as db, rest.serve(db, port=0, limits=limits) as gateway:
        db.create_table("t", ["f"])
        assert put(gateway, b" " * (2 << 20), "application/json") == 503
        for _ in range(3):
            assert put(gateway, b" " * (300 << 10), "application/json") == 400, "what was taken is given back"


def test_bodies_of_unauthenticated_clients_are_not_read() -> None:
    asked: list[str] = []

    def authenticate(credentials: rest.Credentials) -> str | None:
        asked.append(credentials.scheme)
        return "ann" if credentials.secret == "right" else None

    with rs.connect(":memory:") as db, rest.serve(db, port=0, authenticate=authenticate) as gateway:
        db.create_table("t", ["f"])
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as connection:
            connection.sendall(
                b"PUT /t/row/f:q HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
                b"Content-Length: 1000000\r\n\r\n"
            )
            # Not a byte of the body was sent.
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 401 ")
        assert len(asked) == 1
        right = {"Authorization": "Bearer right", "Content-Type": "application/octet-stream"}
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
        connection.request("PUT", "/t/row/f:q", b"value", right)
        assert connection.getresponse().status == 200
        connection.close()
        assert len(asked) == 2, "asked once for each request"
        assert db.table("t").get("row")["f:q"] == b"value"


def _with_encoding(name: str) -> bytes:
    return f'<?xml version="1.0" encoding="{name}"?><CellSet/>'.encode()


@pytest.mark.parametrize("name", ["utf-7", "idna", "rot13", "nonsense", "cp037", "utf-16"])
def test_xml_in_an_encoding_that_cannot_be_read_is_a_bad_request(gateway: rest.Gateway, name: str) -> None:
    """utf-7 was a 500, with a traceback in the log."""
    assert put(gateway, _with_encoding(name), "text/xml", packed=False) == 400
    with pytest.raises(InvalidArgument, match="encoding"):
        _media.decode(CELL_SET, _with_encoding(name), "text/xml")
