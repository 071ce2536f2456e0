"""Requests that a browser makes for a page of another site, and their refusal.

A page can have its visitor's browser send requests to any address, loopback included, with the visitor's passwords. It
cannot read the answers, but changes would be done. A browser says which page asks: in ``Origin`` and in
``Sec-Fetch-Site``, which pages cannot set. Programs send neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.server.http.bounds import Application, Receive, Scope, Send

_OWN = ("same-origin", "none")
REFUSAL = (
    "Forbidden: a page of another site may not use this port through a browser (Origin, Sec-Fetch-Site); call it from "
    "a program, or from a page of the same host and port\n"
)


def is_from_another_site(method: str, headers: Mapping[str, str]) -> bool:
    """Whether a page of another scheme, host or port than that of ``Host`` has a browser send this.

    ``headers`` are by their names in small letters. Following a link changes nothing, and is no such request.

    >>> is_from_another_site("POST", {"host": "localhost:8080", "origin": "http://evil.example"})
    True
    >>> is_from_another_site("POST", {"host": "localhost:8080", "origin": "http://localhost:8080"})
    False
    """
    site = headers.get("sec-fetch-site", "none").strip().lower()
    if method in ("GET", "HEAD") and headers.get("sec-fetch-mode", "").strip().lower() == "navigate":
        return False
    if site not in _OWN:
        return True
    origin = headers.get("origin")
    # Behind a proxy that ends TLS the scheme may differ; host and port are the browser's.
    return origin is not None and origin.strip().lower().partition("://")[2] != headers.get("host", "").strip().lower()


class OwnPagesOnly:
    """An ASGI application that answers programs and pages of its own, and no pages of other sites."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 403."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope.get("headers", ())}
        if scope["type"] != "http" or not is_from_another_site(scope["method"], headers):
            await self._application(scope, receive, send)
            return
        body = REFUSAL.encode()
        answer = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 403, "headers": answer})
        await send({"type": "http.response.body", "body": body})
