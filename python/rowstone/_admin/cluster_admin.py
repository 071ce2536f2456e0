"""Regions, and what only a cluster has to administrate: servers, snapshots, the balancer."""

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


def _table_name(name: Region) -> str:
    if isinstance(name, RegionInfo):
        return name.table
    return name if isinstance(name, str) else name.decode()


def _name(region: Region) -> str | bytes:
    return region.name if isinstance(region, RegionInfo) else region


def is_region(name: Region) -> bool:
    """Whether ``name`` is a region's, not a table's: 32 hex digits, or a full name, which ends with them."""
    if isinstance(name, RegionInfo):
        return True
    text = name if isinstance(name, str) else name.decode("latin-1")
    if text.endswith("."):
        text = text[:-1].rpartition(".")[2]
    return len(text) == 32 and set(text) <= set("0123456789abcdef")


class ClusterAdmin(Switches, Servers, Load, Events, Replication, Quotas, Access, Groups):
    """The part of `Admin` about regions, servers and snapshots.

    A directory has no servers: calls about those raise `UnsupportedOperation` there.
    """

    def region_places(self, name: str) -> list[RegionPlace]:
        """The table's regions with their servers, in the order of their start keys. Raises `TableNotFound`."""
        return [RegionPlace(RegionInfo(*region), server) for region, server in self._cluster.region_places(name)]

    def split_region(self, region: Region, row: str | bytes | None = None) -> None:
        """Splits a region at ``row``, which becomes the first of the second half, or where its policy finds best.

        That is the middle of its largest file. Returns when both halves are served; reads, writes and scans go on.
        Source: HBase's ``Admin.splitRegionAsync``.

        Raises:
            RegionNotFound: There is no such region.
            InvalidArgument: ``row`` is the start key or outside. Constraint: It cannot be split: it has too little in
                it, halves of files of an earlier split (compact it), or the table has SPLIT_ENABLED => false. On a
                cluster both are RemoteError.
            TableNotEnabled, QuotaExceeded.
        """
        self._cluster.split_region(_name(region), row)

    def split(self, table_or_region: Region, split_row: str | bytes | None = None) -> None:
        """Splits a region; or of a table the region that holds ``split_row``; without one, every region that can be.

        As `split_region` for each. Of a table's regions those are passed over that have too little in them or halves
        of files. Source: HBase's ``Admin.split``.
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
        """Makes one region of several of one table; of such that do not touch only with ``force=True``.

        In a directory those between are then merged too: no row is ever in two regions, or in none. Returns when the
        merged region is served; reads, writes and scans go on. Source: HBase's ``Admin.mergeRegionsAsync``.

        Raises:
            RegionNotFound: There is no such region. InvalidArgument: Fewer than two, one twice, of two tables, or they
                do not touch. Constraint: One has halves of files of a split (compact it), or the table has
                MERGE_ENABLED => false.
        """
        self._cluster.merge_regions([_name(region) for region in regions], force)

    def merge(self, regions: Iterable[Region], *, force: bool = False) -> None:
        """Makes one region of several: another name of `merge_regions`."""
        self.merge_regions(regions, force=force)

    def truncate_region(self, region: Region) -> None:
        """Removes the data of a region, wholly or not at all; it keeps its place, and on a directory its name.

        Source: HBase's ``Admin.truncateRegion``.
        """
        self._cluster.truncate_region(_name(region))

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

    def flush_region(self, region: Region, family: str | bytes | None = None) -> None:
        """Writes the recent cells of a region, or of one family of it, to files; returns when they are there."""
        self._cluster.flush_region(_name(region), family)

    def compact_region(self, region: Region, family: str | bytes | None = None, *, major: bool = False) -> None:
        """Merges files of a region, or of one family of it; with ``major=True`` all of them.

        Returns when no compaction of the region is queued or under way, also of those that others asked for.
        """
        self._cluster.compact_region(_name(region), family, major)

    def compaction_state(self, table_or_region: Region) -> str:
        """Which compactions of a table or a region wait or run: ``NONE``, ``MINOR``, ``MAJOR`` or ``MAJOR_AND_MINOR``.

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

    def export_snapshot(self, snapshot: str, directory: str | os.PathLike[str]) -> None:
        """Writes a snapshot into ``directory``, as HBase's ``ExportSnapshot`` does: HBase can clone it there.

        Its files are copied, to ``archive/data/…``; what says which they are stands in ``.hbase-snapshot``. Of a
        directory only: a cluster's files are exported by HBase's own tool.

        Raises:
            SnapshotNotFound. SnapshotExists: ``directory`` has one of that name.
            StorageError: A file cannot be written. What was written stays; it is no snapshot.
        """
        self._cluster.export_snapshot(snapshot, new_directory(directory))

    def import_snapshot(self, directory: str | os.PathLike[str], snapshot: str) -> None:
        """Takes over a snapshot that HBase's ``ExportSnapshot`` or `export_snapshot` wrote into ``directory``.

        Its files are copied; clone it to have a table. An HBase root directory works, too. Of a directory only.

        Raises:
            SnapshotNotFound: ``directory`` has none of that name. SnapshotExists: There is one already.
            InvalidArgument: It keeps large cells in MOB files, or does not make a table.
            StorageError: A file is missing or damaged. Nothing is changed.
        """
        self._cluster.import_snapshot(snapshot, os.fspath(directory))

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
