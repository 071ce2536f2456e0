"""Administration of regions, and of clusters: servers, snapshots, the balancer."""

import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from rowstone._admin.access import Access
from rowstone._admin.events import Events
from rowstone._admin.groups import Groups
from rowstone._admin.load import Load
from rowstone._admin.quotas import Quotas
from rowstone._admin.replication import Replication
from rowstone._admin.servers import Servers
from rowstone._admin.switches import Switches
from rowstone._base.targets import new_directory
from rowstone.errors import Constraint, InvalidArgument, RegionNotFound, RemoteError

_log = logging.getLogger("rowstone")


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
    """A region and its server, ``"host,port,startcode"``, or None while it is not assigned."""

    region: RegionInfo
    server: str | None


@dataclass(frozen=True)
class Snapshot:
    """The named set of files that ``table`` had at a moment (``created_ms``, in milliseconds).

    It expires after ``ttl_seconds``, unless that is 0.
    """

    name: str
    table: str
    created_ms: int
    ttl_seconds: int
    owner: str


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


Region = RegionInfo | str | bytes
"""A region: as returned by `Admin.regions`, or its encoded or full name."""


def _table_name(name: Region) -> str:
    if isinstance(name, RegionInfo):
        return name.table
    return name if isinstance(name, str) else name.decode()


def _name(region: Region) -> str | bytes:
    return region.name if isinstance(region, RegionInfo) else region


def is_region(name: Region) -> bool:
    """Whether ``name`` is that of a region, not of a table: 32 hex digits, or a full name, which ends with them."""
    if isinstance(name, RegionInfo):
        return True
    text = name if isinstance(name, str) else name.decode("latin-1")
    if text.endswith("."):
        text = text[:-1].rpartition(".")[2]
    return len(text) == 32 and set(text) <= set("0123456789abcdef")


class ClusterAdmin(Switches, Servers, Load, Events, Replication, Quotas, Access, Groups):
    """The part of `Admin` for regions, servers and snapshots.

    A directory has no servers: calls about servers raise `UnsupportedOperation` there.
    """

    def region_places(self, name: str) -> list[RegionPlace]:
        """Return the table's regions with their servers, sorted by start key. Raises `TableNotFound`."""
        return [RegionPlace(RegionInfo(*region), server) for region, server in self._cluster.region_places(name)]

    def split_region(self, region: Region, row: str | bytes | None = None) -> None:
        """Split a region at ``row``, the first row of the second half, or where the split policy chooses.

        The policy chooses the middle of the largest file. Returns when both halves are open; reads, writes and scans
        continue meanwhile. Source: HBase's ``Admin.splitRegionAsync``.

        Raises:
            RegionNotFound: There is no such region.
            InvalidArgument: ``row`` is the start key or outside the region. On a cluster: RemoteError.
            Constraint: The region cannot be split: it has too little data, it has reference files of an earlier split
                (compact it), or the table has SPLIT_ENABLED => false. On a cluster: RemoteError.
            TableNotEnabled, QuotaExceeded.
        """
        self._cluster.split_region(_name(region), row)

    def split(self, table_or_region: Region, split_row: str | bytes | None = None) -> None:
        """Split a region; or of a table the region that contains ``split_row``; without it, every splittable region.

        Works as `split_region` for each region. Of a whole table, regions with too little data or with reference files
        are skipped. Source: HBase's ``Admin.split``.
        """
        if is_region(table_or_region):
            self.split_region(table_or_region, split_row)
            return
        table = _table_name(table_or_region)
        regions = [place.region for place in self.region_places(table)]
        if split_row is not None:
            row = split_row.encode() if isinstance(split_row, str) else bytes(split_row)
            self.split_region([region for region in regions if region.start_key <= row][-1], row)
            return
        for region in regions:
            try:
                self.split_region(region)
            except (Constraint, RemoteError) as error:
                _log.info("region %s is not split: %s", region.encoded_name, error)

    def merge_regions(self, regions: Iterable[Region], *, force: bool = False) -> None:
        """Merge regions of one table into one; regions that are not adjacent only with ``force=True``.

        In a directory the regions in between are then merged too: a row is always in exactly one region. Returns when
        the merged region is open; reads, writes and scans continue. Source: HBase's ``Admin.mergeRegionsAsync``.

        Raises:
            RegionNotFound: There is no such region.
            InvalidArgument: Fewer than two regions, one given twice, regions of two tables, or not adjacent.
            Constraint: A region has reference files of a split (compact it), or the table has MERGE_ENABLED => false.
        """
        self._cluster.merge_regions([_name(region) for region in regions], force)

    def merge(self, regions: Iterable[Region], *, force: bool = False) -> None:
        """Merge regions into one: another name of `merge_regions`."""
        self.merge_regions(regions, force=force)

    def truncate_region(self, region: Region) -> None:
        """Remove the data of a region, all or nothing. It keeps its key range, and in a directory its name.

        Source: HBase's ``Admin.truncateRegion``.
        """
        self._cluster.truncate_region(_name(region))

    def move_region(self, region: Region, server: str | None = None) -> None:
        """Move a region to ``server`` (``"host,port,startcode"`` or ``"host:port"``), or to one the master chooses.

        Returns when ``hbase:meta`` lists the region there. Source: HBase's ``Admin.move``.

        Raises:
            InvalidArgument: No such server is running; the message names those that are.
            OperationTimeout: The region did not arrive in time; the master continues to move it.
        """
        self._cluster.move_region(_name(region), server)

    def assign_region(self, region: Region) -> None:
        """Assign a region to a server; return when it is open. Source: HBase's ``Admin.assign``."""
        self._cluster.assign_region(_name(region))

    def unassign_region(self, region: Region) -> None:
        """Unassign a region from its server; return when it is closed. Its rows are unavailable until it is assigned.

        Source: HBase's ``Admin.unassign``.
        """
        self._cluster.unassign_region(_name(region))

    def flush_region(self, region: Region, family: str | bytes | None = None) -> None:
        """Flush a region, or one family of it: write the cells in memory to store files. Returns when that is done."""
        self._cluster.flush_region(_name(region), family)

    def compact_region(self, region: Region, family: str | bytes | None = None, *, major: bool = False) -> None:
        """Compact a region, or one family of it; with ``major=True`` merge all its files.

        Returns when no compaction of the region is queued or running, including those that others requested.
        """
        self._cluster.compact_region(_name(region), family, major)

    def compaction_state(self, table_or_region: Region) -> str:
        """Return the compactions of a table or a region: ``NONE``, ``MINOR``, ``MAJOR`` or ``MAJOR_AND_MINOR``.

        Compactions count while they are queued or running.

        Source: HBase's ``Admin.getCompactionState``.
        """
        if is_region(table_or_region):
            return self._cluster.compaction_state(_name(table_or_region))
        states = set()
        for place in self.region_places(_table_name(table_or_region)):
            try:
                states.add(self._cluster.compaction_state(place.region.name))
            except RegionNotFound:
                # It was split or merged meanwhile.
                continue
        states.discard("NONE")
        return "NONE" if not states else states.pop() if len(states) == 1 else "MAJOR_AND_MINOR"

    def snapshot(
        self, snapshot: str, table: str, *, flush: bool = True, ttl_seconds: int | timedelta | None = None
    ) -> None:
        """Take a snapshot of ``table``; with ``flush=False`` leave out cells that are only in memory.

        Args:
            ttl_seconds: Seconds, or a `timedelta`, after which the snapshot expires.

        Returns when it is complete. Raises `SnapshotExists`, `TableNotFound`.
        """
        seconds = int(ttl_seconds.total_seconds()) if isinstance(ttl_seconds, timedelta) else ttl_seconds
        if seconds is not None and seconds <= 0:
            raise InvalidArgument(f"ttl_seconds {seconds} is not positive")
        self._cluster.take_snapshot(snapshot, table, flush, seconds or 0)

    def export_snapshot(self, snapshot: str, directory: str | os.PathLike[str]) -> None:
        """Export a snapshot to ``directory`` in the layout of HBase's ``ExportSnapshot``; HBase can clone it there.

        Its files are copied to ``archive/data/…``, their list is written to ``.hbase-snapshot``. Works for directories
        only: export a cluster's snapshots with HBase's own tool.

        Raises:
            SnapshotNotFound.
            SnapshotExists: ``directory`` has a snapshot of that name.
            StorageError: A file cannot be written. What was written stays, but is not a valid snapshot.
        """
        self._cluster.export_snapshot(snapshot, new_directory(directory))

    def import_snapshot(self, directory: str | os.PathLike[str], snapshot: str) -> None:
        """Import a snapshot that HBase's ``ExportSnapshot`` or `export_snapshot` wrote into ``directory``.

        Its files are copied; clone the snapshot to get a table. ``directory`` may also be an HBase root directory.
        Works for directories only.

        Raises:
            SnapshotNotFound: ``directory`` has no snapshot of that name.
            SnapshotExists: The database has one of that name.
            InvalidArgument: The snapshot has large cells in MOB files, or cannot be made into a table.
            StorageError: A file is missing or damaged. Nothing was changed.
        """
        self._cluster.import_snapshot(snapshot, os.fspath(directory))

    def snapshots(self) -> list[Snapshot]:
        """Return all snapshots, sorted by name."""
        return [Snapshot(*parts) for parts in self._cluster.snapshots()]

    def delete_snapshot(self, snapshot: str) -> None:
        """Delete a snapshot. Tables cloned from it keep their data. Raises `SnapshotNotFound`."""
        self._cluster.delete_snapshot(snapshot)

    def clone_snapshot(self, snapshot: str, table: str) -> None:
        """Create the table ``table`` from a snapshot. Raises `SnapshotNotFound`, `TableExists`."""
        self._cluster.clone_snapshot(snapshot, table)

    def restore_snapshot(self, snapshot: str) -> None:
        """Reset the disabled table of a snapshot to the state of the snapshot; its present data is lost.

        Raises:
            SnapshotNotFound, TableNotFound.
            TableNotDisabled: Disable the table first.
        """
        self._cluster.restore_snapshot(snapshot)

    def cluster_status(self) -> ClusterStatus:
        """Return the servers and regions as reported by the active master."""
        version, cluster_id, master, backups, servers, dead, moving, balancer_on = self._cluster.cluster_status()
        live = [ServerStatus(*server) for server in servers]
        return ClusterStatus(version, cluster_id, master, backups, live, dead, moving, balancer_on)

    def set_balancer(self, on: bool) -> bool:
        """Enable or disable the balancer, which moves regions between servers; return the previous state."""
        return self._cluster.set_balancer(on)

    def balance(self) -> bool:
        """Run the balancer; False if it is off or regions are in transition. Moves continue after the call returns."""
        return self._cluster.balance()
