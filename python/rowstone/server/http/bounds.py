"""Requests read whole, within limits, before an application sees them.

The application is not called for these requests:

| request | status |
|---|---|
| longer than the limit, as soon as that is known | 413 |
| the client stops sending, or sends too slowly | 408 |
| no memory for the body now | 503 |
| two lengths | 400 |

An application with a method ``admit`` is asked before a body is read. A refusal, such as that of an unknown user, then
costs no memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from rowstone.server.http.limits import Budget, Limits, OverBudget, Share

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
SHARE = "rowstone.share"
"""Where an application finds the `Share` of its request in the scope."""
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
        self._admit: Callable[[Scope], Awaitable[Application | None]] | None = getattr(application, "admit", None)
        self._budget = Budget(limits.in_flight_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        body = bytearray()
        share = scope[SHARE] = self._budget.share()
        try:
            self._check(_announced_bytes(scope))
            refusal = await self._admit(scope) if self._admit is not None and _has_body(scope) else None
            if refusal is not None:
                await refusal(scope, receive, send)
            elif await self._read(receive, body, share):
                await self._application(scope, _replay(bytes(body), receive), send)
        except _Refused as refused:
            await _answer(send, refused)
        finally:
            share.release()

    async def _read(self, receive: Receive, body: bytearray, share: Share) -> bool:
        """Whether the whole body has come into ``body``; not where the client went away."""
        limits, loop = self._limits, asyncio.get_running_loop()
        began = loop.time()
        more = True
        while more:
            allowed = min(limits.patience_seconds + len(body) / limits.body_bytes_per_second, limits.body_seconds)
            left = began + allowed - loop.time()
            try:
                message = await asyncio.wait_for(receive(), min(left, limits.patience_seconds))
            except TimeoutError:
                raise _Refused(408, "Request Timeout: the body did not come to its end, or came too slowly") from None
            if message["type"] == "http.disconnect":
                return False
            piece = message.get("body", b"")
            self._check(len(body) + len(piece))
            try:
                share.take(len(piece))
            except OverBudget as error:
                raise _Refused(503, str(error)) from None
            body += piece
            more = message.get("more_body", False)
        return True

    def _check(self, body_bytes: int) -> None:
        if body_bytes > self._limits.body_bytes:
            raise _Refused(413, f"Content Too Large: a body may have {self._limits.body_bytes} bytes")


def _announced_bytes(scope: Scope) -> int:
    """Return the length in ``Content-Length``; 0 if it is missing or not a number.

    A request that has ``Transfer-Encoding`` too is refused: proxies could disagree about where the next one begins.
    """
    names = [name for name, _ in scope["headers"]]
    if b"content-length" in names and b"transfer-encoding" in names:
        raise _Refused(400, "Bad Request: Content-Length with Transfer-Encoding")
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _has_body(scope: Scope) -> bool:
    return _announced_bytes(scope) > 0 or any(name == b"transfer-encoding" for name, _ in scope["headers"])


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return the body in one piece, then the message that the client has disconnected."""
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
