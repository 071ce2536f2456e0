"""HTTP server for the web UI."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Unpack

from rowstone._base.options import with_defaults
from rowstone.server.dashboard._site import site_of
from rowstone.server.http.hosts import Hosts, hosts_of
from rowstone.server.http.limits import Limits
from rowstone.server.http.server import HttpServer, needs_gateways
from rowstone.server.listening import check_host
from rowstone.server.options import ACCESS_DEFAULTS, AccessOptions

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.server.acting import GroupsOf
    from rowstone.server.dashboard._app import Authenticate
    from rowstone.server.http.bounds import Application
    from rowstone.server.listening import ServerTls
    from rowstone.server.serve import Server

_LIMITS = Limits(body_bytes=0)
"""No request has a body that is read."""


class Dashboard:
    """The running web UI of a database, started by `serve`. Use it in a ``with`` statement, or call `stop`."""

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
        from rowstone.server.dashboard._app import application

        return application(self._site, self._authenticate, self._groups_of)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._http.port

    @property
    def url(self) -> str:
        """The URL for a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(self._host, self._host)
        return f"{self._scheme}://{host}:{self.port}/"

    def stop(self) -> None:
        """Stop serving; the database stays open. A second call does nothing."""
        self._site.history.stop()
        self._http.stop()

    def __enter__(self) -> Dashboard:
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
    **options: Unpack[AccessOptions],
) -> Dashboard:
    """Serve the web UI and metrics of a database and its server. It is read-only.

    Args:
        database: A directory or an in-memory database; it stays open.
        server: The database's server, from `rowstone.serve`; without it only the store's own metrics are available.
        host: IP address to listen on. port: 0 selects a free port.
        authenticate: Maps the header ``Authorization`` (empty if missing) to a user name, or None, which is answered
            with 401. ``/health`` and ``/ready`` are always public. Without it all pages are public.
        tls: Certificate and key, to serve HTTPS only.
        insecure: Allow listening beyond this machine without ``authenticate``.
        options: Groups of users, and allowed host names: see `rowstone.server.AccessOptions`.

    Raises:
        InvalidArgument: ``host`` is not an IP address, or is not on this machine and ``insecure`` is not set.
        ImportError: The extra ``gateways`` is not installed. StorageError: The port is in use.

    Example:
        >>> import urllib.request
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db, rs.server.dashboard.serve(db) as dashboard:
        ...     print(urllib.request.urlopen(f"{dashboard.url}ready").read())
        b'ready\\n'
    """
    access = with_defaults(serve, options, ACCESS_DEFAULTS)
    check_host(host, insecure or authenticate is not None)
    hosts = hosts_of(host, knows_users=authenticate is not None, allowed=access["allowed_hosts"])
    return Dashboard(database, server, host, port, authenticate, tls, access["groups_of"], hosts)
