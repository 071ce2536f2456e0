"""Further options of `rowstone.serve` and of the gateways, grouped by subject."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

from rowstone._core.cluster import ClientOptions
from rowstone._core.options import DirectoryOptions

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

    from rowstone._base.configuration import ConfigurationArgument
    from rowstone._base.options.words import Durability
    from rowstone.server.acting import GroupsOf


class GatewayPorts(TypedDict, total=False):
    """A server's gateways. A port is 0 for any free port, and ``None`` (the default) for none.

    The gateways listen at the server's ``host`` and use its ``tls`` and ``authentication``.

    Attributes:
        thrift_port: Port of HBase's first Thrift service, for happybase and others.
        thrift2_port: Port of HBase's second Thrift service.
        rest_port: Port of HBase's REST interface (`rowstone.server.rest`). Needs ``rowstone[gateways]``.
        info_port: Port of the web UI and metrics (`rowstone.server.dashboard`). Needs ``rowstone[gateways]``.
        info_data: Whether the web UI shows the data of tables; off by default. With access control it needs
            ``authentication``.
    """

    thrift_port: int | None
    thrift2_port: int | None
    rest_port: int | None
    info_port: int | None
    info_data: bool


class ServerLimits(TypedDict, total=False):
    """Limits of a server on its clients; ``None`` stands for the default.

    Attributes:
        lease_ms: Idle time after which a scanner expires, in milliseconds; a minute by default.
        patience_ms: Time for a client to greet, to continue a frame, and to receive an answer, in milliseconds; 30 s by
            default.
        max_request_bytes: Longest request, in bytes; 256 MiB by default.
        max_connections: Concurrent connections, including ZooKeeper's port. More are closed. By default 10,000, or
            about half of the files that the process may have open, if that is less.
        max_own_threads: Number of connections, the first to connect, that have a thread of their own. By default 64, or
            about a thirty-second of those files.
        max_calls: Maximum number of calls of all connections that wait or run; 2,000 by default. Further calls are
            refused, and clients must retry them.
        max_in_flight_bytes: Limit on the bytes of waiting and running calls, and separately on the bytes of answers
            that clients have not received. Beyond the first, no more calls are read; beyond the second, calls must be
            retried. By default 1 GiB each, at least 1 MiB.
    """

    lease_ms: int | None
    patience_ms: int | None
    max_request_bytes: int | None
    max_connections: int | None
    max_own_threads: int | None
    max_calls: int | None
    max_in_flight_bytes: int | None


class ServeOptions(GatewayPorts, ServerLimits, DirectoryOptions, ClientOptions, total=False):
    """Further options of `rowstone.serve`: ports of gateways, limits, and the options of `rowstone.connect`.

    These are the keys of `GatewayPorts`, `ServerLimits`, `rowstone.DirectoryOptions` and `rowstone.ClusterOptions`,
    but for ``tls``, which is the server's own. The options of `rowstone.connect` are for a target that the server
    opens; an open database refuses them.

    Attributes:
        read_only: As in `rowstone.connect`; off by default.
        create: As in `rowstone.connect`; on by default.
        durability: As in `rowstone.connect`; ``"SYNC_WAL"`` by default.
        configuration: As in `rowstone.connect`; none by default.
        tracing: As in `rowstone.connect`; off by default.

    Example:
        >>> import rowstone as rs
        >>> from rowstone.server import ServeOptions
        >>> options: ServeOptions = {"thrift_port": 0, "max_connections": 100, "cache_bytes": 32 << 20}
        >>> with rs.serve(":memory:", port=0, zk_port=None, **options) as server:
        ...     print(server.thrift_port is not None)
        True
    """

    read_only: bool
    create: bool
    durability: Durability | None
    configuration: ConfigurationArgument | None
    tracing: bool | TracerProvider


class AccessOptions(TypedDict, total=False):
    """Further options of the gateways' functions ``serve``: groups of users, and allowed host names.

    Attributes:
        groups_of: Returns the groups of an authenticated user, such as `rowstone.server.security.Users.member_of`; by
            default None, the groups known to the configuration and this machine.
        allowed_hosts: Accepted values of the header ``Host`` in HTTP, in addition to loopback names, for a gateway that
            listens on loopback without ``authenticate``. Others are answered with 421. ``"*"`` accepts every name.
            By default none.
    """

    groups_of: GroupsOf | None
    allowed_hosts: Iterable[str]


ACCESS_DEFAULTS: AccessOptions = {"groups_of": None, "allowed_hosts": ()}
