"""HTTP server for the web UI."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from rowstone._base.options import with_defaults
from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.server.acting import view_of
from rowstone.server.dashboard._heat import explored
from rowstone.server.dashboard._site import Site, site_of
from rowstone.server.dashboard.pages import EXPLORER_TITLES, TITLES
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

_MOST_FORM_BYTES = 1 << 20
"""Size of a form that changes data. Read-only pages accept no body."""


class Dashboard:
    """The running web UI of a database, started by `serve`. Use it in a ``with`` statement, or call `stop`."""

    def __init__(
        self,
        site: Site,
        host: str,
        port: int,
        authenticate: Authenticate | None,
        tls: ServerTls | None,
        groups_of: GroupsOf | None,
        hosts: Hosts | None,
    ) -> None:
        needs_gateways("the web page")
        self._site = site
        self._authenticate = authenticate
        self._groups_of = groups_of
        limits = Limits(body_bytes=_MOST_FORM_BYTES if site.can_write else 0)
        self._http = HttpServer(self._application, host, port, tls, limits=limits, hosts=hosts)
        self._scheme = "http" if tls is None else "https"
        self._host = f"[{host}]" if ":" in host else host
        if "" in site.titles:
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
        """The URL for a browser on this machine; with the access token if there is one."""
        host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(self._host, self._host)
        token = f"tables?token={self._site.access_token}" if self._site.access_token else ""
        return f"{self._scheme}://{host}:{self.port}/{token}"

    def stop(self) -> None:
        """Stop serving; the database stays open. A second call does nothing."""
        self._site.history.stop()
        self._site.heat.stop()
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
    data: bool = False,
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
        data: Add pages with the data of tables. Without ``authenticate``, every client that reaches the port reads
            them, such as other users of this machine.
        options: Groups of users, and allowed host names: see `rowstone.server.AccessOptions`.

    Raises:
        InvalidArgument: ``host`` is not an IP address, or is not on this machine and ``insecure`` is not set; or the
            database has access control, and ``data`` is set without ``authenticate``.
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
    if data and authenticate is None and view_of(database, "anonymous") is not database:
        raise InvalidArgument("data=True needs authenticate, because the database has access control")
    site = site_of(database, server, TITLES, has_data=data)
    return Dashboard(site, host, port, authenticate, tls, access["groups_of"], hosts)


def explore(database: Database, *, port: int = 0, write: bool = False) -> Dashboard:
    """Serve the pages with tables and their data to a browser of this machine: see ``rowstone explore``.

    The address `Dashboard.url` contains a token. Other users of the machine cannot read the pages without it.

    Args:
        database: A directory, a cluster or the files of one; it stays open.
        port: 0 selects a free port.
        write: Allow the pages to put, increment and delete.

    Raises:
        UnsupportedOperation: ``write`` for a database that was opened read-only.
        ImportError: The extra ``gateways`` is not installed. StorageError: The port is in use.

    Example:
        >>> import urllib.request
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db, rs.server.dashboard.explore(db) as explorer:
        ...     print(explorer.url.partition("?")[0].endswith("/tables"))
        True
    """
    if write and database.read_only:
        raise UnsupportedOperation(f"'{database.path}' is read-only: explore it without write")
    import secrets

    token = secrets.token_urlsafe(24)
    has: dict[str, Any] = {"has_data": True, "has_sql": True, "can_write": write, "access_token": token}
    heat = explored(database)
    titles = {name: title for name, title in EXPLORER_TITLES.items() if name != "heat" or heat is not None}
    has |= {} if heat is None else {"heat": heat}
    site = site_of(database, None, titles, **has)
    host = "127.0.0.1"
    return Dashboard(site, host, port, None, None, None, hosts_of(host, knows_users=False, allowed=()))
