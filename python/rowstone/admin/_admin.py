"""Administration of a database: tables themselves, and areas for everything else."""

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base.remote.folder import StorageOptions, is_url
from rowstone._base.schema import FamiliesArgument, TableSchema
from rowstone._base.targets import MEMORY, new_directory
from rowstone.admin._area import Area
from rowstone.admin._areas.groups import Groups
from rowstone.admin._areas.labels import Labels
from rowstone.admin._areas.logs import Logs
from rowstone.admin._areas.master import Master
from rowstone.admin._areas.metrics import Metrics
from rowstone.admin._areas.namespaces import Namespaces
from rowstone.admin._areas.permissions import Permissions
from rowstone.admin._areas.quotas import Quotas
from rowstone.admin._areas.regions import Regions
from rowstone.admin._areas.replication import Replication
from rowstone.admin._areas.servers import Servers
from rowstone.admin._areas.snapshots import Snapshots, check_name
from rowstone.admin._areas.switches import Switches
from rowstone.admin._areas.tables import Tables
from rowstone.admin._backup import BackupReport, refuse_names, send
from rowstone.admin._descriptors import alter, change_attributes, create, describe
from rowstone.admin._maintenance import Progress
from rowstone.errors import ConstraintViolation, InvalidArgument, InvalidType, TableExists
from rowstone.splits import SplitsArgument

if TYPE_CHECKING:
    from rowstone._core.database import Database

_log = logging.getLogger("rowstone")


class Admin:
    """Administration. Every call returns when its work is done. Returned by `Database.admin`.

    Its own methods create, alter and drop tables, flush and compact them, take snapshots and backups. Everything else
    is in an area:

    - ``tables``: list, families, store files, bulk load, export.
    - ``regions``: list, locate, split, merge, move, compact, balance.
    - ``snapshots``: list, clone, restore, delete, export, import.
    - ``namespaces``: list, create, alter, drop.
    - ``permissions``: grant, revoke, list; ``labels``: visibility labels of cells.
    - ``quotas``: limits on requests and on space.
    - ``metrics``: statistics, loads, heat maps.
    - ``switches``: the balancer, splits, merges and other background work, on or off.

    Of clusters only: ``servers``, ``master``, ``groups`` of servers, ``replication``, and ``logs`` of slow calls.

    Ctrl-C stops waiting for a long call (flush, compaction, schema change) at once; the work itself continues.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.admin.create_table("t", {"f": rs.Family(max_versions=3)}, splits=["m"])
        ...     print([region.start_key for region in db.admin.regions.list("t")])
        [b'', b'm']
    """

    def __init__(
        self, native: _native.Admin, cluster: _native.ClusterAdmin, path: str = MEMORY, owner: "Database | None" = None
    ) -> None:
        self._native = native
        self._path = path
        self.tables = Tables(native, cluster, is_cluster="://" in path and path.startswith("hbase"))
        self.regions = Regions(native, cluster)
        self.snapshots = Snapshots(native, cluster)
        self.namespaces = Namespaces(native, cluster)
        self.permissions = Permissions(native, cluster)
        self.labels = Labels(native, cluster)
        self.quotas = Quotas(native, cluster)
        self.metrics = Metrics(native, cluster)
        self.switches = Switches(native, cluster)
        self.servers = Servers(native, cluster)
        self.master = Master(native, cluster)
        self.groups = Groups(native, cluster)
        self.replication = Replication(native, cluster)
        self.logs = Logs(native, cluster)
        self._cluster = cluster
        # The database, which must not be closed by garbage collection while its administration is in use.
        self._owner = owner
        for area in [one for one in vars(self).values() if isinstance(one, Area)]:
            area._owner = owner

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
        try:
            create(self._native, name, families, splits, attributes, configuration)
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

        Changes that others make at the same time are kept. In a cluster, HBase's master only takes care of that for a
        change of one family; any other replaces the whole descriptor.

        Args:
            families: Families to add or change. A `Family` replaces the old descriptor (``max_versions=None`` keeps
                the old number); a mapping changes only the settings that it names, as HBase's shell does.
            remove: Families to remove, with their data.
            attributes, configuration: Settings to change; None removes a setting.

        Raises:
            TableNotFound, NoSuchColumnFamily (in ``remove``), TableNotDisabled (with online schema change off).
        """
        alter(
            self._native,
            name,
            families=families,
            remove=remove,
            attributes=attributes,
            configuration=configuration,
        )

    def _change_attributes(self, name: str, changes: Callable[[TableSchema], Mapping[str, Any]]) -> None:
        change_attributes(self._native, name, changes, is_cluster=self.tables._is_cluster)

    def describe(self, name: str) -> TableSchema:
        """Return the table's descriptor. Raises `TableNotFound`."""
        return describe(self._native, name)

    def enable_table(self, name: str) -> None:
        """Enable a disabled table for reads and writes. Raises `TableNotDisabled` if it is enabled already."""
        self._native.set_enabled(name, True)

    def disable_table(self, name: str) -> None:
        """Disable a table: reads and writes are refused until it is enabled again. Its data stays.

        Raises:
            TableNotEnabled: The table is disabled already.
        """
        self._native.set_enabled(name, False)

    def drop_table(self, name: str, *, force: bool = False) -> None:
        """Remove a disabled table and its data; with ``force=True`` disable it first.

        Raises:
            TableNotDisabled: The table is enabled.
            TableNotFound: There is no such table.
            ConstraintViolation: An observer forbids it, or the table has indexes; the table is unchanged.
        """
        was_enabled = force and self._native.is_enabled(name)
        if was_enabled:
            self._native.set_enabled(name, False)
        try:
            self._native.drop_table(name)
        except ConstraintViolation:
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

    def snapshot(
        self, snapshot: str, table: str, *, flush: bool = True, ttl_seconds: int | timedelta | None = None
    ) -> None:
        """Take a snapshot of ``table``; with ``flush=False`` leave out cells that are only in memory.

        Args:
            ttl_seconds: Seconds, or a `timedelta`, after which the snapshot expires.

        Returns when it is complete. Raises `SnapshotExists`, `TableNotFound`, `InvalidName`.
        """
        seconds = int(ttl_seconds.total_seconds()) if isinstance(ttl_seconds, timedelta) else ttl_seconds
        if seconds is not None and not isinstance(seconds, int):
            raise InvalidType(f"ttl_seconds must be an int or a timedelta, not {type(seconds).__name__}")
        if seconds is not None and seconds <= 0:
            raise InvalidArgument(f"ttl_seconds {seconds} is not positive")
        check_name(snapshot)
        self._cluster.take_snapshot(snapshot, table, flush, seconds or 0)

    def backup(
        self,
        out: str | os.PathLike[str],
        *,
        name: str | None = None,
        storage_options: StorageOptions = None,
        progress: Progress | None = None,
    ) -> BackupReport:
        """Copy the database as of one moment into the new directory ``out``, while others go on writing.

        The copy contains everything acknowledged before the call, in whole rows. Of writes during the call it contains
        those up to some point in the log's order. Where ``out`` is on the same disk, store files and logs are shared
        with the database as hard links. They never change, so neither side can harm the other. Creating, altering and
        dropping tables waits meanwhile. `rowstone.restore` restores the copy, which can also be opened as it is.

        If ``out`` is a folder in an object store, such as ``s3://bucket/backups/shop``, a copy by hard links is made
        next to the database, uploaded, and removed: see `rowstone.backup`.

        Args:
            name: Name of the backup in an object store; by default the time in UTC and a random number.
            storage_options: Options of the object store, as for `rowstone.open_root`.
            progress: Called during the upload with the file, the bytes done, and the total bytes.

        Raises:
            InvalidArgument: ``out`` is not empty.
            ExistsError: The object store has a backup of that name.
            ReadOnly: The database was opened read-only.
            DiskFull, StorageError: The incomplete copy was removed.

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
        if is_url(out):
            place = None if self._path == MEMORY or is_url(self._path) else self._path
            return send(out, place, lambda staged: self._native.backup(staged)[2], name, storage_options, progress)
        refuse_names(out, name, storage_options)
        target = new_directory(out)
        return BackupReport(target, *self._native.backup(target))

    def __repr__(self) -> str:
        own = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        areas = ", ".join(name for name in vars(self) if not name.startswith("_"))
        return f"<db.admin: {own}; areas: {areas}; see help(db.admin)>"
