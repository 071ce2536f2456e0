"""Spans of requests, with OpenTelemetry's names for HTTP servers: ``GET /{table}/{row}``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from opentelemetry import trace

from rowstone.server.rest._answer import Answer

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from rowstone._core.tracing import Tracing

_FAILED = 500


def in_span(tracing: Tracing, request: HttpRequest, answered: Callable[[], Answer]) -> Answer:
    """Run ``answered`` inside a span, continuing the trace of the request's headers."""
    attributes = {
        "http.request.method": request.method,
        "url.path": request.url.path,
        "url.scheme": request.url.scheme,
    }
    with tracing.served(request.method, attributes, dict(request.headers)) as span:
        answer = answered()
        span.set_attribute("http.response.status_code", answer.status)
        if answer.status >= _FAILED:
            span.set_status(trace.StatusCode.ERROR)
        return answer


def note_route(method: str, route: str) -> None:
    """Name the current span after the route: paths of requests are too many to be names."""
    span = trace.get_current_span()
    span.update_name(f"{method} {route}")
    span.set_attribute("http.route", route)
