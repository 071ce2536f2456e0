"""Administration of a database: schema, maintenance, statistics."""

import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._admin.cluster_admin import ClusterAdmin, RegionInfo, RegionPlace
from rowstone._admin.maintenance import BackupReport
from rowstone._base.namespaces import Namespaces, settings_of
from rowstone._base.printable import printable
from rowstone._base.schema import (
    FamiliesArgument,
    Family,
    FamilyArgument,
    TableSchema,
    as_bytes,
    as_text,
    families_of,
    family_of,
    native_families,
)
from rowstone._base.stores import StoreReport, stores_of
from rowstone._base.targets import new_directory
from rowstone.errors import (
    Constraint,
    InvalidArgument,
    NoSuchColumnFamily,
    TableExists,
    UnsupportedOperation,
)
from rowstone.splits import SplitsArgument, keys_of

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap

_log = logging.getLogger("rowstone")


@dataclass(frozen=True)
class StoreFileInfo:
    """A store file of one family of one region.

    ``entry_count`` is its number of cells, ``max_sequence_id`` the newest write that it contains. ``time_range``
    includes both ends, and is None without cells. ``is_major`` tells that a merge of all files of its store wrote it.
    """

    region: str
    family: bytes
    path: str
    size_bytes: int
    entry_count: int
    max_sequence_id: int
    time_range: tuple[int, int] | None
    is_major: bool


class Stats(dict[str, int]):
    """Numbers by name: a `dict` that prints as a table."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {value:>15,}" for name, value in self.items())

    def _repr_html_(self) -> str:
        from rowstone._base.html import stats_html

        return stats_html(self)


def _changed(settings: Mapping[str, str], changes: Mapping[str, Any] | None) -> dict[str, str]:
    """``settings`` with ``changes`` applied; a change to None removes a setting."""
    merged: dict[str, Any] = {**settings, **(changes or {})}
    return {name: as_text(value) for name, value in merged.items() if value is not None}


class Admin(ClusterAdmin, Namespaces):
    """Schema, maintenance, statistics. Every call returns when its work is done. Returned by `Database.admin`.

    Ctrl-C stops waiting for a long call (flush, compaction, schema change) at once; the work itself continues.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.admin.create_table("t", {"f": rs.Family(max_versions=3)}, splits=["m"])
        ...     print([region.start_key for region in db.admin.regions("t")])
        [b'', b'm']
    """

    def __init__(self, native: _native.Admin, cluster: _native.ClusterAdmin) -> None:
        super().__init__(cluster)
        self._native = native

    def create_table(
        self,
        name: str,
        families: FamiliesArgument,
        *,
        splits: SplitsArgument | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
        if_not_exists: bool = False,
    ) -> bool:
        """Create a table and return True.

        Args:
            name: ``"name"`` or ``"namespace:name"``.
            families: ``{name: Family}``. A mapping of settings or None is accepted in place of a `Family`, and so are
                names alone.
            splits: Row keys at which the table is split into regions from the start; or `splits.Range` (first key, last
                key, number of regions), a file of keys (a `pathlib.Path`), or a callable that returns keys. See
                `rowstone.splits`.
            attributes: HBase's table attributes, such as ``{"DURABILITY": "ASYNC_WAL"}``.
            configuration: Settings that override the database's for this table.
            if_not_exists: If the table exists, return False instead of raising, and leave it unchanged.

        Raises:
            TableExists, NamespaceNotFound, InvalidName, InvalidArgument, QuotaExceeded: Nothing was created.
        """
        native = native_families(families_of(families))
        try:
            self._native.create_table(
                name, native, settings_of(attributes), settings_of(configuration), keys_of(splits)
            )
        except TableExists:
            if not if_not_exists:
                raise
            _log.info("table '%s' already exists", name)
            return False
        return True

    def alter_table(
        self,
        name: str,
        *,
        families: FamiliesArgument | None = None,
        remove: Iterable[str | bytes] | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
    ) -> None:
        """Change a table's descriptor, all at once or not at all.

        Args:
            families: Families to add or change. A `Family` replaces the old descriptor (``max_versions=None`` keeps
                the old number); a mapping changes only the settings that it names, as HBase's shell does.
            remove: Families to remove, with their data.
            attributes, configuration: Settings to change; None removes a setting.

        Raises:
            TableNotFound, NoSuchColumnFamily (in ``remove``), TableNotDisabled (with online schema change off).
        """
        schema = self.describe(name)
        merged = dict(schema.families)
        for key in map(as_bytes, remove or ()):
            if key not in merged:
                raise _no_family(schema, key, "remove")
            del merged[key]
        given = families if isinstance(families, Mapping) else dict.fromkeys(families or ())
        for raw_name, argument in given.items():
            key = as_bytes(raw_name)
            merged[key] = _merge(merged.get(key), argument)
        self._native.alter_table(
            name,
            native_families(merged),
            _changed(schema.attributes, attributes),
            _changed(schema.configuration, configuration),
        )

    def add_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None:
        """Add a family to a table. Source: HBase's ``Admin.addColumnFamily``.

        Raises:
            InvalidArgument: The table has a family of that name. TableNotFound, TableNotDisabled.
        """
        schema = self.describe(name)
        if as_bytes(family) in schema.families:
            shown = printable(as_bytes(family))
            raise InvalidArgument(f"table '{schema.name}' has a family '{shown}' already; modify_family changes it")
        self.alter_table(name, families={as_bytes(family): settings})

    def modify_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None:
        """Change a family: a `Family` replaces its descriptor, a mapping changes only the settings that it names.

        Source: HBase's ``Admin.modifyColumnFamily``.

        Raises:
            NoSuchColumnFamily: The table has no family of that name. TableNotFound, TableNotDisabled.
        """
        schema = self.describe(name)
        if as_bytes(family) not in schema.families:
            raise _no_family(schema, as_bytes(family), "change")
        self.alter_table(name, families={as_bytes(family): settings})

    def delete_family(self, name: str, family: str | bytes) -> None:
        """Remove a family with its data. Source: HBase's ``Admin.deleteColumnFamily``.

        Raises:
            NoSuchColumnFamily: The table has no family of that name. TableNotFound, TableNotDisabled.
        """
        self.alter_table(name, remove=[family])

    def enable_table(self, name: str) -> None:
        """Enable a disabled table for reads and writes. Raises `TableNotDisabled` if it is enabled already."""
        self._native.set_enabled(name, True)

    def disable_table(self, name: str) -> None:
        """Disable a table: reads and writes are refused until it is enabled again. Its data stays.

        Raises:
            TableNotEnabled: The table is disabled already.
        """
        self._native.set_enabled(name, False)

    def is_enabled(self, name: str) -> bool:
        """Whether the table is enabled for reads and writes. Raises `TableNotFound`."""
        return self._native.is_enabled(name)

    def drop_table(self, name: str, *, force: bool = False) -> None:
        """Remove a disabled table and its data; with ``force=True`` disable it first.

        Raises:
            TableNotDisabled: The table is enabled.
            TableNotFound: There is no such table.
            Constraint: An observer forbids it, or the table has indexes; the table is unchanged.
        """
        was_enabled = force and self._native.is_enabled(name)
        if was_enabled:
            self._native.set_enabled(name, False)
        try:
            self._native.drop_table(name)
        except Constraint:
            # An observer's veto, or an index that depends on the table.
            if was_enabled:
                self._native.set_enabled(name, True)
            raise

    def truncate_table(self, name: str, *, preserve_splits: bool = False) -> None:
        """Remove the data of a disabled table, and its splits unless ``preserve_splits``; afterwards it is enabled.

        Source: HBase's ``truncate_preserve``, which also leaves the table enabled.
        """
        self._native.truncate_table(name, preserve_splits)
        if not self._native.is_enabled(name):
            self._native.set_enabled(name, True)

    def exists(self, name: str) -> bool:
        """Whether there is a table of that name."""
        wanted = self._native.canonical_name(name)
        return wanted in self._native.tables(wanted.partition(":")[0] if ":" in wanted else "default")

    def tables(self, namespace: str | None = None) -> list[str]:
        """Return the names of all tables, or of those in ``namespace``, sorted."""
        if namespace is not None:
            self._check_namespace(namespace)
        return self._native.tables(namespace)

    def namespace_tables(self, namespace: str) -> list[str]:
        """Return the names of the tables in ``namespace``, sorted. Raises `NamespaceNotFound`."""
        return self.tables(namespace)

    def describe(self, name: str) -> TableSchema:
        """Return the table's descriptor. Raises `TableNotFound`."""
        return TableSchema.from_native(self._native.describe(name))

    def flush(self, name: str | None = None) -> None:
        """Flush a table, or all tables: write the cells in memory to store files."""
        self._native.flush(name)

    def compact(self, name: str, family: str | bytes | None = None) -> None:
        """Run a minor compaction: merge some files of a table, or of one family, where that pays off.

        On a cluster it returns when no compaction of the table's regions is queued or running.
        """
        self._native.compact(name, family, False)

    def major_compact(self, name: str, family: str | bytes | None = None) -> None:
        """Run a major compaction: merge all files of each store into one.

        Deleted cells, expired cells and surplus versions are dropped. As in HBase this can change the results of reads:
        a delete marker that is dropped no longer hides older versions.
        """
        self._native.compact(name, family, True)

    def regions(self, name: str) -> list[RegionInfo]:
        """Return the table's regions, in the order of their start keys."""
        return [RegionInfo(*parts) for parts in self._native.regions(name)]

    def split_keys(self, name: str) -> list[bytes]:
        """Return the table's split keys: the start keys of all regions but the first. Raises `TableNotFound`."""
        return [region.start_key for region in self.regions(name)][1:]

    def locate_region(self, name: str, row: str | bytes) -> RegionPlace:
        """Return the region that contains ``row``, with its server on a cluster. Raises `TableNotFound`."""
        key = as_bytes(row)
        return [place for place in self.region_places(name) if place.region.start_key <= key][-1]

    def clone_table_schema(self, name: str, new_name: str, *, preserve_splits: bool = True) -> None:
        """Create an empty table with the families, attributes and settings of another, by default also its splits.

        Raises:
            TableNotFound, TableExists, NamespaceNotFound, QuotaExceeded: Nothing was created.

        Source: HBase's ``Admin.cloneTableSchema``.
        """
        schema = self.describe(name)
        self.create_table(
            new_name,
            schema.families,
            splits=self.split_keys(name) if preserve_splits else None,
            attributes=schema.attributes,
            configuration=schema.configuration,
        )

    def store_files(self, name: str) -> list[StoreFileInfo]:
        """Return the table's store files."""
        return [StoreFileInfo(*parts) for parts in self._native.store_files(name)]

    def bulk_load(
        self,
        name: str,
        files: Mapping[str, Iterable[str | os.PathLike[str]]] | Mapping[bytes, Iterable[str | os.PathLike[str]]],
    ) -> list[StoreFileInfo]:
        """Load HFiles into a table: files of HBase, of `rowstone.hfile.write` or of an export. Returns the new files.

        Args:
            files: Paths by family. The files are copied and left in place. A file that spans regions is split.

        Each region adds all of its files at once, so no reader sees only some of them. Of cells with equal timestamps,
        the loaded ones hide those written before and are hidden by those written later; sequence ids within the files
        are ignored. The order of files within one call has no meaning: if several files contain the same cell, load
        them one after the other.

        Raises:
            NoSuchColumnFamily, CorruptionError, StorageError.
            InvalidArgument: A file of another family.
            Nothing was changed. (HBase loads region by region, and may stop halfway.)

        Source: HBase's ``BulkLoadHFiles``.
        """
        pairs = [(as_bytes(family), os.fspath(path)) for family, paths in files.items() for path in paths]
        return [StoreFileInfo(*parts) for parts in self._native.bulk_load(name, pairs)]

    def export_hfiles(self, name: str, directory: str | os.PathLike[str]) -> list[StoreFileInfo]:
        """Write the table's cells to new files ``directory/<family>/<file>``, for HBase's bulk load and `bulk_load`.

        There is one file for each region and family with cells; the files of a region are of one moment. They contain
        what a compaction would keep: all versions that reads can see, and delete markers.

        Source: HBase's ``HFileOutputFormat2``, which has the same layout.
        """
        return [StoreFileInfo(*parts) for parts in self._native.export_files(name, new_directory(directory))]

    def backup(self, out: str | os.PathLike[str]) -> BackupReport:
        """Copy the database as of one moment into the new directory ``out``, while others go on writing.

        The copy contains everything acknowledged before the call, in whole rows. Of writes during the call it contains
        those up to some point in the log's order. Where ``out`` is on the same disk, store files and logs are shared
        with the database as hard links. They never change, so neither side can harm the other. Creating, altering and
        dropping tables waits meanwhile. `rowstone.restore` restores the copy, which can also be opened as it is.

        Raises:
            InvalidArgument: ``out`` is not empty.
            ReadOnly: The database was opened read-only.
            DiskFull, StorageError: ``out`` contains an incomplete copy, which cannot be opened.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("t", ["f"])
            ...     db.table("t").put("row", {"f:q": "value"})
            ...     _ = db.admin.backup("copy-of-memory")
            >>> with rs.connect("copy-of-memory") as copy:
            ...     print(copy.table("t").get("row"))
            Row(b'row', {b'f:q': b'value'})
        """
        name = new_directory(out)
        return BackupReport(name, *self._native.backup(name))

    def stats(self, name: str | None = None) -> Stats:
        """Return statistics of a table or of the database: files, bytes, cache hits, open scanners, …"""
        return Stats(self._native.statistics(name))

    def enable_table_replication(self, name: str) -> None:
        """Replicate a table's changes to the peers, creating the table on peers that lack it. Clusters only.

        Source: HBase's ``Admin.enableTableReplication``.

        Raises:
            InvalidArgument: There is no peer, or a peer has a different table of that name.
            TableNotFound.
        """
        from rowstone._admin.table_replication import enable  # imported late: it connects to other clusters

        enable(self, name)

    def normalize(
        self, tables: Iterable[str] | None = None, *, regex: str | None = None, namespace: str | None = None
    ) -> bool:
        """Split and merge regions of unusual sizes; return whether that began. In a directory the call waits for it.

        Applies to tables with NORMALIZATION_ENABLED: a region more than twice the target size is split, and neighbours
        that are old enough and together not above the target size are merged. The target size is
        NORMALIZER_TARGET_REGION_SIZE_MB, or the size that results in NORMALIZER_TARGET_REGION_COUNT regions, or the
        average. Sources: HBase's ``Admin.normalize``, ``SimpleRegionNormalizer``.

        Args:
            tables: Only these tables; names of missing tables are ignored.
            regex: Only tables whose whole name matches.
            namespace: Only tables of this namespace.
        """
        named = None if tables is None else {self._native.canonical_name(name) for name in tables}
        try:
            return super().normalize(named, regex=regex, namespace=namespace)
        except UnsupportedOperation:
            # A directory has no master.
            if not self.switch("normalizer"):
                return False
            pattern = None if regex is None else _native.Pattern(regex)
            for name in self._native.tables(namespace):
                is_named = named is None or name in named
                if is_named and (pattern is None or pattern.matches(name)):
                    self._cluster.normalize(name)
            return True

    def heat_map(self, name: str) -> "HeatMap":
        """Return the heat map of a table: reads and writes by key range and time since the database was opened.

        A handle on a cluster counts its own calls only; `rowstone.schema.heat.watch` reads the servers' counts
        of all clients' calls. On a cluster the table need not exist any more; in a directory raises `TableNotFound`.
        """
        from rowstone.schema.heat._map import heat_map, windows_of

        reads, writes = self._cluster.heat(name)
        return heat_map(name, windows_of(reads), windows_of(writes))

    def _was_used(self, name: str) -> bool:
        """Whether the table was read or written since the database was opened."""
        return any(self._cluster.heat(name))

    def store_stats(self, name: str | None = None) -> StoreReport:
        """Return numbers per region and family, of a table or of all: memory, files, indexes, requests, cache, debt.

        On a cluster there is one entry per region, as its server last reported it. Source: HBase's
        ``Admin.getRegionMetrics``. Raises `TableNotFound`.
        """
        return stores_of(self._cluster, self.tables() if name is None else [name])


def _no_family(schema: TableSchema, family: bytes, action: str) -> NoSuchColumnFamily:
    return NoSuchColumnFamily(f"table '{schema.name}' has no family '{printable(family)}' to {action}")


def _merge(old: Family | None, argument: Any) -> Family:
    """``old`` changed by ``argument``."""
    if isinstance(argument, Family):
        if argument.max_versions is None and old is not None:
            return Family.from_attributes(
                {**argument.to_attributes(), "VERSIONS": old.max_versions}, argument.configuration
            )
        return argument
    if old is None or argument is None:
        return family_of(argument) if old is None else old
    if not isinstance(argument, Mapping):
        raise InvalidArgument(f"a family must be a Family or a mapping, not {type(argument).__name__}")
    change = family_of(argument)
    named = {**old.to_attributes(), **_named(argument, change)}
    return Family.from_attributes(named, {**old.configuration, **change.configuration})


def _named(argument: Mapping[str, Any], change: Family) -> dict[str, str]:
    """The attributes that ``argument`` names, including those whose values are HBase's defaults."""
    from rowstone._base.schema import _TYPED, whole_seconds

    attributes = change.to_attributes()
    for field_name, hbase_name, _ in _TYPED:
        if field_name in argument or hbase_name in argument:
            value = getattr(change, field_name)
            if field_name == "ttl_seconds":
                value = "FOREVER" if value is None else whole_seconds(value)
            attributes[hbase_name] = as_text(1 if value is None else value)
    return attributes
