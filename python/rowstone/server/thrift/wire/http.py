"""Thrift over HTTP: the body of each POST is a message, and so is the body of each response.

Only the requests of Thrift's HTTP clients are supported: ``POST``, with a ``Content-Length``; connections stay open as
in HTTP/1.1.

Source: HBase's ``ThriftHttpServlet``.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from rowstone.server.http.origins import REFUSAL, is_from_another_site
from rowstone.server.thrift._terms import Forbidden
from rowstone.server.thrift.codec.source import Source
from rowstone.server.thrift.codec.types import Malformed
from rowstone.server.thrift.wire.stream import Stream

_MOST_HEAD_BYTES = 64 * 1024
_MOST_DIGITS = 18
"""Maximum digits of a length; Python itself refuses to read some thousand."""
_MALFORMED = "400 Bad Request"
_UNKNOWN = "401 Unauthorized"
_MISDIRECTED = "421 Misdirected Request"
_END = b"\r\n\r\n"
_MEDIA = "application/x-thrift"
"""Content type of Thrift's clients. Other web sites could send text, or a body without a type, without a preflight."""
_MEDIA_OF_ENCODINGS = "application/vnd.apache.thrift."
_ONCE = ("host", "content-length", "content-type", "transfer-encoding", "origin", "sec-fetch-site")


class Misdirected(Exception):
    """The request's ``Host`` is not an allowed name; the text says so."""


Serve = Callable[[Mapping[str, str], bytes], bytes | None]
"""Called with a request's headers, by lower-case name, and its body; returns None if the user is refused. May raise
`Misdirected` and `Forbidden`."""


def requests(source: Source, stream: Stream, most_bytes: int, serve: Serve) -> None:
    """Requests of a connection, in sequence. Ends by `Closed`, by `Malformed`, or when the client asks for it."""
    while True:
        if source.at >= len(source.data):
            source.data, source.at = stream.first(), 0
        source.begin(most_bytes)
        start, headers = _head(source)
        method, _, version = start.partition(" ")
        if method != "POST":
            stream.send(_response("405 Method Not Allowed", b"Thrift calls are POST requests\n", close=True))
            return
        refusal = _refusal(method, headers)
        if refusal is not None:
            stream.send(_response(*refusal, close=True))
            return
        length = headers.get("content-length", "")
        if not length.isascii() or not length.isdigit():
            stream.send(_response("411 Length Required", b"", close=True))
            return
        if len(length) > _MOST_DIGITS or int(length) > most_bytes:
            stream.send(_response("413 Content Too Large", b"", close=True))
            return
        if headers.get("expect", "").lower() == "100-continue":
            stream.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = source.take(int(length))
        close = headers.get("connection", "").lower() == "close" or version.endswith("HTTP/1.0")
        status, reply = _answered(serve, headers, body)
        close = close or status in (_MALFORMED, _MISDIRECTED)
        stream.send(_response(status, reply, close=close))
        if close:
            return


def _refusal(method: str, headers: Mapping[str, str]) -> tuple[str, bytes] | None:
    """Status and text to refuse a request that cannot be a call, whatever its body; None to accept it."""
    if "transfer-encoding" in headers:
        return _MALFORMED, b"the length of a body is told by Content-Length, without Transfer-Encoding\n"
    if is_from_another_site(method, headers):
        return "403 Forbidden", REFUSAL.encode()
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != _MEDIA and not media.startswith(_MEDIA_OF_ENCODINGS):
        return "415 Unsupported Media Type", f"Thrift calls have the content type {_MEDIA}\n".encode()
    return None


def _answered(serve: Serve, headers: Mapping[str, str], body: bytes) -> tuple[str, bytes]:
    """Status and body of the response."""
    try:
        reply = serve(headers, body)
    except Malformed as error:
        return _MALFORMED, f"{error}\n".encode()
    except Misdirected as error:
        return _MISDIRECTED, str(error).encode(errors="replace")
    except Forbidden:
        return "403 Forbidden", b""
    return (_UNKNOWN, b"") if reply is None else ("200 OK", reply)


def basic_credentials(headers: Mapping[str, str]) -> tuple[str, str] | None:
    """User name and password of a request, if present."""
    scheme, _, encoded = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        # Invalid base64, invalid UTF-8 inside, or non-ASCII text around it.
        return None
    return (name, password) if colon else None


def _head(source: Source) -> tuple[str, dict[str, str]]:
    """The request line and the headers."""
    while (end := source.data.find(_END, source.at)) < 0:
        there = len(source.data) - source.at
        if there > _MOST_HEAD_BYTES:
            raise Malformed(f"the headers are longer than {_MOST_HEAD_BYTES} bytes")
        source.peek(there + 1)
    start, *lines = source.take(end - source.at).decode("latin-1").split("\r\n")
    source.take(len(_END))
    pairs = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    names = [name for name, _ in pairs]
    for name in _ONCE:
        if names.count(name) > 1:
            raise Malformed(f"the header {name} appears {names.count(name)} times")
    return start, dict(pairs)


def _response(status: str, body: bytes, *, close: bool) -> bytes:
    kind = "application/x-thrift" if status.startswith("200") else "text/plain"
    kept = "close" if close else "keep-alive"
    extra = 'WWW-Authenticate: Basic realm="thrift"\r\n' if status == _UNKNOWN else ""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: {kept}\r\n{extra}\r\n"
    )
    return head.encode("latin-1") + body
