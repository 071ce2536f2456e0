"""Region servers of a cluster: running, decommissioned, dead; their queues and logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone.admin._area import Area, region, server, server_text, servers

_UNKNOWN_SERVERS = 13


@dataclass(frozen=True)
class ServerStatus:
    """A region server at its last report, a few seconds ago. Sizes of files and memory are multiples of a mebibyte."""

    name: str
    regions: int
    requests_per_second: int
    heap_used_bytes: int
    heap_max_bytes: int
    store_files: int
    store_file_bytes: int
    memstore_bytes: int


@dataclass(frozen=True)
class ClusterStatus:
    """A cluster as reported by its active master. Servers are named ``"host,port,startcode"``."""

    hbase_version: str
    cluster_id: str
    master: str
    backup_masters: list[str]
    servers: list[ServerStatus]
    dead_servers: list[str]
    regions_in_transition: list[str]
    balancer_on: bool


class Servers(Area):
    """Region servers of a cluster, named ``"host,port,startcode"``: ``db.admin.servers``.

    A directory has no servers: these calls raise `UnsupportedOperation` there.

    Example:
        >>> import rowstone as rs
        >>> with rs.testing.server() as url, rs.connect(url) as db:
        ...     print(len(db.admin.servers.status().servers), db.admin.servers.decommissioned())
        1 []
    """

    def status(self) -> ClusterStatus:
        """Return the servers and regions as reported by the active master."""
        version, cluster_id, master, backups, servers, dead, moving, balancer_on = self._cluster.cluster_status()
        live = [ServerStatus(*server) for server in servers]
        return ClusterStatus(version, cluster_id, master, backups, live, dead, moving, balancer_on)

    def stop(self, server: str) -> None:
        """Stop a region server; its regions move to others. Source: HBase's ``Admin.stopRegionServer``."""
        self._server(server, "StopServer", reason="Called by admin client")

    def roll_wal(self, server: str) -> None:
        """Start a new write-ahead log on a server. Source: HBase's ``Admin.rollWALWriter``."""
        self._server(server, "RollWALWriter")

    def update_configuration(self, server: str) -> None:
        """Make a server or the master reload its configuration. Source: ``Admin.updateConfiguration``."""
        self._server(server, "UpdateConfiguration")

    def clear_compaction_queues(self, server: str, queues: Iterable[str] = ("long", "short")) -> None:
        """Drop the compactions queued on a server. Source: HBase's ``Admin.clearCompactionQueues``."""
        self._server(server, "ClearCompactionQueues", queue_name=as_list("queues", queues))

    def decommission(self, names: Iterable[str], *, offload: bool = False) -> None:
        """Stop assigning regions to servers; with ``offload=True`` also move their regions to others.

        Source: HBase's ``Admin.decommissionRegionServers``.
        """
        self._master("DecommissionRegionServers", server_name=servers(as_list("names", names)), offload=offload)

    def recommission(self, name: str, regions: Iterable[str | bytes] = ()) -> None:
        """Let a server be assigned regions again, and move ``regions`` (full or encoded names) there.

        Source: HBase's ``Admin.recommissionRegionServer``.
        """
        moved = [region(one) for one in as_list("regions", regions)]
        self._master("RecommissionRegionServer", server_name=server(name), region=moved)

    def decommissioned(self) -> list[str]:
        """Return servers that are assigned no regions. Source: HBase's ``Admin.listDecommissionedRegionServers``."""
        return [server_text(one) for one in self._master("ListDecommissionedRegionServers").get("server_name", [])]

    def clear_dead(self, names: Iterable[str]) -> list[str]:
        """Clear dead servers; return those that were not cleared. Source: HBase's ``Admin.clearDeadServers``."""
        answer = self._master("ClearDeadServers", server_name=servers(as_list("names", names)))
        return [server_text(one) for one in answer.get("server_name", [])]

    def unknown(self) -> list[str]:
        """Return servers in ``hbase:meta`` that the master does not know. Source: ``Admin.listUnknownServers``."""
        answer = self._master("GetClusterStatus", options=[_UNKNOWN_SERVERS])
        return [server_text(one) for one in answer["cluster_status"].get("unknown_servers", [])]

    def call(
        self, service: str, method: str, request: Mapping[str, Any] | None = None, *, server: str | None = None
    ) -> dict[str, Any]:
        """Call a method of a service that has no method here, such as ``call("MasterService", "GetLocks")``.

        Request and answer have the fields of the messages in ``crates/rpc/proto/operate``: bytes are base64 text, enum
        values are their names. If the call starts a procedure, it returns when the procedure has ended.

        Args:
            service: ``MasterService``, ``HbckService``, ``AdminService``, ``RSGroupAdminService``,
                ``VisibilityLabelsService`` or ``AuthenticationService``.
            server: ``"host,port,startcode"``, the region server to call for ``AdminService``.

        Raises:
            InvalidArgument: There is no such method, or the request does not fit it.
            RemoteError: The cluster answered with an error.
            UnsupportedOperation: The database is not a cluster.
        """
        return self._call_service(service, method, dict(request or {}), server)
