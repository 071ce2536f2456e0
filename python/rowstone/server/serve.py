"""Serving a database on a port to HBase's clients."""

import ipaddress
import os
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from rowstone import _native
from rowstone._base.options import check_names, select
from rowstone._base.targets import MEMORY
from rowstone._core.connect import connect
from rowstone._core.database import Database
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.server.gateways import Gateways, Surroundings
from rowstone.server.listening import LOOPBACK, ServerTls, check_host, connection_limit
from rowstone.server.options import GatewayPorts, ServeOptions, ServerLimits

if TYPE_CHECKING:
    from rowstone.server.security import Authentication


class Server:
    """A running server. Created by `rowstone.serve`; use it in a ``with`` statement, or call `stop`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db, rs.serve(db, port=0, zk_port=None) as server:
        ...     _ = db.create_table("t", ["f"])
        ...     with rs.connect(server.url) as client:
        ...         _ = client.table("t").put("row", {"f:q": "value"})
        ...     print(db.table("t").get("row")["f:q"])
        b'value'
    """

    def __init__(self, native: _native.Server, database: Database, *, host: str, owns_database: bool) -> None:
        self._native = native
        self._database = database
        self._host = host
        self._owns_database = owns_database
        self._is_stopped = False
        self._gateways = Gateways()
        self._tls: ServerTls | None = None
        # A cluster's servers have their own clocks, so there is none to watch here.
        self._clock_poll = None if database._layers is None else database._clock_watch.poll()
        tracing = database._tracing
        self._spans = None if tracing is None else tracing.of_server(native)

    @property
    def database(self) -> Database:
        """The served database; this process may use it at the same time."""
        return self._database

    @property
    def port(self) -> int:
        """Port of HBase's RPC: master, region server and registry in one."""
        return self._native.port

    @property
    def zk_port(self) -> int | None:
        """Port for clients that use ZooKeeper; ``None`` if there is none."""
        return self._native.zk_port

    @property
    def thrift_port(self) -> int | None:
        """Port of HBase's first Thrift service, which happybase uses; ``None`` if it is not served."""
        return self._gateways.port("thrift_port")

    @property
    def thrift2_port(self) -> int | None:
        """Port of HBase's second Thrift service; ``None`` if it is not served."""
        return self._gateways.port("thrift2_port")

    @property
    def rest_port(self) -> int | None:
        """Port of HBase's REST interface; ``None`` if it is not served."""
        return self._gateways.port("rest_port")

    @property
    def info_port(self) -> int | None:
        """Port of the web UI and of metrics; ``None`` if it is not served."""
        return self._gateways.port("info_port")

    @property
    def info_url(self) -> str | None:
        """URL of the web UI for a browser on this machine."""
        scheme = "http" if self._tls is None else "https"
        return None if self.info_port is None else f"{scheme}://{self._name()}:{self.info_port}/"

    @property
    def url(self) -> str:
        """URL for `rowstone.connect`, on this machine."""
        return f"hbase://{self._name()}:{self.port}"

    @property
    def zk_url(self) -> str | None:
        """URL for connecting through ZooKeeper."""
        return None if self.zk_port is None else f"hbase+zk://{self._name()}:{self.zk_port}/hbase"

    def _name(self) -> str:
        address = ipaddress.ip_address(self._host)
        if address.is_unspecified:
            return LOOPBACK
        return f"[{address}]" if address.version == 6 else str(address)

    @property
    def logins(self) -> dict[str, int]:
        """Logins since the server started, under HBase's names: successes, failures, fallbacks of clients that offered
        to log in where no login is required, and refused impersonations."""
        names = (
            "authenticationSuccesses",
            "authenticationFailures",
            "authenticationFallbacks",
            "authorizationFailures",
        )
        return dict(zip(names, self._native.logins(), strict=True))

    def stop(self) -> None:
        """Stop the server: wait briefly for running calls, close all connections, and close the database if the server
        opened it. A second call does nothing."""
        self._is_stopped = True
        try:
            self._gateways.stop()
            self._native.stop()
            if self._spans is not None:
                self._spans.join()
            if self._clock_poll is not None:
                self._clock_poll.stop()
        finally:
            if self._owns_database:
                self._database.close()

    def _begin(
        self,
        options: GatewayPorts,
        tls: ServerTls | None,
        authentication: "Authentication | None",
        allowed_hosts: tuple[str, ...],
    ) -> "Server":
        """Start the gateways for which a port was given. If one cannot start, stop the server again."""
        self._tls = tls
        try:
            here = (self._name(), self.port)
            users = None if authentication is None else authentication.for_gateways()
            may_act_for = None if authentication is None else authentication.authority().may_act_for
            around = Surroundings(self, self._host, here, tls, users, may_act_for, allowed_hosts, options)
            self._gateways.start(around)
            if self.info_port is not None:
                self._native.set_info_port(self.info_port)
        except BaseException:
            self.stop()
            raise
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = ", stopped" if self._is_stopped else ""
        return f"<rowstone.Server {self.url} of {self._database.path}{state}>"


def serve(
    target: "str | os.PathLike[str] | Database",
    *,
    host: str = LOOPBACK,
    port: int = 16000,
    zk_port: int | None = 2181,
    advertised: str | None = None,
    insecure: bool = False,
    tls: ServerTls | None = None,
    authentication: "Authentication | None" = None,
    allowed_hosts: Iterable[str] = (),
    bulk_load_staging_dir: str | os.PathLike[str] | None = None,
    **options: Unpack[ServeOptions],
) -> Server:
    """Serve a database to clients of HBase and Rowstone. Returns when they can connect.

    Args:
        target: A directory, ``":memory:"`` or the URL of HBase's files (``root+…``, read-only), opened here and closed
            by `Server.stop`; or an open database.
        host: IP address to listen on.
        port: Port of HBase's RPC; 0 for any free port.
        zk_port: Port for clients that use ZooKeeper; 0 for any free port, ``None`` for none.
        advertised: Host name given to clients; by default the address at which they connected, even through a tunnel.
        insecure: Let every client on other machines read and write, without ``tls`` and ``authentication``.
        tls: Encrypts HBase's RPC and the gateways. ZooKeeper's port, which only returns addresses, stays unencrypted.
        authentication: How clients authenticate; by default the server trusts the user name that they send.
        allowed_hosts: Host names allowed in HTTP, besides localhost and ``advertised``: see
            `rowstone.server.AccessOptions`.
        bulk_load_staging_dir: Directory of files that clients may bulk load; without it they may load none.
        options: Ports of the Thrift, REST and web gateways: see `rowstone.server.GatewayPorts`. Limits on clients: see
            `rowstone.server.ServerLimits`. Options of `rowstone.connect`, for a ``target`` that is opened here.

    Raises:
        InvalidType: There is no such option. StorageError: A port is in use.
        InvalidArgument: ``host`` is not an IP address, or needs TLS and authentication; or one of their files is wrong.

    Example:
        >>> import rowstone as rs
        >>> with rs.serve(":memory:", port=0, zk_port=0) as server:
        ...     print(rs.connect(server.url).tables())
        []
    """
    check_names(serve, options, ServeOptions.__optional_keys__)
    gateways, limits = select(options, GatewayPorts), select(options, ServerLimits)
    opening = {name: value for name, value in options.items() if name not in {**gateways, **limits}}
    wanted = _security(host, tls, authentication, insecure)
    given: dict[str, Any] = {"host": host, "port": port, "advertised": advertised, **limits}
    # A connection with a thread of its own needs about four files.
    for name, most, part in (("max_connections", 10_000, 2), ("max_own_threads", 64, 32)):
        if limits.get(name) is None:
            given[name] = connection_limit(most, part)
    wanted |= {name: value for name, value in given.items() if value is not None}
    wanted |= {"zk_port": zk_port, "staging": bulk_load_staging_dir}
    names = _names(allowed_hosts, advertised)
    return _started(target, opening, wanted)._begin(gateways, tls, authentication, names)


def _names(allowed_hosts: Iterable[str], advertised: str | None) -> tuple[str, ...]:
    """The names by which requests over HTTP may call a server."""
    from rowstone.server.http.hosts import hosts_of

    names = allowed_hosts if isinstance(allowed_hosts, str) else (*allowed_hosts, *filter(None, [advertised]))
    # A mistake in them is found before anything is opened.
    hosts_of(LOOPBACK, knows_users=False, allowed=names)
    return tuple(names)


def _started(target: "str | os.PathLike[str] | Database", options: dict[str, Any], wanted: dict[str, Any]) -> Server:
    """Start the server of an open database, or open the target and start a server for it."""
    if isinstance(target, Database):
        if options:
            raise InvalidArgument(f"the database is open already: {', '.join(options)} cannot be set any more")
        native = _native.serve(target._native, _placed(wanted, target) | _noted(target))
        return Server(native, target, host=wanted["host"], owns_database=False)
    database = connect(target, **options)
    try:
        native = _native.serve(database._native, _placed(wanted, database) | _noted(database))
        return Server(native, database, host=wanted["host"], owns_database=True)
    except BaseException:
        database.close()
        raise


def _placed(wanted: dict[str, Any], database: Database) -> dict[str, Any]:
    """Return the native options. A staging directory is passed with the database's, which it must not be inside."""
    staging, others = wanted["staging"], {name: value for name, value in wanted.items() if name != "staging"}
    if staging is None:
        return others
    return {**others, "staging": (staging, None if database.path == MEMORY else database.path)}


def _security(
    host: str, tls: ServerTls | None, authentication: "Authentication | None", insecure: bool
) -> dict[str, Any]:
    """Return the native server's options for TLS and authentication."""
    if authentication is None and tls is None and (insecure or _is_here(host)):
        # Without authentication and TLS the security package need not be imported.
        check_host(host, insecure)
        return {}
    from rowstone.server.security import Authentication, _exposure

    known = Authentication() if authentication is None else authentication
    if not isinstance(known, Authentication):
        raise InvalidType(
            f"authentication must be a rowstone.server.security.Authentication, not {type(known).__name__}"
        )
    is_here = _exposure.check(host, has_tls=tls is not None, authentication=known, insecure=insecure)
    if "certificate" in known.methods and (tls is None or tls.client_ca is None):
        raise InvalidArgument("certificates of clients need tls with client_ca (--tls-client-ca)")
    if "password" in known.methods and tls is None:
        raise InvalidArgument("passwords are taken over TLS only: give tls= (--tls-certificate, --tls-key)")
    wanted: dict[str, Any] = {}
    if tls is not None:
        wanted["tls"] = (tls.certificate, tls.key, tls.client_ca, tls.plain_text and (is_here or insecure))
    if authentication is not None:
        wanted["authentication"] = known.for_server()
    return wanted


def _is_here(host: str) -> bool:
    """Return whether ``host`` is a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _noted(database: Database) -> dict[str, Any]:
    """Return the native options for recording calls: slow ones by HBase's settings, and all of them for tracing."""
    noted: dict[str, Any] = {} if database._tracing is None else {"traces_calls": True}
    if database._layers is None:
        return noted
    configuration = database.configuration
    slow_ms, large_bytes = (
        value if isinstance(value, int) and value >= 0 else None
        for value in (configuration["hbase.ipc.warn.response.time"], configuration["hbase.ipc.warn.response.size"])
    )
    is_on = configuration["hbase.regionserver.slowlog.buffer.enabled"]
    most = configuration["hbase.regionserver.slowlog.ringbuffer.size"]
    return noted | {"slow_log": (is_on, slow_ms, large_bytes, most)}
