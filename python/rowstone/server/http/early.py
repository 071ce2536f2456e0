"""Work for one HTTP request, in a thread. It ends when the client disconnects.

A browser that waits for a page gets its head early: menu, title and a note. The status is then 200, even if the rest of
the page says that the query failed. Programs, which do not ask for HTML, get the whole response with its own status.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rowstone._base.html import escape_text

PATIENCE_SECONDS = 0.1
"""How long the head of a page waits for the rest of it."""
_HTML = "text/html"
_END = "</main></body></html>"
_log = logging.getLogger(__name__)


async def respond(http: Request, work: Callable[[], Response], cancel: Callable[[], None] = lambda: None) -> Response:
    """Run the work in a thread and return its response, or a response that begins with the head of the page.

    The work may call ``http.state.announce(head, mark)`` once the client is admitted and the head of the page is known.
    The rest of the page is what follows ``mark`` in the response of the work.

    Args:
        cancel: Called when the client has left, or has the response; maybe more than once.
    """
    loop = asyncio.get_running_loop()
    announced: asyncio.Future[tuple[str, str]] = loop.create_future()

    def announce(head: str, mark: str) -> None:
        # The loop is closed if the server has stopped.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: None if announced.done() else announced.set_result((head, mark)))

    http.state.announce = announce
    answer, end = asyncio.ensure_future(run_in_threadpool(work)), asyncio.ensure_future(_disconnect(http))
    late = asyncio.ensure_future(_is_late(announced))
    takes_parts = http.method == "GET" and _HTML in http.headers.get("accept", "")
    is_streamed = False
    try:
        await asyncio.wait({answer, end, late} if takes_parts else {answer, end}, return_when=asyncio.FIRST_COMPLETED)
        if takes_parts and late.done() and not answer.done() and not end.done():
            is_streamed = True
            return StreamingResponse(_parts(*late.result(), answer, cancel), media_type=f"{_HTML}; charset=utf-8")
        if not answer.done():
            cancel()
        return await answer
    finally:
        # Also when the server stops.
        end.cancel()
        late.cancel()
        if not is_streamed:
            cancel()


async def _disconnect(http: Request) -> None:
    while (await http.receive())["type"] != "http.disconnect":
        pass


async def _is_late(announced: asyncio.Future[tuple[str, str]]) -> tuple[str, str]:
    found = await announced
    await asyncio.sleep(PATIENCE_SECONDS)
    return found


async def _parts(
    head: str, mark: str, answer: asyncio.Future[Response], cancel: Callable[[], None]
) -> AsyncIterator[str]:
    try:
        yield head
        text = bytes((await asyncio.shield(answer)).body).decode()
        # An error in plain text has no mark.
        yield text.partition(mark)[2] if mark in text else f"<pre>{escape_text(text)}</pre>{_END}"
    except Exception:
        _log.exception("a page ended with an error after its head")
        yield f"<p>The page failed; the log of the server has the reason.</p>{_END}"
    finally:
        cancel()
