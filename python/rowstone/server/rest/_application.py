"""The gateway as an ASGI application: authentication, routing, and responses."""

from __future__ import annotations

import dataclasses
import gzip
import logging
import re
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse

from rowstone._base.printable import printable_text
from rowstone._core.database import Database
from rowstone.errors import RowstoneError
from rowstone.server.acting import MayActFor, acting_user, is_user_name
from rowstone.server.http.bounds import SHARE, Receive, Scope, Send
from rowstone.server.http.limits import Budget, Limits, OverBudget, Share
from rowstone.server.rest import _answer, _credentials, _failures
from rowstone.server.rest._answer import Answer
from rowstone.server.rest._credentials import Authenticate
from rowstone.server.rest._failures import Refused, bad_request
from rowstone.server.rest._request import Query, Request
from rowstone.server.rest._scanners import Scanners
from rowstone.server.rest._status import Load
from rowstone.server.rest.messages import _media
from rowstone.server.rest.messages.shapes import Message
from rowstone.server.rest.routing import _openapi
from rowstone.server.rest.routing._route import Operation, Route, consuming, find, producing
from rowstone.server.rest.routing._routes import ROUTES

if TYPE_CHECKING:
    from rowstone._core.tracing import Tracing

_BODILESS = (204, 304)
_SAFE = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "X-XSS-Protection": "1; mode=block"}
"""Headers that HBase sends with every response, for browsers."""
_HOST = re.compile(r"^https?://[^/]*", re.IGNORECASE)
_USER = "rowstone.user"
_PIECE_BYTES = 256 << 10
_log = logging.getLogger("rowstone")


class RestApplication:
    """HBase's REST interface to a database.

    ``database_for`` returns the database as a user sees it. ``authenticate`` maps credentials to a user name; without
    it every client is ``user``. ``may_act_for`` decides whether a user may send ``doAs``. ``address`` is the reported
    location of a directory's regions. ``tracing`` creates a span for each request.
    """

    def __init__(
        self,
        database_for: Callable[[str], Database],
        *,
        user: str,
        authenticate: Authenticate | None = None,
        may_act_for: MayActFor | None = None,
        scanners: Scanners | None = None,
        limits: Limits | None = None,
        address: str | None = None,
        tracing: Tracing | None = None,
    ) -> None:
        self._database_for = database_for
        self._user = user
        self._authenticate = authenticate
        self._may_act_for = may_act_for
        self._limits = limits or Limits()
        self._budget = Budget(self._limits.in_flight_bytes)
        self._load = Load()
        self._address = address
        self._tracing = tracing
        self.scanners = scanners or Scanners()

    async def admit(self, scope: Scope) -> Response | None:
        """Authenticate a client before its body is read; returns the response to a refused client."""

        def read_request() -> Answer | None:
            request = HttpRequest(scope)
            query = Query(scope["query_string"].decode("latin-1"))
            try:
                scope[_USER] = self._user_of(request, dict(request.headers), query)
            except Refused as refused:
                return refused.answer
            except RowstoneError as error:
                return _failures.failed(error)
            return None

        answer = await run_in_threadpool(read_request)
        if answer is None:
            return None
        headers = {**_SAFE, **answer.headers, "Connection": "close", "Content-Type": answer.media or _media.TEXT}
        return Response(answer.body if isinstance(answer.body, bytes) else b"", answer.status, headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HttpRequest(scope, receive)
        body = await request.body()
        answer = await run_in_threadpool(self._answered, request, body)
        headers = {**_SAFE, **answer.headers}
        if answer.status in _BODILESS:
            answer = dataclasses.replace(answer, body=b"")
        if answer.media:
            headers["Content-Type"] = answer.media
        response: Response
        if isinstance(answer.body, bytes):
            content = answer.body
            if content and "gzip" in request.headers.get("accept-encoding", "").lower():
                content, headers["Content-Encoding"] = gzip.compress(content, 1, mtime=0), "gzip"
            response = Response(content, answer.status, headers)
        else:
            response = StreamingResponse(answer.body, answer.status, headers)
        await response(scope, receive, send)

    def _answered(self, request: HttpRequest, body: bytes) -> Answer:
        if self._tracing is None:
            return self._respond(request, body)
        from rowstone.server.rest import _spans

        return _spans.in_span(self._tracing, request, lambda: self._respond(request, body))

    def _respond(self, request: HttpRequest, body: bytes) -> Answer:
        """The response to a request, including unexpected errors."""
        try:
            return self._answer(request, body)
        except Refused as refused:
            return refused.answer
        except RowstoneError as error:
            return _failures.failed(error)
        except OverBudget as error:
            return _answer.text(503, str(error))
        except Exception:
            _log.exception("the REST gateway failed on %s %s", *map(printable_text, (request.method, request.url.path)))
            return _answer.text(500, "Internal Server Error")

    def _answer(self, request: HttpRequest, body: bytes) -> Answer:
        """Authenticate, match and run a request."""
        headers = dict(request.headers)
        query = Query(request.scope["query_string"].decode("latin-1"))
        user = request.scope.get(_USER) or self._user_of(request, headers, query)
        # A proxy request carries the whole URL in place of the path.
        path = _HOST.sub("", request.scope["raw_path"].decode("latin-1")) or "/"
        if path == _openapi.PATH:
            return _openapi.answer(request.method)
        route, parts = _route_of(path)
        if self._tracing is not None:
            from rowstone.server.rest import _spans

            _spans.note_route(request.method, route.path)
        operation, media = _matched(route, request.method, headers, has_body=bool(body))
        database = self._database_for(user)
        if database.read_only and operation.method != "GET":
            return _answer.text(403, "Forbidden")
        share = request.scope.get(SHARE) or self._budget.share()
        body = self._plain(body, headers, share)
        return operation.handle(
            Request(
                method=request.method,
                url=f"{request.url.scheme}://{request.url.netloc}{path}",
                parts=parts,
                query=query,
                headers=headers,
                body=body,
                message=_message(operation, body, headers, _Parsing(share, self._limits.parsed_bytes)),
                media=media,
                user=user,
                database=database,
                scanners=self.scanners,
                load=self._load,
                address=self._address or request.url.netloc,
            )
        )

    def _user_of(self, request: HttpRequest, headers: Mapping[str, str], query: Query) -> str:
        """The effective user of the request. Raises `Refused`."""
        known = None
        if self._authenticate is not None:
            known = self._authenticate(_credentials.credentials_of(headers))
            if known is None or not is_user_name(known):
                raise Refused(_failures.unauthorized())
        wanted = query.get_of_any_case("doAs")
        if wanted is None:
            return self._user if known is None else known
        address = request.client.host if request.client else ""
        user = acting_user(known, wanted, address, self._may_act_for)
        if user is None:
            raise Refused(_answer.text(403, "Forbidden"))
        return user

    def _plain(self, body: bytes, headers: Mapping[str, str], share: Share) -> bytes:
        """The body, decompressed if it is gzip. The length limit applies to the decompressed body."""
        if "gzip" not in headers.get("content-encoding", "").lower():
            return body
        unpacking, plain = zlib.decompressobj(16 + zlib.MAX_WBITS), bytearray()
        while body and not unpacking.eof:
            try:
                piece = unpacking.decompress(body, _PIECE_BYTES)
            except zlib.error as error:
                raise bad_request(f"Bad request: the body is not gzip: {error}") from None
            if len(plain) + len(piece) > self._limits.body_bytes:
                raise Refused(_answer.text(413, f"Content Too Large: a body may have {self._limits.body_bytes} bytes"))
            # Counted twice: the chunks, and the joined body.
            share.take(2 * len(piece))
            plain += piece
            body = unpacking.unconsumed_tail
        if not unpacking.eof:
            raise bad_request("Bad request: the body is gzip without its end")
        return bytes(plain)


def _message(operation: Operation, body: bytes, headers: Mapping[str, str], parsing: _Parsing) -> Message:
    """Parse the body in the operation's shape; an empty protobuf body is a message, too. Raises `InvalidArgument`."""
    if operation.reads is None:
        return {}
    media = _media.bare(headers.get("content-type")) or operation.consumes[0]
    if body:
        return _media.decode(operation.reads, body, media, parsing.spend)
    if operation.needs_body and media in (_media.JSON, _media.XML):
        raise bad_request("Bad request\r\njava.lang.NullPointerException: there is no body")
    return {}


def _route_of(path: str) -> tuple[Route, Mapping[str, str]]:
    """Match a path; returns the route and the path's variable parts. Raises `Refused` with 404."""
    found = find(ROUTES, path)
    if found is None:
        raise Refused(_answer.text(404, "Not found"))
    return found


def _matched(route: Route, method: str, headers: Mapping[str, str], *, has_body: bool) -> tuple[Operation, str]:
    """Select the operation and the media type of the response. Raises `Refused` with 405, 415 or 406."""
    wanted = "GET" if method == "HEAD" else method
    operations = [operation for operation in route.operations if operation.method == wanted]
    if not operations:
        raise Refused(_allowing(route, method))
    operations = consuming(operations, headers.get("content-type"), has_body=has_body)
    if not operations:
        raise Refused(_answer.text(415, "Unsupported Media Type"))
    chosen = producing(operations, headers.get("accept"))
    if chosen is None:
        raise Refused(_answer.text(406, "Not Acceptable"))
    return chosen


def _allowing(route: Route, method: str) -> Answer:
    """405, or 200 for an OPTIONS request."""
    allow = {"Allow": ",".join([*route.methods, "OPTIONS"])}
    if method == "OPTIONS":
        return Answer(200, headers=allow)
    answer = _answer.text(405, "Method Not Allowed")
    return Answer(405, answer.body, answer.media, allow)


_STEP_BYTES = 64 << 10


class _Parsing:
    """Memory of one parsed body, taken in steps from its request's share."""

    def __init__(self, share: Share, most_bytes: int) -> None:
        self._share = share
        self._most_bytes = most_bytes
        self._spent_bytes = 0
        self._taken_bytes = 0

    def spend(self, count: int) -> None:
        """Account for ``count`` bytes. Raises `Refused` (413) and `OverBudget`."""
        self._spent_bytes += count
        if self._spent_bytes > self._most_bytes:
            limit = f"a body may take {self._most_bytes} bytes when it is parsed"
            raise _failures.Refused(_answer.text(413, f"Content Too Large: {limit}; send it in parts"))
        more = self._spent_bytes - self._taken_bytes
        if more >= _STEP_BYTES:
            self._share.take(more)
            self._taken_bytes += more
