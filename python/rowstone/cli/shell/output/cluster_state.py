"""``status``: the state of a cluster from its master, or of a directory as one server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone import ClusterStatus, ServerStatus
from rowstone._base.printable import printable
from rowstone.admin._area import unpacked
from rowstone.cli.shell.output.loads import region_text, server_text, sink_text, sources_text

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


def state(session: Session) -> ClusterStatus:
    """The state of the database in the form of a cluster status."""
    if session.is_cluster:
        return session.admin.servers.status()
    numbers = session.admin.metrics.stats()
    server = ServerStatus(
        session.server_name(),
        numbers.get("regions", 0),
        0,
        0,
        0,
        numbers.get("store_files", 0),
        numbers.get("store_file_bytes", 0),
        numbers.get("memstore_bytes", 0),
    )
    return ClusterStatus("", "", session.server_name(), [], [server], [], [], True)


def summary(session: Session) -> str:
    """One-line summary of the state."""
    found = state(session)
    regions = sum(server.regions for server in found.servers)
    load = regions / len(found.servers) if found.servers else 0.0
    return (
        f"1 active master, {len(found.backup_masters)} backup masters, {len(found.servers)} servers,"
        f" {len(found.dead_servers)} dead, {load:.4f} average load"
    )


def print_simple(session: Session) -> None:
    """The state of each server."""
    found, line = state(session), session.formatter.line
    _print_masters(session, found)
    _print_servers(session, found)
    line(f"{len(found.dead_servers)} dead servers")
    for name in found.dead_servers:
        line(f"    {name}")
    requests = sum(server.requests_per_second for server in found.servers)
    line(f"Aggregate load: {requests}, regions: {sum(server.regions for server in found.servers)}")


def print_detailed(session: Session) -> None:
    """Print the state of each server, and of its regions if known."""
    found, line = state(session), session.formatter.line
    line(f"version {found.hbase_version or session.version()}")
    line(f"{len(found.regions_in_transition)} regionsInTransition")
    for region in found.regions_in_transition:
        line(f"    {region}")
    _print_masters(session, found)
    _print_servers(session, found, regions=True)
    if not session.is_cluster:
        for table in session.admin.tables.list():
            for info in session.admin.regions.list(table):
                line(f'        "{printable(info.name)}"')
    line(f"{len(found.dead_servers)} dead servers")
    for name in found.dead_servers:
        line(f"    {name}")


def print_replication(session: Session, kind: str) -> None:
    """Print each server's replication sources and sinks; ``kind`` is source, sink or both."""
    line = session.formatter.line
    found = state(session)
    line(f"version {found.hbase_version or session.version()}")
    line(f"{len(found.servers)} live servers")
    loads = session.admin.metrics.servers() if session.is_cluster else {}
    for server, load in loads.items():
        if "replication_sink" not in load:
            continue
        line(f"    {server.split(',')[0]}:")
        if kind.lower() != "sink":
            line(f"       SOURCE:{sources_text(load.get('replication_sources', []))}")
        if kind.lower() != "source":
            line(f"      SINK:{sink_text(load['replication_sink'])}")


def _print_masters(session: Session, found: ClusterStatus) -> None:
    line = session.formatter.line
    line(f"active master:  {_place(found.master)}")
    line(f"{len(found.backup_masters)} backup masters")
    for name in found.backup_masters:
        line(f"    {_place(name)}")


def _print_servers(session: Session, found: ClusterStatus, *, regions: bool = False) -> None:
    line = session.formatter.line
    loads = session.admin.metrics.servers() if session.is_cluster else {}
    line(f"{len(found.servers)} live servers")
    for server in found.servers:
        line(f"    {_place(server.name)}")
        load = loads.get(server.name)
        line(f"        {_in_short(server) if load is None else server_text(load)}")
        for region in load.get("region_loads", []) if load is not None and regions else []:
            name = printable(unpacked(region["region_specifier"]["value"]))
            line(f'        "{name}"')
            line(f"            {region_text(region)}")


def _in_short(server: ServerStatus) -> str:
    return (
        f"requestsPerSecond={server.requests_per_second:.1f}, numberOfOnlineRegions={server.regions},"
        f" usedHeapMB={server.heap_used_bytes >> 20}, maxHeapMB={server.heap_max_bytes >> 20},"
        f" numberOfStorefiles={server.store_files}, storefileSizeMB={server.store_file_bytes >> 20},"
        f" memstoreSizeMB={server.memstore_bytes >> 20}"
    )


def _place(server: str) -> str:
    """Format ``host,port,startcode`` as ``host:port startcode``."""
    host, port, code = [*server.split(","), "", ""][:3]
    return f"{host}:{port} {code}"
