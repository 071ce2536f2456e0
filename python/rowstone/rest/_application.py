"""The gateway as an ASGI application: who asks, for what, and the answer."""

from __future__ import annotations

import gzip
import logging
import zlib
from collections.abc import Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse

from rowstone._database import Database
from rowstone._http_bounds import Limits, Receive, Scope, Send
from rowstone.errors import RowstoneError
from rowstone.rest import _answer, _credentials, _failures, _media, _openapi
from rowstone.rest._answer import Answer
from rowstone.rest._credentials import Authenticate
from rowstone.rest._failures import Refused, bad_request
from rowstone.rest._request import Query, Request
from rowstone.rest._route import Operation, Route, consuming, find, producing
from rowstone.rest._routes import ROUTES
from rowstone.rest._scanners import Scanners
from rowstone.rest._status import Load

_log = logging.getLogger("rowstone")


class RestApplication:
    """HBase's REST interface to a database.

    ``database_for`` gives the database as a user sees it; ``authenticate`` tells users from their credentials, and
    without it everybody is ``user``.
    """

    def __init__(
        self,
        database_for: Callable[[str], Database],
        *,
        user: str,
        authenticate: Authenticate | None = None,
        scanners: Scanners | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._database_for = database_for
        self._user = user
        self._authenticate = authenticate
        self._limits = limits or Limits()
        self._load = Load()
        self.scanners = scanners or Scanners()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HttpRequest(scope, receive)
        body = await request.body()
        answer = await run_in_threadpool(self._answered, request, body)
        headers = dict(answer.headers)
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
        try:
            return self._answer(request, body)
        except Refused as refused:
            return refused.answer
        except RowstoneError as error:
            return _failures.failed(error)
        except Exception:
            _log.exception("the REST gateway failed on %s %s", request.method, request.url.path)
            return _answer.text(500, "Internal Server Error")

    def _answer(self, request: HttpRequest, body: bytes) -> Answer:
        headers = dict(request.headers)
        user = self._user
        if self._authenticate is not None:
            name = self._authenticate(_credentials.credentials_of(headers))
            if name is None:
                return _credentials.refusal()
            user = name
        path = request.scope["raw_path"].decode("latin-1")
        if path == _openapi.PATH:
            return _openapi.answer(request.method)
        route, operation, media, parts = _matched(request.method, path, headers)
        body = self._plain(body, headers)
        message = {}
        if operation.reads is not None and body:
            content_type = _media.bare(headers.get("content-type")) or operation.consumes[0]
            message = _media.understood(operation.reads, body, content_type)
        return operation.handle(
            Request(
                method=request.method,
                url=f"{request.url.scheme}://{request.url.netloc}{path}",
                parts=parts,
                query=Query(request.scope["query_string"].decode("latin-1")),
                headers=headers,
                body=body,
                message=message,
                media=media,
                user=user,
                database=self._database_for(user),
                scanners=self.scanners,
                load=self._load,
                address=request.url.netloc,
            )
        )

    def _plain(self, body: bytes, headers: Mapping[str, str]) -> bytes:
        """The body, unpacked where it came as gzip; the limit of its length is that of the unpacked one."""
        if "gzip" not in headers.get("content-encoding", "").lower():
            return body
        unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            plain = unpacking.decompress(body, self._limits.body_bytes + 1)
        except zlib.error as error:
            raise bad_request(f"Bad request: the body is not gzip: {error}") from None
        if len(plain) > self._limits.body_bytes:
            raise Refused(_answer.text(413, f"Content Too Large: a body may have {self._limits.body_bytes} bytes"))
        if not unpacking.eof:
            raise bad_request("Bad request: the body is gzip without its end")
        return plain


def _matched(method: str, path: str, headers: Mapping[str, str]) -> tuple[Route, Operation, str, Mapping[str, str]]:
    """The operation for a request, and the media type of its answer. Raises `Refused` with 404, 405, 415 or 406."""
    found = find(ROUTES, path)
    if found is None:
        raise Refused(_answer.text(404, "Not found"))
    route, parts = found
    wanted = "GET" if method == "HEAD" else method
    operations = [operation for operation in route.operations if operation.method == wanted]
    if not operations:
        raise Refused(_allowing(route, method))
    operations = consuming(operations, headers.get("content-type"))
    if not operations:
        raise Refused(_answer.text(415, "Unsupported Media Type"))
    chosen = producing(operations, headers.get("accept"))
    if chosen is None:
        raise Refused(_answer.text(406, "Not Acceptable"))
    return route, *chosen, parts


def _allowing(route: Route, method: str) -> Answer:
    """405, or 200 to a client that asks which methods there are."""
    methods = [*route.methods, "OPTIONS"]
    if "GET" in methods:
        methods.insert(0, "HEAD")
    allow = {"Allow": ",".join(methods)}
    if method == "OPTIONS":
        return Answer(200, headers=allow)
    answer = _answer.text(405, "Method Not Allowed")
    return Answer(405, answer.body, answer.media, allow)
