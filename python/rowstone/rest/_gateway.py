"""Starting and ending the gateway."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from rowstone._base.acting import MayActFor
from rowstone._core.database import Database
from rowstone._core.user_views import GroupsOf, view_of
from rowstone._server.http import HttpServer, needs_gateways
from rowstone._server.http_hosts import Hosts, hosts_of
from rowstone._server.http_limits import Limits
from rowstone._server.serve import LOOPBACK, ServerTls, check_host
from rowstone.rest._credentials import Authenticate
from rowstone.rest._scanners import Scanners

if TYPE_CHECKING:
    from rowstone.rest._application import RestApplication


class Gateway:
    """HBase's REST interface to a database, on a port; made by `serve`. A context manager that calls `stop`."""

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

        from rowstone.rest._application import RestApplication

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
        """The database as a user may use it; where users are not told apart, as this process may."""
        return view_of(self._database, None if self._authenticate is None else user, self._groups_of)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return self._server.port

    @property
    def url(self) -> str:
        """Where clients of this machine find it."""
        return self._url

    def stop(self) -> None:
        """Ends connections, after requests under way, and open scanners; the database stays open."""
        self._server.stop()
        self._scanners.close()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<rowstone.rest.Gateway {self.url} of {self._database.path}>"


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
    groups_of: GroupsOf | None = None,
    allowed_hosts: Iterable[str] = (),
) -> Gateway:
    """The REST gateway of an open database; clients can connect when it returns.

    Args:
        host: IP address to listen on.
        port: 0 is any that is free.
        authenticate: Gives the name of the user whose `Credentials` these are, or None, which is answered with 401.
            Without it everybody is the user of this process.
        may_act_for: Asked whether a user may act for the one whom the parameter ``doAs`` names: the two names, and the
            address he comes from. Without it nobody may.
        tls: Encrypts; clients without TLS are refused then.
        insecure: Agrees to listen beyond this machine without ``authenticate``.
        limits: How much clients may send, and how long they may take.
        region_server: Host and port of HBase's RPC, which clients are told that a directory's regions are at; by
            default those of the gateway.
        groups_of: The groups of a user whom ``authenticate`` has named, such as `rowstone.security.Users.member_of`;
            without it those that the configuration and this machine know.
        allowed_hosts: Names by which requests may call the gateway (their header ``Host``) beside those of loopback,
            where it listens on loopback without ``authenticate``: others are answered with 421. ``"*"`` is every name.

    Raises:
        ImportError: The packages of ``rowstone[gateways]`` are missing.
        InvalidArgument: ``host`` is no IP address, or lies beyond this machine.
        StorageError: The port is taken.

    Example:
        >>> import json, urllib.request
        >>> import rowstone as rs
        >>> from rowstone import rest
        >>> with rs.connect(":memory:") as db, rest.serve(db, port=0) as gateway:
        ...     _ = db.create_table("t", ["f"])
        ...     request = urllib.request.Request(gateway.url, headers={"Accept": "application/json"})
        ...     print(json.load(urllib.request.urlopen(request)))
        {'table': [{'name': 't'}]}
    """
    check_host(host, insecure or authenticate is not None)
    hosts = hosts_of(host, knows_users=authenticate is not None, allowed=allowed_hosts)
    bounds = limits or Limits()
    return Gateway(database, host, port, tls, authenticate, may_act_for, bounds, region_server, groups_of, hosts)
