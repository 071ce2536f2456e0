"""Thrift gateway: a service on a port."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import TYPE_CHECKING, Unpack

from rowstone._base.options import with_defaults
from rowstone.errors import InvalidArgument
from rowstone.server.acting import MayActFor
from rowstone.server.http.hosts import hosts_of
from rowstone.server.listening import connection_limit
from rowstone.server.thrift._options import DEFAULTS, SCANNER_TIMEOUT_S, ThriftOptions
from rowstone.server.thrift._scanners import Scanners
from rowstone.server.thrift._session import HERE
from rowstone.server.thrift._terms import Authenticate, Terms
from rowstone.server.thrift.wire.server import Server as Listener

if TYPE_CHECKING:
    import ssl

    from rowstone._core.database import Database
    from rowstone.server.listening import ServerTls
    from rowstone.server.serve import Server

NAMES = {1: "Hbase", 2: "THBaseService"}
"""The services by version."""


class Gateway:
    """A running gateway, started by `rowstone.server.thrift.serve`. Use it in a ``with`` statement, or call `stop`."""

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
        """The port it listens on."""
        return self._server.port

    def stop(self) -> None:
        """Close all connections and scanners; the database stays open. A second call does nothing."""
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
        return f"<rowstone.server.thrift.Gateway {NAMES[terms.version]} on port {self.port} of {terms.database.path}>"

    def _serve(self, connection: socket.socket) -> None:
        # The Thrift code is imported with the first client: it would be most of a server's start-up time.
        from rowstone.server.thrift import _conversation

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
    tls: ServerTls | None = None,
    server: Server | None = None,
    **options: Unpack[ThriftOptions],
) -> Gateway:
    """Serve a database to clients of HBase's Thrift gateways. Returns when they can connect.

    Args:
        database: An open database, which may be a cluster's. It stays open when the gateway is stopped.
        port: 0 selects a free port.
        version: 1 for the service that happybase uses, 2 for the newer one. They cannot share a port.
        host: IP address to listen on.
        insecure: Allow listening beyond this machine, where every client that reaches the port has full access.
        authenticate: Returns a client's user name, or None to refuse it. Without it every client has full access.
        may_act_for: Impersonation check: user, name in the HTTP header ``doAs``, address. Without it none is allowed.
        region_server: Host and port reported as the location of a directory's regions.
        tls: Require TLS. Clients without TLS are refused, whatever its ``plain_text`` says.
        server: The directory's server, whose slow calls the second service reports; without it there are none.
        options: Limits on clients, groups of users, and host names for requests over HTTP: see `ThriftOptions`.

    Raises:
        InvalidArgument: ``host`` is not an IP address, or is not on this machine and ``insecure`` is not set; unknown
            version; ``max_message_bytes`` is not between 1 KiB and 1 GiB.
        StorageError: The port is in use, or a file of ``tls`` cannot be used.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0) as gateway:
        ...     print(gateway.port > 0)
        True
    """
    given = with_defaults(serve, options, DEFAULTS)
    max_message_bytes, scanner_timeout_s = given["max_message_bytes"], given["scanner_timeout_s"]
    max_connections = given["max_connections"]
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
        most_connections=connection_limit(1_000, 16) if max_connections is None else max_connections,
        patience_s=given["patience_s"],
        tls=None if tls is None else _context(tls),
        server=server,
        groups_of=given["groups_of"],
        hosts=hosts_of(host, knows_users=authenticate is not None, allowed=given["allowed_hosts"]),
    )
    return Gateway(terms, host, port)


def _context(tls: ServerTls) -> ssl.SSLContext:
    from rowstone.server.tls import server_context

    return server_context(tls)


def _check_host(host: str, insecure: bool) -> None:
    from rowstone.server.listening import check_host

    check_host(host, insecure)
