"""Tables: their families, files and copies."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rowstone import _native
from rowstone._base.options.checks import as_list
from rowstone._base.printable import printable
from rowstone._base.remote.files import SUCCESS, local_folder, send_files
from rowstone._base.remote.folder import StorageOptions, is_url, open_folder
from rowstone._base.schema import FamilyArgument, TableSchema, as_bytes
from rowstone._base.targets import local_path, new_directory
from rowstone.admin._area import Area, packed, region, table
from rowstone.admin._areas.namespaces import check_namespace
from rowstone.admin._areas.regions import Regions
from rowstone.admin._bulk_load import BulkLoad
from rowstone.admin._descriptors import alter, create, describe, no_family
from rowstone.admin._incoming_files import IncomingFile
from rowstone.errors import ExistsError, InvalidArgument, NamespaceNotFound, TableNotFound


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


@dataclass(frozen=True)
class CacheEviction:
    """Result of clearing block caches: evicted blocks, capacity in bytes, encoded names of failed regions."""

    evicted_blocks: int
    max_cache_bytes: int
    failed_regions: list[str]


class Tables(Area):
    """Tables: ``db.admin.tables``. `Admin` itself creates, alters, enables and drops them.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.admin.tables.add_family("t", "g", rs.Family(max_versions=3))
        ...     db.admin.tables.clone_schema("t", "u")
        ...     print(db.admin.tables.list(), list(db.admin.describe("u").families))
        ['t', 'u'] [b'f', b'g']
    """

    def __init__(self, native: _native.Admin, cluster: _native.ClusterAdmin, *, is_cluster: bool = False) -> None:
        super().__init__(native, cluster)
        self._is_cluster = is_cluster

    def list(self, namespace: str | None = None) -> builtins.list[str]:
        """Return the names of all tables, or of those in ``namespace``, sorted."""
        if namespace is not None:
            check_namespace(self._native, namespace)
        return self._native.tables(namespace)

    def exists(self, name: str) -> bool:
        """Whether there is a table of that name, also if the user has no permission for it, as in HBase. False if its
        namespace is missing."""
        try:
            self._native.is_enabled(name)
        except (TableNotFound, NamespaceNotFound):
            return False
        return True

    def is_enabled(self, name: str) -> bool:
        """Whether the table is enabled for reads and writes. Raises `TableNotFound`."""
        return self._native.is_enabled(name)

    def clone_schema(self, name: str, new_name: str, *, preserve_splits: bool = True) -> None:
        """Create an empty table with the families, attributes and settings of another, by default also its splits.

        Raises:
            TableNotFound, TableExists, NamespaceNotFound, QuotaExceeded: Nothing was created.

        Source: HBase's ``Admin.cloneTableSchema``.
        """
        schema = describe(self._native, name)
        splits = Regions(self._native, self._cluster).split_keys(name) if preserve_splits else None
        create(self._native, new_name, schema.families, splits, schema.attributes, schema.configuration)

    def add_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None:
        """Add a family to a table. Source: HBase's ``Admin.addColumnFamily``.

        Raises:
            InvalidArgument: The table has a family of that name. TableNotFound, TableNotDisabled.
        """
        key = as_bytes(family)

        def check(schema: TableSchema) -> None:
            if key in schema.families:
                shown = printable(key)
                raise InvalidArgument(f"table '{schema.name}' has a family '{shown}' already; modify_family changes it")

        alter(self._native, name, families={key: settings}, check=check)

    def modify_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None:
        """Change a family: a `Family` replaces its descriptor, a mapping changes only the settings that it names.

        Source: HBase's ``Admin.modifyColumnFamily``.

        Raises:
            NoSuchColumnFamily: The table has no family of that name. TableNotFound, TableNotDisabled.
        """
        key = as_bytes(family)

        def check(schema: TableSchema) -> None:
            if key not in schema.families:
                raise no_family(schema, key, "change")

        alter(self._native, name, families={key: settings}, check=check)

    def delete_family(self, name: str, family: str | bytes) -> None:
        """Remove a family with its data. Source: HBase's ``Admin.deleteColumnFamily``.

        Raises:
            NoSuchColumnFamily: The table has no family of that name. TableNotFound, TableNotDisabled.
        """
        alter(self._native, name, remove=[family])

    def store_files(self, name: str) -> builtins.list[StoreFileInfo]:
        """Return the table's store files."""
        return [StoreFileInfo(*parts) for parts in self._native.store_files(name)]

    def bulk_load(
        self,
        name: str,
        files: Mapping[str, Iterable[str | os.PathLike[str]]] | Mapping[bytes, Iterable[str | os.PathLike[str]]],
        *,
        move: bool = False,
        storage_options: StorageOptions = None,
    ) -> builtins.list[StoreFileInfo]:
        """Load HFiles into a table: files of HBase, of `rowstone.hfile.write` or of an export. Returns the new files.

        Args:
            files: Paths by family. The files are copied and left in place. A file that spans regions is split.
            move: Of a cluster, let the servers move the files instead of copying them, which takes less time. Files are
                copied nevertheless if they are in another file system than HBase's, and by ``rowstone serve``.
            storage_options: Of a cluster, for files in an object store or in HDFS, as for `rowstone.open_root`.

        Each region adds all of its files at once, so no reader sees only some of them. Of cells with equal timestamps,
        the loaded ones hide those written before and are hidden by those written later; sequence ids within the files
        are ignored. The order of files within one call has no meaning: if several files contain the same cell, load
        them one after the other.

        The servers of a cluster read the files themselves, at the paths given here: ``hdfs://…``, ``s3a://…``, or a
        path of this machine that the servers have too. The client's user (``user`` of `rowstone.connect`) must be
        allowed to read and write the files there. ``rowstone serve`` accepts files of its staging directory
        (``bulk_load_staging_dir``). Regions that move or split meanwhile are asked again. A cluster does not name the
        new files: ``path`` is the loaded file's, and ``max_sequence_id`` 0. HDFS with Kerberos needs a delegation
        token, which is not sent.

        Raises:
            NoSuchColumnFamily, CorruptionError, StorageError.
            InvalidArgument: A file of another family. Of a directory, also a file with references to MOB files.
            UnsupportedOperation: A file in an object store or in HDFS spans regions of a cluster.
            RemoteError, OperationTimeout: Of a cluster, which loads region by region: some regions may have their
                files. Load all of them again: the same cells once more change nothing.
            Otherwise nothing was changed.

        Source: HBase's ``BulkLoadHFiles``.

        Example:
            >>> import tempfile, rowstone as rs
            >>> with tempfile.TemporaryDirectory() as folder, rs.connect(":memory:") as db:
            ...     _ = rs.hfile.write(f"{folder}/new", [("row1", "f:q", 5, "value")])
            ...     _ = db.create_table("t", ["f"])
            ...     [file] = db.admin.tables.bulk_load("t", {"f": [f"{folder}/new"]})
            ...     print(file.entry_count, db.table("t").get("row1")["f:q"])
            1 b'value'
        """
        named = [(as_bytes(family), as_list("files", paths)) for family, paths in files.items()]
        pairs = [(family, os.fspath(path)) for family, paths in named for path in paths]
        if self._is_cluster:
            load = BulkLoad(self).load
            found = load(name, pairs, move=move, storage_options=storage_options)
            return [_loaded(encoded_name, file) for encoded_name, file in found]
        local = [(family, local_path(path)) for family, path in pairs]
        return [StoreFileInfo(*parts) for parts in self._native.bulk_load(name, local)]

    def export_hfiles(
        self, name: str, directory: str | os.PathLike[str], *, storage_options: StorageOptions = None
    ) -> builtins.list[StoreFileInfo]:
        """Write the table's cells to new files ``directory/<family>/<file>``, for HBase's bulk load and `bulk_load`.

        There is one file for each region and family with cells; the files of a region are of one moment. They contain
        what a compaction would keep: all versions that reads can see, and delete markers.

        ``directory`` may be in an object store: ``s3://bucket/out``. The files are then written among the temporary
        files and uploaded. All of them are there when the folder has ``_SUCCESS``.

        Raises:
            ExistsError: The folder is not empty. An import would also load the files that are there already.

        Source: HBase's ``HFileOutputFormat2``, which has the same layout.
        """
        if is_url(directory):
            url = os.fspath(directory).rstrip("/")
            folder = open_folder(url, storage_options)
            for place in ("", *(os.fsdecode(family) for family in describe(self._native, name).families)):
                if found := folder.list_files(place):
                    raise _not_empty(url, f"{place}/{found[0][0]}".lstrip("/"))
            with local_folder() as local:
                written = self.export_hfiles(name, local)
                send_files(folder, local, SUCCESS)
                names = [Path(file.path).relative_to(local).as_posix() for file in written]
                return [replace(file, path=f"{url}/{name}") for file, name in zip(written, names, strict=True)]
        target = new_directory(directory)
        if Path(target).is_dir() and (known := sorted(Path(target).iterdir())):
            raise _not_empty(target, known[0].name)
        return [StoreFileInfo(*parts) for parts in self._native.export_files(name, target)]

    def set_store_file_tracker(self, name: str, tracker: str, family: str | bytes | None = None) -> None:
        """Change the store file tracker of a table, or of one family: ``DEFAULT``, ``FILE``, ``MIGRATION``.

        Source: HBase's ``Admin.modifyTableStoreFileTracker``. Raises `TableNotFound`.
        """
        if family is None:
            self._master("ModifyTableStoreFileTracker", table_name=table(name), tracker=tracker)
        else:
            given = {"table_name": table(name), "family": packed(family), "tracker": tracker}
            self._master("ModifyColumnStoreFileTracker", **given)

    def clear_block_cache(self, name: str) -> CacheEviction:
        """Evict a table's blocks from all block caches. Source: HBase's ``Admin.clearBlockCache``.

        Raises `TableNotFound`.
        """
        places: dict[str, list[bytes]] = {}
        for info, place in self._cluster.region_locations(name):
            if place is not None:
                places.setdefault(place, []).append(info[5])
        blocks, limit, failed = 0, 0, []
        for place, names in places.items():
            stats = self._server(place, "ClearRegionBlockCache", region=[region(one) for one in names])["stats"]
            blocks += stats.get("evicted_blocks", 0)
            limit += stats.get("max_cache_size", 0)
            failed += [failure["region"]["value"] for failure in stats.get("exception", [])]
        return CacheEviction(blocks, limit, failed)


def _not_empty(folder: str, known: str) -> ExistsError:
    return ExistsError(f"'{folder}' has '{known}': choose another folder, or remove what an interrupted export left")


def _loaded(region: str, file: IncomingFile) -> StoreFileInfo:
    """A file that a region of a cluster has taken."""
    return StoreFileInfo(
        region, file.family, file.path, file.size_bytes, file.entry_count, 0, file.time_range, is_major=False
    )
