"""Schema, maintenance, statistics of a database."""

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
    from rowstone.heat import HeatMap

_log = logging.getLogger("rowstone")


@dataclass(frozen=True)
class StoreFileInfo:
    """A file of one family of one region.

    ``entry_count`` counts its cells; ``max_sequence_id`` is the newest write it covers; ``time_range`` has both ends
    included, or is None without cells; ``is_major`` says that it came from merging all files of its store.
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
    """Numbers by name: `dict` with a table for people."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {value:>15,}" for name, value in self.items())

    def _repr_html_(self) -> str:
        from rowstone._base.html import stats_html

        return stats_html(self)


def _changed(settings: Mapping[str, str], changes: Mapping[str, Any] | None) -> dict[str, str]:
    """``settings`` with ``changes``; a change to None takes a setting away."""
    merged: dict[str, Any] = {**settings, **(changes or {})}
    return {name: as_text(value) for name, value in merged.items() if value is not None}


class Admin(ClusterAdmin, Namespaces):
    """Schema, maintenance, statistics; every call returns when its work is done. Made by `Database.admin`.

    Ctrl-C ends the waiting for a long call (flush, compaction, schema change) at once; the work itself goes on.

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
        """True once the table is made.

        Args:
            name: ``"name"`` or ``"namespace:name"``.
            families: ``{name: Family}``; a mapping of settings or None instead of a `Family`, or names alone, work too.
            splits: Row keys at which the table is split into regions from the start; or `splits.Range` (first key, last
                key, number of regions), a file of keys (a `pathlib.Path`), or what gives keys when it is called. See
                `rowstone.splits`.
            attributes: HBase's table attributes, such as ``{"DURABILITY": "ASYNC_WAL"}``.
            configuration: Settings that override the database's for this table.
            if_not_exists: Return False instead of raising where a table of that name is there; it stays as it is.

        Raises:
            TableExists, NamespaceNotFound, InvalidName, InvalidArgument, QuotaExceeded: Nothing was made.
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
        """Changes a table's description, all at once or not at all.

        Args:
            families: Families to add or change. A `Family` replaces the old description (``max_versions=None`` keeps
                the old number); a mapping changes only what it names, as HBase's shell does.
            remove: Families to remove, with their data.
            attributes, configuration: Settings to change; None takes one away.

        Raises:
            TableNotFound, NoSuchColumnFamily (in ``remove``), TableNotDisabled (with online change switched off).
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
        """Adds a family to a table. Source: HBase's ``Admin.addColumnFamily``.

        Raises:
            InvalidArgument: The table has a family of that name. TableNotFound, TableNotDisabled.
        """
        schema = self.describe(name)
        if as_bytes(family) in schema.families:
            shown = printable(as_bytes(family))
            raise InvalidArgument(f"table '{schema.name}' has a family '{shown}' already; modify_family changes it")
        self.alter_table(name, families={as_bytes(family): settings})

    def modify_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None:
        """Changes a family: a `Family` replaces its description, a mapping changes what it names.

        Source: HBase's ``Admin.modifyColumnFamily``.

        Raises:
            NoSuchColumnFamily: The table has none of that name. TableNotFound, TableNotDisabled.
        """
        schema = self.describe(name)
        if as_bytes(family) not in schema.families:
            raise _no_family(schema, as_bytes(family), "change")
        self.alter_table(name, families={as_bytes(family): settings})

    def delete_family(self, name: str, family: str | bytes) -> None:
        """Removes a family with its data. Source: HBase's ``Admin.deleteColumnFamily``.

        Raises:
            NoSuchColumnFamily: The table has none of that name. TableNotFound, TableNotDisabled.
        """
        self.alter_table(name, remove=[family])

    def enable_table(self, name: str) -> None:
        """Lets a disabled table take reads and writes. Raises `TableNotDisabled` where it does already."""
        self._native.set_enabled(name, True)

    def disable_table(self, name: str) -> None:
        """Refuses reads and writes of the table until it is enabled again; its data stays.

        Raises:
            TableNotEnabled: It is disabled already.
        """
        self._native.set_enabled(name, False)

    def is_enabled(self, name: str) -> bool:
        """Whether the table takes reads and writes. Raises `TableNotFound`."""
        return self._native.is_enabled(name)

    def drop_table(self, name: str, *, force: bool = False) -> None:
        """Removes a disabled table and its data; with ``force=True`` disables it first.

        Raises:
            TableNotDisabled: It is enabled. TableNotFound: There is none. Constraint: An observer forbids it, or it has
            indexes; it stays as it was.
        """
        was_enabled = force and self._native.is_enabled(name)
        if was_enabled:
            self._native.set_enabled(name, False)
        try:
            self._native.drop_table(name)
        except Constraint:
            # An observer's veto, or an index that hangs on it.
            if was_enabled:
                self._native.set_enabled(name, True)
            raise

    def truncate_table(self, name: str, *, preserve_splits: bool = False) -> None:
        """Removes the data of a disabled table, and its regions unless ``preserve_splits``; it is enabled afterwards.

        Source: HBase's ``truncate_preserve``, which leaves the table enabled.
        """
        self._native.truncate_table(name, preserve_splits)
        if not self._native.is_enabled(name):
            self._native.set_enabled(name, True)

    def exists(self, name: str) -> bool:
        """Whether there is a table of that name."""
        wanted = self._native.canonical_name(name)
        return wanted in self._native.tables(wanted.partition(":")[0] if ":" in wanted else "default")

    def tables(self, namespace: str | None = None) -> list[str]:
        """The names of all tables, or of those in ``namespace``, in order."""
        if namespace is not None:
            self._check_namespace(namespace)
        return self._native.tables(namespace)

    def namespace_tables(self, namespace: str) -> list[str]:
        """The names of the tables in ``namespace``, in order. Raises `NamespaceNotFound`."""
        return self.tables(namespace)

    def describe(self, name: str) -> TableSchema:
        """The table's description. Raises `TableNotFound`."""
        return TableSchema.from_native(self._native.describe(name))

    def flush(self, name: str | None = None) -> None:
        """Writes the recent cells of a table, or of all tables, to files."""
        self._native.flush(name)

    def compact(self, name: str, family: str | bytes | None = None) -> None:
        """Merges some files of a table, or of one family, where that pays.

        On a cluster it returns when no compaction of the table's regions is queued or under way.
        """
        self._native.compact(name, family, False)

    def major_compact(self, name: str, family: str | bytes | None = None) -> None:
        """Merges all files of each store into one and drops what is deleted, expired or over the number of versions.

        As in HBase this can change what reads return: a deleted version no longer hides nothing older.
        """
        self._native.compact(name, family, True)

    def regions(self, name: str) -> list[RegionInfo]:
        """The table's regions, in the order of their start keys."""
        return [RegionInfo(*parts) for parts in self._native.regions(name)]

    def split_keys(self, name: str) -> list[bytes]:
        """The keys at which the table is split: the start keys of its regions but the first. Raises `TableNotFound`."""
        return [region.start_key for region in self.regions(name)][1:]

    def locate_region(self, name: str, row: str | bytes) -> RegionPlace:
        """The region that holds ``row``, with its server on a cluster. Raises `TableNotFound`."""
        key = as_bytes(row)
        return [place for place in self.region_places(name) if place.region.start_key <= key][-1]

    def clone_table_schema(self, name: str, new_name: str, *, preserve_splits: bool = True) -> None:
        """Makes an empty table with the families, attributes and settings of another, and its regions if wanted.

        Raises:
            TableNotFound, TableExists, NamespaceNotFound, QuotaExceeded: Nothing was made.

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
        """The table's files."""
        return [StoreFileInfo(*parts) for parts in self._native.store_files(name)]

    def bulk_load(
        self,
        name: str,
        files: Mapping[str, Iterable[str | os.PathLike[str]]] | Mapping[bytes, Iterable[str | os.PathLike[str]]],
    ) -> list[StoreFileInfo]:
        """The store files that came of files made elsewhere: HFiles of HBase, `rowstone.hfile.write` or an export.

        Args:
            files: Paths by family. They are copied, and stay. A file that spans regions is cut.

        Each region takes all of its files at once: no reader sees some of them. At equal timestamps their cells hide
        what was written before, and are hidden by what is written later; sequence ids within the files do not count.
        The order of files within one call says nothing: load them one after the other where one cell is in several.

        Raises:
            NoSuchColumnFamily, CorruptionError, StorageError; InvalidArgument for a file of another family: nothing was
            changed. (HBase loads region by region, and may stop halfway.)

        Source: HBase's ``BulkLoadHFiles``.
        """
        pairs = [(as_bytes(family), os.fspath(path)) for family, paths in files.items() for path in paths]
        return [StoreFileInfo(*parts) for parts in self._native.bulk_load(name, pairs)]

    def export_hfiles(self, name: str, directory: str | os.PathLike[str]) -> list[StoreFileInfo]:
        """New files ``directory/<family>/<file>`` with the table's cells, which HBase's bulk load and `bulk_load` take.

        There is one for each region and family that has cells; each region's are of one moment. They hold what a
        compaction would keep: all versions that reads can see, and delete markers.

        Source: HBase's ``HFileOutputFormat2``, whose layout this is.
        """
        return [StoreFileInfo(*parts) for parts in self._native.export_files(name, new_directory(directory))]

    def backup(self, out: str | os.PathLike[str]) -> BackupReport:
        """Copies the database as of one moment into the new directory ``out``, while others go on writing.

        The copy holds everything that was acknowledged before the call, in whole rows, and of what is written meanwhile
        a first part, in the log's order. Store files and logs are shared with the database (hard links) where ``out``
        is on the same disk; they never change, so that neither harms the other. Tables are not made, changed or dropped
        meanwhile. `rowstone.restore` brings the copy back, and it can be opened as it is.

        Raises:
            InvalidArgument: ``out`` is not empty. ReadOnly: The database was opened so.
            DiskFull, StorageError: ``out`` holds a piece, and cannot be opened.

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
        """Numbers of a table, or of the database: files, bytes, cache hits, open scanners, …"""
        return Stats(self._native.statistics(name))

    def enable_table_replication(self, name: str) -> None:
        """Lets a table's changes go to the peers; those that lack the table get it. Of a cluster only.

        Source: HBase's ``Admin.enableTableReplication``.

        Raises:
            InvalidArgument: There is no peer, or one has a table of that name which differs.
            TableNotFound.
        """
        from rowstone._admin.table_replication import enable  # connects to others: not for everybody

        enable(self, name)

    def normalize(
        self, tables: Iterable[str] | None = None, *, regex: str | None = None, namespace: str | None = None
    ) -> bool:
        """Splits and merges regions of odd sizes; whether that began. In a directory it is done when the call returns.

        Only of tables with NORMALIZATION_ENABLED: a region more than twice as large as wanted is split, old neighbours
        that together are no larger are merged. Wanted is NORMALIZER_TARGET_REGION_SIZE_MB, or what makes
        NORMALIZER_TARGET_REGION_COUNT regions, or the average. Sources: HBase's ``Admin.normalize``,
        ``SimpleRegionNormalizer``.

        Args:
            tables: Only these; names of none are passed over.
            regex: Only tables whose whole name matches. namespace: Only those of it.
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
        """Which ranges of a table's keys were read and written through this database, and when, since it was opened.

        A handle on a cluster counts what it does itself; `rowstone.heat.watch` asks the servers what all do. The table
        need not exist any more there; in a directory raises `TableNotFound`.
        """
        from rowstone.heat._map import heat_map, windows_of

        reads, writes = self._cluster.heat(name)
        return heat_map(name, windows_of(reads), windows_of(writes))

    def _was_used(self, name: str) -> bool:
        """Whether the table was read or written since the database was opened."""
        return any(self._cluster.heat(name))

    def store_stats(self, name: str | None = None) -> StoreReport:
        """Numbers of each family of each region, of a table or of all: memory, files, indexes, requests, cache, debt.

        On a cluster there is one entry for each region, as its server last reported it. Source: HBase's
        ``Admin.getRegionMetrics``. Raises `TableNotFound`.
        """
        return stores_of(self._cluster, self.tables() if name is None else [name])


def _no_family(schema: TableSchema, family: bytes, action: str) -> NoSuchColumnFamily:
    return NoSuchColumnFamily(f"table '{schema.name}' has no family '{printable(family)}' to {action}")


def _merge(old: Family | None, argument: Any) -> Family:
    """The family that ``argument`` makes of ``old``."""
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
    """The attributes that ``argument`` names, with their values also where those are HBase's defaults."""
    from rowstone._base.schema import _TYPED, ttl_seconds

    attributes = change.to_attributes()
    for field_name, hbase_name, _ in _TYPED:
        if field_name in argument or hbase_name in argument:
            value = getattr(change, field_name)
            if field_name == "ttl":
                value = "FOREVER" if value is None else ttl_seconds(value)
            attributes[hbase_name] = as_text(1 if value is None else value)
    return attributes
