"""Starting and ending the gateway."""

from __future__ import annotations

import getpass
from types import TracebackType

from rowstone._database import Database
from rowstone._http import HttpServer, needs_gateways
from rowstone._http_bounds import Limits
from rowstone._serve import LOOPBACK, ServerTls, check_host
from rowstone.rest._credentials import Authenticate


class Gateway:
    """HBase's REST interface to a database, on a port; made by `serve`. A context manager that calls `stop`."""

    def __init__(
        self,
        database: Database,
        host: str,
        port: int,
        tls: ServerTls | None,
        authenticate: Authenticate | None,
        limits: Limits,
        region_server: tuple[str, int] | None,
    ) -> None:
        needs_gateways("the REST gateway")
        from rowstone.rest._application import RestApplication

        self._database = database
        self._knows_users = authenticate is not None
        self._application = RestApplication(
            self._database_for,
            user=getpass.getuser(),
            authenticate=authenticate,
            limits=limits,
            address=None if region_server is None else "{}:{}".format(*region_server),
        )
        self._server = HttpServer(self._application, host, port, tls, limits=limits)
        name = f"[{host}]" if ":" in host else host
        self._url = f"{'http' if tls is None else 'https'}://{name}:{self.port}"

    def _database_for(self, user: str) -> Database:
        """The database as a user may use it; where users are not told apart, as this process may."""
        return self._database.as_user(user) if self._knows_users else self._database

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
        self._application.scanners.close()

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
    tls: ServerTls | None = None,
    insecure: bool = False,
    limits: Limits | None = None,
    region_server: tuple[str, int] | None = None,
) -> Gateway:
    """The REST gateway of an open database; clients can connect when it returns.

    Args:
        host: IP address to listen on.
        port: 0 is any that is free.
        authenticate: Gives the name of the user whose `Credentials` these are, or None, which is answered with 401.
            Without it everybody is the user of this process.
        tls: Encrypts; clients without TLS are refused then.
        insecure: Agrees to listen beyond this machine without ``authenticate``.
        limits: How much clients may send, and how long they may take.
        region_server: Host and port of HBase's RPC, which clients are told that a directory's regions are at; by
            default those of the gateway.

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
    return Gateway(database, host, port, tls, authenticate, limits or Limits(), region_server)
