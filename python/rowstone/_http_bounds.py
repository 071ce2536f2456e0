"""Requests read whole, within limits, before an application sees them.

A request that is longer than the limit is answered with 413 as soon as that is known, one whose client stops sending
with 408, one for whose body there is no memory now with 503; the application is not called then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from rowstone._http_limits import Limits

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class _Refused(Exception):
    """The request is answered without the application: a status and a text."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class Bounded:
    """An application that is called with whole requests within limits only."""

    def __init__(self, application: Application, limits: Limits) -> None:
        self._application = application
        self._limits = limits
        self._in_flight_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        body = bytearray()
        try:
            is_whole = await self._read(scope, receive, body)
            if is_whole:
                await self._application(scope, _replay(bytes(body), receive), send)
        except _Refused as refused:
            await _answer(send, refused)
        finally:
            self._in_flight_bytes -= len(body)

    async def _read(self, scope: Scope, receive: Receive, body: bytearray) -> bool:
        """Whether the whole body has come into ``body``; not where the client went away."""
        self._check(_announced_bytes(scope))
        more = True
        while more:
            try:
                message = await asyncio.wait_for(receive(), self._limits.patience_seconds)
            except TimeoutError:
                raise _Refused(408, "Request Timeout: the body did not come to its end") from None
            if message["type"] == "http.disconnect":
                return False
            piece = message.get("body", b"")
            self._check(len(body) + len(piece))
            if self._in_flight_bytes + len(piece) > self._limits.in_flight_bytes:
                raise _Refused(503, "Service Unavailable: too many bytes of requests at once")
            body += piece
            self._in_flight_bytes += len(piece)
            more = message.get("more_body", False)
        return True

    def _check(self, body_bytes: int) -> None:
        if body_bytes > self._limits.body_bytes:
            raise _Refused(413, f"Content Too Large: a body may have {self._limits.body_bytes} bytes")


def _announced_bytes(scope: Scope) -> int:
    """The length that the headers name; 0 where they name none, or no number."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body in one piece, then what comes after it: that the client has gone."""
    is_read = False

    async def replayed() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


async def _answer(send: Send, refused: _Refused) -> None:
    text = f"{refused.text}\r\n".encode()
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(text)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
