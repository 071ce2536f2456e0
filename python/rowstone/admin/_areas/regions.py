"""Regions: list, split, merge, move, compact, normalize, balance."""

from __future__ import annotations

import builtins
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rowstone import _native
from rowstone._base.options.checks import as_list
from rowstone._base.schema import as_bytes
from rowstone.admin._area import Area, table
from rowstone.errors import ConstraintViolation, RegionNotFound, RemoteError, UnsupportedOperation

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
class RegionLocation:
    """A region and its server, ``"host,port,startcode"``, or None while it is not assigned."""

    region: RegionInfo
    server: str | None


Region = RegionInfo | str | bytes
"""A region: as returned by `Regions.list`, or its encoded or full name."""


class Regions(Area):
    """Regions of tables: ``db.admin.regions``.

    A directory has no servers: `move`, `assign`, `unassign` and `balance` raise `UnsupportedOperation` there.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"], splits=["m"])
        ...     db.admin.regions.split("t", "x")
        ...     db.admin.regions.merge(db.admin.regions.list("t")[:2])
        ...     print([region.start_key for region in db.admin.regions.list("t")])
        [b'', b'x']
    """

    def list(self, name: str) -> builtins.list[RegionInfo]:
        """Return the table's regions, in the order of their start keys."""
        return [RegionInfo(*parts) for parts in self._native.regions(name)]

    def locations(self, name: str) -> builtins.list[RegionLocation]:
        """Return the table's regions with their servers, sorted by start key. Raises `TableNotFound`."""
        return [RegionLocation(RegionInfo(*region), server) for region, server in self._cluster.region_locations(name)]

    def locate(self, name: str, row: str | bytes) -> RegionLocation:
        """Return the region that contains ``row``, with its server on a cluster. Raises `TableNotFound`."""
        key = as_bytes(row)
        return [place for place in self.locations(name) if place.region.start_key <= key][-1]

    def split_keys(self, name: str) -> builtins.list[bytes]:
        """Return the table's split keys: the start keys of all regions but the first. Raises `TableNotFound`."""
        return [region.start_key for region in self.list(name)][1:]

    def split(self, table_or_region: Region, row: str | bytes | None = None) -> None:
        """Split a region at ``row``, the first row of the second half, or where the split policy chooses.

        Of a table, split the region that contains ``row``; without ``row``, every region. Regions with too little data
        or with reference files are skipped then. The policy chooses the middle of the largest file. Returns when both
        halves are open; reads, writes and scans continue meanwhile. Source: HBase's ``Admin.split``,
        ``Admin.splitRegionAsync``.

        Raises:
            RegionNotFound, TableNotFound: There is no such region, or table.
            InvalidArgument: ``row`` is the start key or outside the region.
            ConstraintViolation: The region cannot be split: it has too little data, it has reference files of an
                earlier split (compact it), or the table has SPLIT_ENABLED => false.
            TableNotEnabled, QuotaExceeded.
        """
        if is_region(table_or_region):
            self._cluster.split_region(_name(table_or_region), row)
            return
        regions = [place.region for place in self.locations(_table_name(table_or_region))]
        if row is not None:
            key = as_bytes(row)
            self._cluster.split_region([region for region in regions if region.start_key <= key][-1].name, key)
            return
        for region in regions:
            try:
                self._cluster.split_region(region.name, None)
            except (ConstraintViolation, RemoteError) as error:
                _log.info("region %s is not split: %s", region.encoded_name, error)

    def merge(self, regions: Iterable[Region], *, force: bool = False) -> None:
        """Merge regions of one table into one; regions that are not adjacent only with ``force=True``.

        In a directory the regions in between are then merged too: a row is always in exactly one region. Returns when
        the merged region is open; reads, writes and scans continue. Source: HBase's ``Admin.mergeRegionsAsync``.

        Raises:
            RegionNotFound: There is no such region.
            InvalidArgument: Fewer than two regions, one given twice, regions of two tables, or not adjacent.
            ConstraintViolation: A region has reference files of a split (compact it), or the table has MERGE_ENABLED
                => false.
        """
        self._cluster.merge_regions([_name(region) for region in as_list("regions", regions)], force)

    def truncate(self, region: Region) -> None:
        """Remove the data of a region, all or nothing. It keeps its key range, and in a directory its name.

        Source: HBase's ``Admin.truncateRegion``.

        Raises:
            ConstraintViolation: The table has a coprocessor index, which would keep the removed rows.
        """
        if self._owner is not None and self._owner._layers is not None:
            self._owner.coprocessors._check_truncation(self._table_of(region))
        self._cluster.truncate_region(_name(region))

    def _table_of(self, region: Region) -> str:
        """Return the table of a region; empty if there is no such region."""
        if isinstance(region, RegionInfo):
            return region.table
        name = as_bytes(region)
        every = (info for table_name in self._native.tables(None) for info in self.list(table_name))
        return next((info.table for info in every if name in (info.name, info.encoded_name.encode())), "")

    def flush(self, region: Region, family: str | bytes | None = None) -> None:
        """Flush a region, or one family of it: write the cells in memory to store files. Returns when that is done."""
        self._cluster.flush_region(_name(region), family)

    def compact(self, region: Region, family: str | bytes | None = None, *, major: bool = False) -> None:
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
        for place in self.locations(_table_name(table_or_region)):
            try:
                states.add(self._cluster.compaction_state(place.region.name))
            except RegionNotFound:
                # It was split or merged meanwhile.
                continue
        states.discard("NONE")
        return "NONE" if not states else states.pop() if len(states) == 1 else "MAJOR_AND_MINOR"

    def normalize(
        self, tables: Iterable[str] | None = None, *, regex: str | None = None, namespace: str | None = None
    ) -> bool:
        """Split and merge regions of unusual sizes; return whether that began. In a directory the call waits for it.

        Applies to tables with NORMALIZATION_ENABLED: a region more than twice the target size is split, and neighbors
        that are old enough and together not above the target size are merged. The target size is
        NORMALIZER_TARGET_REGION_SIZE_MB, or the size that results in NORMALIZER_TARGET_REGION_COUNT regions, or the
        average. Sources: HBase's ``Admin.normalize``, ``SimpleRegionNormalizer``.

        Args:
            tables: Only these tables; names of missing tables are ignored.
            regex: Only tables whose whole name matches.
            namespace: Only tables of this namespace.
        """
        named = None if tables is None else {self._native.canonical_name(name) for name in as_list("tables", tables)}
        try:
            return self._normalize_cluster(named, regex, namespace)
        except UnsupportedOperation:
            # A directory has no master.
            if not self._cluster.switch("normalizer", None):
                return False
            pattern = None if regex is None else _native.Pattern(regex)
            for name in self._native.tables(namespace):
                is_named = named is None or name in named
                if is_named and (pattern is None or pattern.matches(name)):
                    self._cluster.normalize(name)
            return True

    def move(self, region: Region, server: str | None = None) -> None:
        """Move a region to ``server`` (``"host,port,startcode"`` or ``"host:port"``), or to one the master chooses.

        Returns when ``hbase:meta`` lists the region there. Source: HBase's ``Admin.move``.

        Raises:
            InvalidArgument: No such server is running; the message names those that are.
            OperationTimeout: The region did not arrive in time; the master continues to move it.
        """
        self._cluster.move_region(_name(region), server)

    def assign(self, region: Region) -> None:
        """Assign a region to a server; return when it is open. Source: HBase's ``Admin.assign``."""
        self._cluster.assign_region(_name(region))

    def unassign(self, region: Region) -> None:
        """Unassign a region from its server; return when it is closed. Its rows are unavailable until it is assigned.

        Source: HBase's ``Admin.unassign``.
        """
        self._cluster.unassign_region(_name(region))

    def balance(self, *, ignore_regions_in_transition: bool = False) -> bool:
        """Run the balancer, which moves regions between servers; return whether it ran.

        It does not run while its switch is off, nor by default while regions are in transition. Moves continue after
        the call returns. Source: HBase's ``Admin.balance``.
        """
        if not ignore_regions_in_transition:
            return self._cluster.balance()
        return bool(self._master("Balance", ignore_regions_in_transition=True)["ran"])

    def _normalize_cluster(self, names: Iterable[str] | None, regex: str | None, namespace: str | None) -> bool:
        request: dict[str, Any] = {"table_names": [table(name) for name in names or ()]}
        given = {"regex": regex, "namespace": namespace}
        request.update({name: value for name, value in given.items() if value is not None})
        return bool(self._master("Normalize", **request)["on"])


def is_region(name: Region) -> bool:
    """Whether ``name`` is that of a region, not of a table: 32 hex digits, or a full name, which ends with them.

    The region of ``hbase:meta`` is ``1588230740``, in full ``hbase:meta,,1``.
    """
    if isinstance(name, RegionInfo):
        return True
    text = name if isinstance(name, str) else name.decode("latin-1")
    if text == "1588230740" or text.startswith("hbase:meta,,1"):
        return True
    if text.endswith("."):
        text = text[:-1].rpartition(".")[2]
    return len(text) == 32 and set(text) <= set("0123456789abcdef")


def _table_name(name: Region) -> str:
    if isinstance(name, RegionInfo):
        return name.table
    return name if isinstance(name, str) else name.decode()


def _name(region: Region) -> str | bytes:
    return region.name if isinstance(region, RegionInfo) else region
