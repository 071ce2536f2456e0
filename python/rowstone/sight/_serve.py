"""The pages behind a port."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from rowstone._server.http import HttpServer, needs_gateways
from rowstone._server.http_hosts import Hosts, hosts_of
from rowstone._server.http_limits import Limits
from rowstone._server.serve import check_host
from rowstone.sight._site import site_of

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.user_views import GroupsOf
    from rowstone._server.http_bounds import Application
    from rowstone._server.serve import Server, ServerTls
    from rowstone.sight._app import Authenticate

_LIMITS = Limits(body_bytes=0)
"""Nothing here reads a body."""


class Sight:
    """The pages of a database at work; made by `serve`. Use it in a ``with`` statement, or call `stop`."""

    def __init__(
        self,
        database: Database,
        server: Server | None,
        host: str,
        port: int,
        authenticate: Authenticate | None,
        tls: ServerTls | None,
        groups_of: GroupsOf | None,
        hosts: Hosts | None,
    ) -> None:
        needs_gateways("the web page")
        self._site = site_of(database, server)
        self._authenticate = authenticate
        self._groups_of = groups_of
        self._http = HttpServer(self._application, host, port, tls, limits=_LIMITS, hosts=hosts)
        self._scheme = "http" if tls is None else "https"
        self._host = f"[{host}]" if ":" in host else host
        self._site.history.start()

    def _application(self) -> Application:
        from rowstone.sight._app import application

        return application(self._site, self._authenticate, self._groups_of)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return self._http.port

    @property
    def url(self) -> str:
        """Where a browser finds it on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(self._host, self._host)
        return f"{self._scheme}://{host}:{self.port}/"

    def stop(self) -> None:
        """Ends it; the database stays open. A second call does nothing."""
        self._site.history.stop()
        self._http.stop()

    def __enter__(self) -> Sight:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def serve(
    database: Database,
    server: Server | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    authenticate: Authenticate | None = None,
    tls: ServerTls | None = None,
    insecure: bool = False,
    groups_of: GroupsOf | None = None,
    allowed_hosts: Iterable[str] = (),
) -> Sight:
    """Shows a database, and the server in front of it, to browsers and to Prometheus. Nothing can be changed there.

    Args:
        database: A directory or one in memory; it stays open.
        server: The server of it, as `rowstone.serve` gives it; without one only the store's own numbers are told.
        host: IP address to listen on. port: 0 is any that is free.
        authenticate: Given the header ``Authorization``, empty where there is none, says who asks, or None: that one
            gets 401. ``/health`` and ``/ready`` are for everybody. Without it everybody may look who reaches the port.
        tls: Certificate and key, to speak HTTPS only.
        insecure: Agrees to listen beyond this machine without ``authenticate``.
        groups_of: The groups of a user whom ``authenticate`` has named, such as `rowstone.security.Users.member_of`.
        allowed_hosts: Names by which requests may call it (their header ``Host``) beside those of loopback, where it
            listens on loopback without ``authenticate``: others are answered with 421. ``"*"`` is every name.

    Raises:
        InvalidArgument: ``host`` is no IP address, or lies beyond this machine.
        ImportError: The extra ``gateways`` is not installed. StorageError: The port is taken.

    Example:
        >>> import urllib.request
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db, rs.sight.serve(db) as sight:
        ...     print(urllib.request.urlopen(f"{sight.url}ready").read())
        b'ready\\n'
    """
    check_host(host, insecure or authenticate is not None)
    hosts = hosts_of(host, knows_users=authenticate is not None, allowed=allowed_hosts)
    return Sight(database, server, host, port, authenticate, tls, groups_of, hosts)
