"""Spans of RPC calls in a server: they have HBase's names and are children of the clients' spans."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.trace import SpanKind, StatusCode

import rowstone as rs
from tests.served.wire import answer, connect, hello, request
from tests.tracing.conftest import Kept


def id_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


def parent_of(span: ReadableSpan) -> int | None:
    return None if span.parent is None else span.parent.span_id


def calls(spans: list[ReadableSpan]) -> dict[str, ReadableSpan]:
    """Spans of calls by method; the last one if there are several."""
    return {
        span.name.partition("/")[2]: span for span in spans if span.name.startswith("hbase.pb.ClientService/")
    }  # fmt: skip


def test_calls_are_spans_within_those_of_their_clients(spans: Kept, tmp_path: Path) -> None:
    clients = Kept()
    with rs.serve(tmp_path / "db", port=0, zk_port=None, tracing=spans.provider) as server:
        server.database.create_table("t", ["f"])
        with rs.connect(server.url, tracing=clients.provider) as db:
            db.table("t").put("r", {"f:q": "v"})
            db.table("t").get("r")
            assert [row.key for row in db.table("t").scan()] == [b"r"]
    # All spans exist when the server has stopped.
    told = spans.take()
    by_id = {id_of(span): span for span in told}
    by_client = {span.name: span for span in clients.take()}
    for method, operation in (("Mutate", "PUT default:t"), ("Get", "GET default:t"), ("Scan", "SCAN default:t")):
        inner = calls(told)[method]
        assert dict(inner.attributes or {}) == {
            "rpc.system": "HBASE_RPC", "rpc.service": "hbase.pb.ClientService", "rpc.method": method,
        }  # fmt: skip
        outer = by_id[parent_of(inner) or 0]
        assert (outer.name, outer.kind, inner.kind) == ("RpcServer.process", SpanKind.SERVER, SpanKind.SERVER)
        client = by_client[operation]
        assert parent_of(outer) == id_of(client)
        # All of these times are from one clock.
        times = [client.start_time, outer.start_time, inner.start_time, inner.end_time]
        assert all(time is not None for time in times)
        assert times == sorted(time or 0 for time in times)
        assert outer.end_time == inner.end_time
        assert (inner.status.status_code, outer.status.status_code) == (StatusCode.OK, StatusCode.OK)


def test_a_call_that_fails(spans: Kept) -> None:
    with rs.serve(":memory:", port=0, zk_port=None, tracing=spans.provider) as server:
        server.database.create_table("t", ["f"])
        with rs.connect(server.url) as db, pytest.raises(rs.errors.NoSuchColumnFamily):
            db.table("t").put("r", {"none:q": "v"})
    inner = calls(spans.take())["Mutate"]
    assert inner.status.status_code is StatusCode.ERROR
    [event] = inner.events
    assert event.attributes is not None
    assert str(event.attributes["exception.type"]).endswith("NoSuchColumnFamilyException")
    assert "none" in str(event.attributes["exception.message"])
    assert inner.status.description == event.attributes["exception.message"]


def test_a_call_of_a_client_without_spans_starts_a_trace(spans: Kept) -> None:
    with rs.serve(":memory:", port=0, zk_port=None, tracing=spans.provider) as server:
        server.database.create_table("t", ["f"])
        with rs.connect(server.url) as db:
            db.table("t").get("r")
    roots = [span for span in spans.take() if span.name == "RpcServer.process"]
    assert roots
    assert {parent_of(span) for span in roots} == {None}


def test_without_tracing_nothing_is_recorded() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        server.database.create_table("t", ["f"])
        with rs.connect(server.url) as db:
            db.table("t").get("r")
        assert server._native.traced_calls().take(0) == []
        assert "rowstone-spans" not in [thread.name for thread in threading.enumerate()]


class Refuses(SpanProcessor):
    """An exporter that fails on its first span."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        self.count += 1
        if self.count == 1:
            raise OSError("no room")


def test_tracing_continues_after_a_failed_span(spans: Kept, caplog: pytest.LogCaptureFixture) -> None:
    spans.provider.add_span_processor(Refuses())
    with rs.serve(":memory:", port=0, zk_port=None, tracing=spans.provider) as server:
        server.database.create_table("t", ["f"])
        with rs.connect(server.url) as db:
            db.table("t").get("r")
    assert "Get" in calls(spans.take())
    assert [record.name for record in caplog.records] == ["rowstone._core.tracing._served"]


def test_unknown_methods_share_one_span_name(spans: Kept) -> None:
    with rs.serve(":memory:", port=0, zk_port=None, tracing=spans.provider) as server, connect(server.port) as sock:
        sock.sendall(hello() + request(1, "x" * 100_000))
        assert b"UnsupportedOperationException" in answer(sock)
    inner = calls(spans.take())["other"]
    assert len(inner.status.description or "") < 3_000


def test_the_thread_of_a_garbage_collected_server_ends(spans: Kept) -> None:
    server = rs.serve(":memory:", port=0, zk_port=None, tracing=spans.provider)
    [thread] = [each for each in threading.enumerate() if each.name == "rowstone-spans"]
    del server
    gc.collect()
    thread.join(60)
    assert not thread.is_alive()
