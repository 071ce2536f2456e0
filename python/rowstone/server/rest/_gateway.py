"""Start and stop of the REST gateway."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Unpack

from rowstone._base.options import with_defaults
from rowstone._core.database import Database
from rowstone.server.acting import GroupsOf, MayActFor, view_of
from rowstone.server.http.hosts import Hosts, hosts_of
from rowstone.server.http.limits import Limits
from rowstone.server.http.server import HttpServer, needs_gateways
from rowstone.server.listening import LOOPBACK, ServerTls, check_host
from rowstone.server.options import ACCESS_DEFAULTS, AccessOptions
from rowstone.server.rest._credentials import Authenticate
from rowstone.server.rest._scanners import Scanners

if TYPE_CHECKING:
    from rowstone.server.rest._application import RestApplication


class Gateway:
    """A running REST gateway on a port, started by `serve`. A context manager that calls `stop`."""

    def __init__(
        self,
        database: Database,
        host: str,
        port: int,
        tls: ServerTls | None,
        authenticate: Authenticate | None,
        may_act_for: MayActFor | None,
        limits: Limits,
        region_server: tuple[str, int] | None,
        groups_of: GroupsOf | None,
        hosts: Hosts | None,
    ) -> None:
        needs_gateways("the REST gateway")
        self._database = database
        self._authenticate = authenticate
        self._groups_of = groups_of
        self._may_act_for = may_act_for
        self._limits = limits
        self._address = None if region_server is None else "{}:{}".format(*region_server)
        self._scanners = Scanners()
        self._server = HttpServer(self._application, host, port, tls, limits=limits, hosts=hosts)
        name = f"[{host}]" if ":" in host else host
        self._url = f"{'http' if tls is None else 'https'}://{name}:{self.port}"

    def _application(self) -> RestApplication:
        import getpass

        from rowstone.server.rest._application import RestApplication

        return RestApplication(
            self._database_for,
            user=getpass.getuser(),
            authenticate=self._authenticate,
            may_act_for=self._may_act_for,
            scanners=self._scanners,
            limits=self._limits,
            address=self._address,
            tracing=self._database._tracing,
        )

    def _database_for(self, user: str) -> Database:
        """The database as a user sees it; without authentication, as this process sees it."""
        return view_of(self._database, None if self._authenticate is None else user, self._groups_of)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._server.port

    @property
    def url(self) -> str:
        """The gateway's URL on this machine."""
        return self._url

    def stop(self) -> None:
        """Close connections after the requests in progress, and open scanners; the database stays open."""
        self._server.stop()
        self._scanners.close()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<rowstone.server.rest.Gateway {self.url} of {self._database.path}>"


def serve(
    database: Database,
    *,
    host: str = LOOPBACK,
    port: int = 8080,
    authenticate: Authenticate | None = None,
    may_act_for: MayActFor | None = None,
    tls: ServerTls | None = None,
    insecure: bool = False,
    limits: Limits | None = None,
    region_server: tuple[str, int] | None = None,
    **options: Unpack[AccessOptions],
) -> Gateway:
    """Start the REST gateway of an open database; clients can connect when it returns.

    Args:
        host: IP address to listen on.
        port: 0 selects a free port.
        authenticate: Returns the name of the user with these `Credentials`, or None, which is answered with 401.
            Without it every client acts as the user of this process.
        may_act_for: Impersonation check, called with the user's name, the name in the parameter ``doAs`` and the
            client's address. Without it impersonation is refused.
        tls: Require TLS. Clients without TLS are refused.
        insecure: Allow listening beyond this machine without ``authenticate``.
        limits: Limits on the size and duration of requests.
        region_server: Host and port of HBase's RPC, reported to clients as the location of a directory's regions; by
            default the gateway's own.
        options: Groups of users, and allowed host names: see `rowstone.server.AccessOptions`.

    Raises:
        ImportError: The packages of ``rowstone[gateways]`` are missing.
        InvalidArgument: ``host`` is not an IP address, or is not on this machine and ``insecure`` is not set.
        StorageError: The port is in use.

    Example:
        >>> import json, urllib.request
        >>> import rowstone as rs
        >>> from rowstone.server import rest
        >>> with rs.connect(":memory:") as db, rest.serve(db, port=0) as gateway:
        ...     _ = db.create_table("t", ["f"])
        ...     request = urllib.request.Request(gateway.url, headers={"Accept": "application/json"})
        ...     print(json.load(urllib.request.urlopen(request)))
        {'table': [{'name': 't'}]}
    """
    access = with_defaults(serve, options, ACCESS_DEFAULTS)
    check_host(host, insecure or authenticate is not None)
    hosts = hosts_of(host, knows_users=authenticate is not None, allowed=access["allowed_hosts"])
    bounds, groups_of = limits or Limits(), access["groups_of"]
    return Gateway(database, host, port, tls, authenticate, may_act_for, bounds, region_server, groups_of, hosts)
