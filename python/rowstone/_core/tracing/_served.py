"""Spans of the calls of a server's RPC: ``RpcServer.process`` and, in it, ``hbase.pb.ClientService/Get``.

The native server handles calls without Python. It records them with their times, and a thread creates spans for
those that are done, so that no client waits for this. Source: HBase's ``ServerRpcConnection``, ``CallRunner`` and
``IpcServerSpanBuilder``.
"""

from __future__ import annotations

import logging
from threading import Thread
from typing import TYPE_CHECKING

from opentelemetry import trace
from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, Status, StatusCode

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._native import _TracedCall

_PATIENCE_MS = 200
"""How often spans are created from recorded calls."""
_LAST_SECONDS = 5.0
"""How long a stopping server waits for spans of its last calls."""
_PACKAGE = "hbase.pb"
_SYSTEM = "HBASE_RPC"


class ServedCalls:
    """Creates spans of a server's calls until the server has ended."""

    def __init__(self, tracer: trace.Tracer, calls: _native.TracedCalls) -> None:
        self._tracer = tracer
        self._calls = calls
        self._is_over = False
        self._thread = Thread(target=self._report, name="rowstone-spans", daemon=True)
        self._thread.start()

    def _report(self) -> None:
        has_told = False
        while (calls := self._calls.take(_PATIENCE_MS)) is not None:
            for call in calls:
                if self._is_over:
                    return
                try:
                    self._span(call)
                except Exception:
                    # Errors of the program's samplers and processors are ignored: later calls may still become spans.
                    if not has_told:
                        logging.getLogger(__name__).exception("no span of a call, nor a word of those that fail later")
                    has_told = True

    def _span(self, call: _TracedCall) -> None:
        service, method, headers, (came_ns, started_ns, ended_ns), failure = call
        parent = extract(dict(headers))
        outer = self._tracer.start_span("RpcServer.process", parent, SpanKind.SERVER, start_time=came_ns)
        full_name = f"{_PACKAGE}.{service}"
        attributes = {"rpc.system": _SYSTEM, "rpc.service": full_name, "rpc.method": method}
        inner = self._tracer.start_span(
            f"{full_name}/{method}",
            trace.set_span_in_context(outer, parent),
            SpanKind.SERVER,
            attributes,
            start_time=started_ns,
        )
        if failure is None:
            inner.set_status(Status(StatusCode.OK))
        else:
            # As OpenTelemetry records an exception, with a Java class.
            told = {"exception.type": failure[0], "exception.message": failure[1]}
            inner.add_event("exception", told, timestamp=ended_ns)
            inner.set_status(Status(StatusCode.ERROR, failure[1]))
        inner.end(ended_ns)
        outer.set_status(Status(StatusCode.OK))
        outer.end(ended_ns)

    def join(self) -> None:
        """Wait until all calls of a stopped server have spans, at most five seconds; the rest are dropped."""
        self._thread.join(_LAST_SECONDS)
        self._is_over = True
