"""Spans of the gateways, and what goes over the wire: a client's span goes on where its request is worked on."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanKind, StatusCode

import happybase
import rowstone as rs
from tests.thrift import messages
from tests.tracing.conftest import Kept

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
BESIDE = "127.0.0.2"
"""Another address of this machine. The server advertises it, so clients connect to the observer there."""
HEADERS = {"traceparent": f"00-{TRACE}-{PARENT}-01"}


@pytest.fixture
def server(spans: Kept) -> Iterator[rs.Server]:
    with rs.serve(":memory:", port=0, zk_port=None, thrift_port=0, rest_port=0, tracing=spans.provider) as server:
        server.database.create_table("t", ["f"])
        server.database.table("t").put("r", {"f:q": "v"})
        spans.take()
        yield server


def get(server: rs.Server, path: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{server.rest_port}{path}", headers=HEADERS)
    request.add_header("Accept", "application/json")
    try:
        with urllib.request.urlopen(request) as answer:
            json.load(answer)
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def belongs(span: ReadableSpan) -> bool:
    """Whether its parent is the client's span."""
    assert span.context is not None
    assert span.parent is not None
    return (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)


def test_a_request_of_rest(server: rs.Server, spans: Kept) -> None:
    assert get(server, "/t/r") == 200
    inner, outer = spans.take()
    assert (inner.name, outer.name, outer.kind) == ("GET default:t", "GET /{table}/{row}", SpanKind.SERVER)
    assert belongs(outer)
    assert inner.parent is not None
    assert outer.context is not None
    assert inner.parent.span_id == outer.context.span_id
    assert outer.attributes is not None
    assert (outer.attributes["http.route"], outer.attributes["http.response.status_code"]) == ("/{table}/{row}", 200)


def test_a_request_of_rest_that_fails(server: rs.Server, spans: Kept) -> None:
    assert get(server, "/none/r") == 404
    [outer] = [span for span in spans.take() if span.kind is SpanKind.SERVER]
    assert outer.attributes is not None
    assert outer.attributes["http.response.status_code"] == 404
    assert outer.status.status_code is StatusCode.UNSET


def test_a_call_of_thrift(server: rs.Server, spans: Kept) -> None:
    connection = happybase.Connection("127.0.0.1", server.thrift_port)
    connection.table("t").row(b"r")
    connection.close()
    inner, outer = spans.take()
    assert (inner.name, outer.name, outer.kind) == ("GET default:t", "Hbase/getRowWithColumns", SpanKind.SERVER)
    assert dict(outer.attributes or {}) == {
        "rpc.system": "apache_thrift", "rpc.service": "Hbase", "rpc.method": "getRowWithColumns",
    }  # fmt: skip
    over_http = http.client.HTTPConnection("127.0.0.1", server.thrift_port)
    over_http.request("POST", "/", messages.TABLE_NAMES, {**HEADERS, "Content-Type": "application/x-thrift"})
    over_http.getresponse().read()
    over_http.close()
    [outer] = spans.take()
    assert outer.name == "Hbase/getTableNames"
    assert belongs(outer)


@contextmanager
def listened_to(port: int) -> Iterator[bytearray]:
    """The bytes that clients send to the same port at `BESIDE`, which are forwarded to the server."""
    heard = bytearray()
    open_sockets: list[socket.socket] = []

    def carry(source: socket.socket, target: socket.socket, keeps: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                if keeps:
                    heard.extend(piece)
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", port))
                open_sockets.extend((client, server))
                for pair in ((client, server, True), (server, client, False)):
                    threads.append(threading.Thread(target=carry, args=pair))
                    threads[-1].start()

    with socket.create_server((BESIDE, port)) as listener:
        threads = [threading.Thread(target=accept)]
        threads[0].start()
        try:
            yield heard
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            threads[0].join()
            for one in open_sockets:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            for thread in threads[1:]:
                thread.join()
            for one in open_sockets:
                one.close()


@pytest.mark.parametrize("is_wanted", [True, False])
def test_clusters_receive_the_span_context(spans: Kept, is_wanted: bool) -> None:
    """In the field of the call's header in which HBase's own client says it, and for as long as the span lasts."""
    with (
        rs.serve(":memory:", port=0, zk_port=None, advertised=BESIDE) as server,
        listened_to(server.port) as heard,
        rs.connect(f"hbase://{BESIDE}:{server.port}", tracing=spans.provider if is_wanted else False) as db,
    ):
        server.database.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        assert [row.key for row in db.table("t").scan()] == [b"r"]
        sent = bytes(heard)
    ended = [f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-" for span in spans.take() if span.context]
    assert len(ended) == 2 * is_wanted
    assert (b"traceparent" in sent) == is_wanted
    for parent in ended:
        assert b"\x0btraceparent\x12\x37" + parent.encode() in sent
