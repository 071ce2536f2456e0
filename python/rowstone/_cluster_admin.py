"""What only a cluster has to administrate: regions on servers, snapshots, the balancer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from rowstone import _native
from rowstone.errors import InvalidArgument


@dataclass(frozen=True)
class RegionInfo:
    """A range of a table's rows: from ``start_key``, included, to ``end_key``, excluded; empty at the table's ends."""

    table: str
    start_key: bytes
    end_key: bytes
    region_id: int
    encoded_name: str
    name: bytes


@dataclass(frozen=True)
class RegionPlace:
    """A region and its server, ``"host,port,startcode"``, or None while it is on none."""

    region: RegionInfo
    server: str | None


@dataclass(frozen=True)
class Snapshot:
    """The files that ``table`` had at a moment (``created_ms``, milliseconds), under a name.

    It goes by itself after ``ttl_seconds``, unless that is 0.
    """

    name: str
    table: str
    created_ms: int
    ttl_seconds: int
    owner: str


@dataclass(frozen=True)
class ServerStatus:
    """A region server at its last report, a few seconds ago; sizes of files and memory come in steps of a mebibyte."""

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
    """A cluster as its active master knows it; servers are named ``"host,port,startcode"``."""

    hbase_version: str
    cluster_id: str
    master: str
    backup_masters: list[str]
    servers: list[ServerStatus]
    dead_servers: list[str]
    regions_in_transition: list[str]
    balancer_on: bool


Region = RegionInfo | str | bytes
"""A region: as `Admin.regions` gives it, or by its encoded or full name."""


def _name(region: Region) -> str | bytes:
    return region.name if isinstance(region, RegionInfo) else region


class ClusterAdmin:
    """The part of `Admin` that only clusters have; on a directory these calls raise `UnsupportedOperation`."""

    def __init__(self, native: _native.ClusterAdmin) -> None:
        self._cluster = native

    def region_places(self, name: str) -> list[RegionPlace]:
        """The table's regions with their servers, in the order of their start keys. Raises `TableNotFound`."""
        return [RegionPlace(RegionInfo(*region), server) for region, server in self._cluster.region_places(name)]

    def split_region(self, region: Region, row: str | bytes | None = None) -> None:
        """Splits a region at ``row``, which becomes the first of the second half, or where its server finds best.

        Returns when both halves are served. Source: HBase's ``Admin.splitRegionAsync``.

        Raises:
            RegionNotFound: There is no such region. RemoteError: It cannot be split, for example because it is empty.
        """
        self._cluster.split_region(_name(region), row)

    def merge_regions(self, regions: Iterable[Region], *, force: bool = False) -> None:
        """Makes one region of several of one table; of such that do not touch only with ``force=True``.

        Returns when the merged region is served. Source: HBase's ``Admin.mergeRegionsAsync``.
        """
        self._cluster.merge_regions([_name(region) for region in regions], force)

    def move_region(self, region: Region, server: str | None = None) -> None:
        """Moves a region to ``server`` (``"host,port,startcode"`` or ``"host:port"``), or to one the master chooses.

        Returns when ``hbase:meta`` says that it is there. Source: HBase's ``Admin.move``.

        Raises:
            InvalidArgument: No such server is at work; the message names those that are.
            OperationTimeout: It was not there in time; the master goes on.
        """
        self._cluster.move_region(_name(region), server)

    def assign_region(self, region: Region) -> None:
        """Brings a region onto a server; returns when it is open. Source: HBase's ``Admin.assign``."""
        self._cluster.assign_region(_name(region))

    def unassign_region(self, region: Region) -> None:
        """Takes a region off its server; returns when it is closed. Its rows cannot be had until it is assigned.

        Source: HBase's ``Admin.unassign``.
        """
        self._cluster.unassign_region(_name(region))

    def flush_region(self, region: Region) -> None:
        """Writes the recent cells of a region to files; returns when they are there."""
        self._cluster.flush_region(_name(region))

    def compact_region(self, region: Region, family: str | bytes | None = None, *, major: bool = False) -> None:
        """Merges files of a region, or of one family of it; with ``major=True`` all of them.

        Returns when no compaction of the region is queued or under way, also of those that others asked for.
        """
        self._cluster.compact_region(_name(region), family, major)

    def snapshot(self, snapshot: str, table: str, *, flush: bool = True, ttl: int | timedelta | None = None) -> None:
        """Takes a snapshot of ``table``; with ``flush=False`` without what is only in memory.

        Args:
            ttl: Seconds, or a `timedelta`, after which it goes by itself.

        Returns when it is complete. Raises `SnapshotExists`, `TableNotFound`.
        """
        seconds = int(ttl.total_seconds()) if isinstance(ttl, timedelta) else ttl
        if seconds is not None and seconds <= 0:
            raise InvalidArgument(f"ttl of {seconds} s is not positive")
        self._cluster.take_snapshot(snapshot, table, flush, seconds or 0)

    def snapshots(self) -> list[Snapshot]:
        """All snapshots, in the order of their names."""
        return [Snapshot(*parts) for parts in self._cluster.snapshots()]

    def delete_snapshot(self, snapshot: str) -> None:
        """Removes a snapshot. Tables that were made of it keep their data. Raises `SnapshotNotFound`."""
        self._cluster.delete_snapshot(snapshot)

    def clone_snapshot(self, snapshot: str, table: str) -> None:
        """Makes the new table ``table`` with what a snapshot holds. Raises `SnapshotNotFound`, `TableExists`."""
        self._cluster.clone_snapshot(snapshot, table)

    def restore_snapshot(self, snapshot: str) -> None:
        """Makes the table of a snapshot, which must be disabled, what it was then; what it holds now is lost.

        Raises:
            SnapshotNotFound, TableNotFound; TableNotDisabled: Disable it first.
        """
        self._cluster.restore_snapshot(snapshot)

    def cluster_status(self) -> ClusterStatus:
        """Servers and regions as the active master knows them."""
        version, cluster_id, master, backups, servers, dead, moving, balancer_on = self._cluster.cluster_status()
        live = [ServerStatus(*server) for server in servers]
        return ClusterStatus(version, cluster_id, master, backups, live, dead, moving, balancer_on)

    def set_balancer(self, on: bool) -> bool:
        """Lets the balancer move regions between servers, or not; returns what held before."""
        return self._cluster.set_balancer(on)

    def balance(self) -> bool:
        """Runs the balancer now; False where it is off or has regions under way. The moves go on behind the call."""
        return self._cluster.balance()
