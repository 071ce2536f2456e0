"""A client's connection, from first to last byte. Imported with the first connection, with codecs and methods."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from rowstone._base.printable import printable_text
from rowstone.server.thrift._service import Encoding, Service
from rowstone.server.thrift._terms import Credentials, Terms
from rowstone.server.thrift.codec.source import Source
from rowstone.server.thrift.codec.types import Closed, Malformed
from rowstone.server.thrift.wire import http, messages
from rowstone.server.thrift.wire.greeting import ENCODINGS, encoding_of, told_by
from rowstone.server.thrift.wire.stream import Stream

_log = logging.getLogger("rowstone.server.thrift")


@cache
def service(version: int) -> Service:
    """The service of that version; checks that all its methods are implemented."""
    methods = import_module(f"rowstone.server.thrift.{'one' if version == 1 else 'two'}._methods")
    return Service(methods.DOCUMENT, methods.MODULES, ENCODINGS)


def talk(terms: Terms, connection: socket.socket) -> None:
    """Answer the calls of a connection until the client disconnects or sends an invalid message."""
    try:
        _talk(terms, connection)
    except Closed:
        pass
    except Malformed as error:
        _log.info("a connection is closed: %s", printable_text(str(error)))


def _talk(terms: Terms, connection: socket.socket) -> None:
    address = connection.getpeername()[0]
    stream = Stream(connection, terms.patience_s)
    source = Source(stream.first(), terms.most_bytes, stream.more)
    spoken = told_by(source)
    if spoken.http:
        http.requests(source, stream, terms.most_bytes, lambda *request: _answer_http(terms, address, *request))
        return
    session = terms.session(Credentials(address))
    if session is None or spoken.encoding is None:
        raise Malformed("the client is not let in")

    def answer(message: Source, encoding: Encoding) -> bytes | None:
        return service(terms.version).answer(message, encoding, session)

    exchange = messages.framed if spoken.framed else messages.plain
    exchange(source, stream, spoken.encoding, terms.most_bytes, answer)


def _answer_http(terms: Terms, address: str, headers: Mapping[str, str], body: bytes) -> bytes | None:
    if terms.hosts is not None and not terms.hosts.allows(headers.get("host", "localhost")):
        raise http.Misdirected(terms.hosts.refusal(headers["host"]))
    user, password = http.basic_credentials(headers) or (None, None)
    session = terms.session(Credentials(address, user, password, headers))
    if session is None:
        return None
    return service(terms.version).answer(Source(body, terms.most_bytes), encoding_of(body), session) or b""
