"""A Thrift service on a port."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from rowstone._base.acting import MayActFor
from rowstone._core.user_views import GroupsOf
from rowstone._server.http_hosts import hosts_of
from rowstone.errors import InvalidArgument
from rowstone.thrift._credentials import Authenticate
from rowstone.thrift._scanners import Scanners
from rowstone.thrift._session import HERE
from rowstone.thrift._terms import Terms
from rowstone.thrift.wire.server import Server as Listener

if TYPE_CHECKING:
    import ssl

    from rowstone._core.database import Database
    from rowstone._server.serve import Server, ServerTls

MOST_BYTES = 256 * 1024 * 1024
MOST_CONNECTIONS = 1_000
PATIENCE_S = 30.0
NAMES = {1: "Hbase", 2: "THBaseService"}
"""The services by version."""
SCANNER_TIMEOUT_S = {1: 120.0, 2: 60.0}
"""As in HBase's gateways, where ``hbase.client.scanner.timeout.period`` is the default."""


class Gateway:
    """A service at work; made by `rowstone.thrift.serve`. Use it in a ``with`` statement, or call `stop`."""

    def __init__(self, terms: Terms, host: str, port: int) -> None:
        self._terms = terms
        self._server = Listener(
            host,
            port,
            self._serve,
            tick=terms.scanners.forget_idle,
            most_connections=terms.most_connections,
            tls=terms.tls,
            patience_s=terms.patience_s,
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._server.port

    def stop(self) -> None:
        """Ends all connections and scanners; the database stays open. A second call does nothing."""
        self._server.stop()
        self._terms.scanners.close_all()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        terms = self._terms
        return f"<rowstone.thrift.Gateway {NAMES[terms.version]} on port {self.port} of {terms.database.path}>"

    def _serve(self, connection: socket.socket) -> None:
        # What speaks Thrift is imported with the first client: most of a server's start would be that.
        from rowstone.thrift import _conversation

        _conversation.talk(self._terms, connection)


def serve(
    database: Database,
    *,
    port: int = 9090,
    version: int = 1,
    host: str = "127.0.0.1",
    insecure: bool = False,
    authenticate: Authenticate | None = None,
    may_act_for: MayActFor | None = None,
    region_server: tuple[str, int] = HERE,
    scanner_timeout_s: float | None = None,
    max_message_bytes: int = MOST_BYTES,
    max_connections: int = MOST_CONNECTIONS,
    patience_s: float = PATIENCE_S,
    tls: ServerTls | None = None,
    server: Server | None = None,
    groups_of: GroupsOf | None = None,
    allowed_hosts: Iterable[str] = (),
) -> Gateway:
    """Serves a database to clients of HBase's Thrift gateways. Returns when they can connect.

    Args:
        database: Stays open when the gateway is stopped. One of a cluster works, too.
        port: 0 is any that is free.
        version: 1 for the service that happybase speaks, 2 for the newer one: they cannot share a port.
        host: IP address to listen on.
        insecure: Agrees to listen beyond this machine, where whoever reaches the port may read and write everything.
        authenticate: Says who a client is, or None for one who is not let in. Without it all may do all.
        may_act_for: Asked with a user's name, the one in the HTTP header ``doAs``, and his address; else nobody may.
        region_server: Host and port that a directory's regions are said to be at.
        scanner_timeout_s: How long a scanner lives that its client does not ask; 120 by default, 60 in version 2.
        max_message_bytes: Longest call; 256 MiB by default. Elements of lists count against it, too.
        max_connections: Connections at once; 1,000 by default. More are closed.
        patience_s: How long a client may take to go on with a message that it began, and to take an answer.
        tls: Encrypts; clients without TLS are refused then, whatever its ``plain_text`` says.
        server: The server of a directory, whose slow calls the second service tells; without it there are none.
        groups_of, allowed_hosts: As `rowstone.rest.serve` has them; names of hosts are those of requests over HTTP.

    Raises:
        InvalidArgument: ``host`` is no IP address, or lies beyond this machine without ``insecure``; there is no such
            version; ``max_message_bytes`` is not between 1 KiB and 1 GiB.
        StorageError: The port is taken, or a file of ``tls`` cannot be used.

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
    terms = Terms(
        database=database,
        version=version,
        authenticate=authenticate,
        may_act_for=may_act_for,
        region_server=region_server,
        scanners=Scanners(SCANNER_TIMEOUT_S[version] if scanner_timeout_s is None else scanner_timeout_s),
        most_bytes=max_message_bytes,
        most_connections=max_connections,
        patience_s=patience_s,
        tls=None if tls is None else _context(tls),
        server=server,
        groups_of=groups_of,
        hosts=hosts_of(host, knows_users=authenticate is not None, allowed=allowed_hosts),
    )
    return Gateway(terms, host, port)


def _context(tls: ServerTls) -> ssl.SSLContext:
    from rowstone._server.tls import server_context

    return server_context(tls)


def _check_host(host: str, insecure: bool) -> None:
    from rowstone._server.serve import check_host

    check_host(host, insecure)
