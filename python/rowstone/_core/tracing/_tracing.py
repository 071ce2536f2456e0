"""Spans of one database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base.version import __version__
from rowstone.errors import InvalidType

try:
    from opentelemetry import trace
    from opentelemetry.propagate import extract, inject
except ImportError as error:
    raise ImportError("tracing needs opentelemetry-api: pip install 'rowstone[tracing]'") from error

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._core.tracing._served import ServedCalls


class Tracing:
    """Creates the spans of a database; used by `rowstone.connect`.

    Args:
        provider: The tracer provider; None means the program's own (``opentelemetry.trace.get_tracer_provider()``).
        place: The path or URL that was opened.
        is_cluster: Whether to send the span context to the servers of a cluster.
    """

    def __init__(self, provider: trace.TracerProvider | None, place: str, *, is_cluster: bool) -> None:
        self._tracer = trace.get_tracer("rowstone", __version__, provider)
        self._is_cluster = is_cluster
        self.attributes = {"db.system": "hbase", "db.connection_string": place}

    def table(self, native: _native.Database, name: str) -> Table:
        """A table whose calls are traced."""
        from rowstone._core.tracing._table import TracedTable

        return TracedTable.of(native, name, self)

    def begun(self, name: str, attributes: Mapping[str, Any]) -> trace.Span:
        """Start a client span; the caller ends it."""
        return self._tracer.start_span(name, kind=trace.SpanKind.CLIENT, attributes=attributes)

    @contextmanager
    def within(self, span: trace.Span, *, ends: bool) -> Iterator[None]:
        """Run the block inside the span, and end the span if ``ends``. Errors are recorded in it, and the servers of a
        cluster receive its context."""
        with trace.use_span(span, end_on_exit=ends):
            if not self._is_cluster:
                yield
                return
            headers: dict[str, str] = {}
            inject(headers)
            before = _native.set_trace_headers(list(headers.items()))
            try:
                yield
            finally:
                _native.set_trace_headers(before)

    def of_server(self, native: _native.Server) -> ServedCalls:
        """Trace the calls of a server's RPC from now on."""
        from rowstone._core.tracing._served import ServedCalls

        return ServedCalls(self._tracer, native.traced_calls())

    @contextmanager
    def served(self, name: str, attributes: Mapping[str, Any], headers: Mapping[str, str]) -> Iterator[trace.Span]:
        """A span of a gateway's call, continuing the client's trace if the headers carry one."""
        parent = extract(headers)
        with self._tracer.start_as_current_span(name, parent, trace.SpanKind.SERVER, attributes) as span:
            yield span


def tracing_of(wanted: Any, place: str, *, is_cluster: bool) -> Tracing:
    """Convert the ``tracing=`` argument of `rowstone.connect`. Raises `InvalidType`."""
    if wanted is not True and not isinstance(wanted, trace.TracerProvider):
        raise InvalidType(f"tracing must be True or a TracerProvider of OpenTelemetry, not {type(wanted).__name__}")
    return Tracing(None if wanted is True else wanted, place, is_cluster=is_cluster)
