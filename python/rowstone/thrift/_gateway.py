"""A Thrift service on a port."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING

from rowstone.errors import InvalidArgument
from rowstone.thrift._scanners import Scanners
from rowstone.thrift._service import Encoding, Service
from rowstone.thrift._session import HERE, Session, view_of
from rowstone.thrift.codec.source import Source
from rowstone.thrift.codec.types import Closed, Malformed
from rowstone.thrift.wire import http, messages
from rowstone.thrift.wire.greeting import ENCODINGS, encoding_of, told_by
from rowstone.thrift.wire.server import Server
from rowstone.thrift.wire.stream import Stream

if TYPE_CHECKING:
    from rowstone._database import Database

_log = logging.getLogger("rowstone.thrift")

MOST_BYTES = 256 * 1024 * 1024
MOST_CONNECTIONS = 1_000
PATIENCE_S = 30.0
SCANNER_TIMEOUT_S = {1: 120.0, 2: 60.0}
"""As in HBase's gateways, where ``hbase.client.scanner.timeout.period`` is the default."""


@dataclass(frozen=True)
class Credentials:
    """What a client says of himself. Only HTTP has a place for names and headers.

    Attributes:
        address: The IP address he comes from.
        user, password: Of HTTP's basic authentication.
        headers: Of the HTTP request, by their names in small letters.
    """

    address: str
    user: str | None = None
    password: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


Authenticate = Callable[[Credentials], str | None]


class Gateway:
    """A service at work; made by `rowstone.thrift.serve`. Use it in a ``with`` statement, or call `stop`."""

    def __init__(
        self,
        database: Database,
        version: int,
        *,
        host: str,
        port: int,
        authenticate: Authenticate | None,
        region_server: tuple[str, int],
        scanner_timeout_s: float,
        most_bytes: int,
        most_connections: int,
        patience_s: float,
    ) -> None:
        self._database = database
        self._service = _service(version)
        self._authenticate = authenticate
        self._region_server = region_server
        self._scanners = Scanners(scanner_timeout_s)
        self._most_bytes = most_bytes
        self._patience_s = patience_s
        self._server = Server(
            host, port, self._serve, tick=self._scanners.forget_idle, most_connections=most_connections
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._server.port

    def stop(self) -> None:
        """Ends all connections and scanners; the database stays open. A second call does nothing."""
        self._server.stop()
        self._scanners.close_all()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<rowstone.thrift.Gateway {self._service.name} on port {self.port} of {self._database.path}>"

    def _session(self, credentials: Credentials) -> Session | None:
        """What a client may use; None for one who is not let in."""
        user = None
        if self._authenticate is not None:
            user = self._authenticate(credentials)
            if user is None:
                return None
        return Session(view_of(self._database, user), user, self._scanners, self._region_server)

    def _serve(self, connection: socket.socket) -> None:
        try:
            self._talk(connection)
        except Closed:
            pass
        except Malformed as error:
            _log.info("a connection is closed: %s", error)

    def _talk(self, connection: socket.socket) -> None:
        address = connection.getpeername()[0]
        stream = Stream(connection, self._patience_s)
        source = Source(stream.first(), self._most_bytes, stream.more)
        spoken = told_by(source)
        if spoken.http:
            http.requests(source, stream, self._most_bytes, lambda *request: self._answer_http(address, *request))
            return
        session = self._session(Credentials(address))
        if session is None or spoken.encoding is None:
            raise Malformed("the client is not let in")

        def answer(message: Source, encoding: Encoding) -> bytes | None:
            return self._service.answer(message, encoding, session)

        talk = messages.framed if spoken.framed else messages.plain
        talk(source, stream, spoken.encoding, self._most_bytes, answer)

    def _answer_http(self, address: str, headers: Mapping[str, str], body: bytes) -> bytes | None:
        user, password = http.basic_credentials(headers) or (None, None)
        session = self._session(Credentials(address, user, password, headers))
        if session is None:
            return None
        return self._service.answer(Source(body, self._most_bytes), encoding_of(body), session) or b""


def serve(
    database: Database,
    *,
    port: int = 9090,
    version: int = 1,
    host: str = "127.0.0.1",
    insecure: bool = False,
    authenticate: Authenticate | None = None,
    region_server: tuple[str, int] = HERE,
    scanner_timeout_s: float | None = None,
    max_message_bytes: int = MOST_BYTES,
    max_connections: int = MOST_CONNECTIONS,
    patience_s: float = PATIENCE_S,
) -> Gateway:
    """Serves a database to clients of HBase's Thrift gateways. Returns when they can connect.

    Args:
        database: Stays open when the gateway is stopped. One of a cluster works, too.
        port: 0 is any that is free.
        version: 1 for the service that happybase speaks, 2 for the newer one: they cannot share a port.
        host: IP address to listen on.
        insecure: Agrees to listen beyond this machine, where whoever reaches the port may read and write everything.
        authenticate: Says who a client is, or None for one who is not let in. Without it all may do all.
        region_server: Host and port that a directory's regions are said to be at.
        scanner_timeout_s: How long a scanner lives that its client does not ask; two minutes by default, or one in
            version 2.
        max_message_bytes: Longest call; 256 MiB by default. Elements of lists count against it, too.
        max_connections: Connections at once; 1,000 by default. More are closed.
        patience_s: How long a client may take to go on with a message that it began, and to take an answer.

    Raises:
        InvalidArgument: ``host`` is no IP address, or lies beyond this machine without ``insecure``; there is no such
            version; ``max_message_bytes`` is not between 1 KiB and 1 GiB.
        StorageError: The port is taken.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db, rs.thrift.serve(db, port=0) as gateway:
        ...     print(gateway.port > 0)
        True
    """
    if version not in SCANNER_TIMEOUT_S:
        raise InvalidArgument(f"there is no version {version} of HBase's Thrift service, only 1 and 2")
    if not 1024 <= max_message_bytes < 2**30:
        raise InvalidArgument(f"max_message_bytes is {max_message_bytes}, not between 1 KiB and 1 GiB")
    _check_host(host, insecure)
    return Gateway(
        database,
        version,
        host=host,
        port=port,
        authenticate=authenticate,
        region_server=region_server,
        scanner_timeout_s=SCANNER_TIMEOUT_S[version] if scanner_timeout_s is None else scanner_timeout_s,
        most_bytes=max_message_bytes,
        most_connections=max_connections,
        patience_s=patience_s,
    )


@cache
def _service(version: int) -> Service:
    """The service of that version; its functions are imported when it is first wanted."""
    methods = import_module(f"rowstone.thrift.{'one' if version == 1 else 'two'}._methods")
    return Service(methods.DOCUMENT, methods.MODULES, ENCODINGS)


def _check_host(host: str, insecure: bool) -> None:
    from rowstone._serve import check_host

    check_host(host, insecure)
