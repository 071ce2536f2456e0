"""Snapshots of tables: list, clone, restore, delete, export, import."""

from __future__ import annotations

import builtins
import os
from dataclasses import dataclass

from rowstone import _native
from rowstone._base.printable import printable_text
from rowstone._base.remote.files import local_folder, send_files
from rowstone._base.remote.folder import StorageOptions, is_url, open_folder
from rowstone._base.targets import local_path, new_directory
from rowstone.admin._area import Area
from rowstone.errors import InvalidName, InvalidType, SnapshotExists, SnapshotNotFound

_DESCRIPTION = ".snapshotinfo"
_MOST_SHOWN = 32


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


class Snapshots(Area):
    """Snapshots of tables: ``db.admin.snapshots``. `Admin.snapshot` takes one.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.admin.snapshot("monday", "t")
        ...     db.admin.snapshots.clone("monday", "t_of_monday")
        ...     print([found.name for found in db.admin.snapshots.list()], db.tables())
        ['monday'] ['t', 't_of_monday']
    """

    def list(self) -> builtins.list[Snapshot]:
        """Return all snapshots, sorted by name."""
        return [Snapshot(*parts) for parts in self._cluster.snapshots()]

    def clone(self, snapshot: str, table: str) -> None:
        """Create the table ``table`` from a snapshot. Raises `SnapshotNotFound`, `TableExists`."""
        _refuse_paths(snapshot)
        self._cluster.clone_snapshot(snapshot, table)

    def restore(self, snapshot: str) -> None:
        """Reset the disabled table of a snapshot to the state of the snapshot; its present data is lost.

        Raises:
            SnapshotNotFound, TableNotFound.
            TableNotDisabled: Disable the table first.
        """
        self._cluster.restore_snapshot(snapshot)

    def delete(self, snapshot: str) -> None:
        """Delete a snapshot. Tables cloned from it keep their data. Raises `SnapshotNotFound`."""
        _refuse_paths(snapshot)
        self._cluster.delete_snapshot(snapshot)

    def export(
        self, snapshot: str, directory: str | os.PathLike[str], *, storage_options: StorageOptions = None
    ) -> None:
        """Export a snapshot to ``directory`` in the layout of HBase's ``ExportSnapshot``; HBase can clone it there.

        Its files are copied to ``archive/data/…``, their list is written to ``.hbase-snapshot``. Works for directories
        only: export a cluster's snapshots with HBase's own tool.

        ``directory`` may be in an object store: ``s3://bucket/hbase``. The files are then written among the temporary
        files and uploaded, the snapshot's description last. Files that are there already are not sent again.

        Raises:
            SnapshotNotFound.
            SnapshotExists: ``directory`` has a snapshot of that name.
            StorageError: A file cannot be written. What was written stays, but is not a valid snapshot.
        """
        if not is_url(directory):
            self._cluster.export_snapshot(snapshot, new_directory(directory))
            return
        folder, place = open_folder(directory, storage_options), f".hbase-snapshot/{snapshot}"
        if any(name == _DESCRIPTION for name, _, _ in folder.list_files(place)):
            raise SnapshotExists(f"{os.fspath(directory)} has a snapshot '{snapshot}' already")
        with local_folder() as local:
            self._cluster.export_snapshot(snapshot, str(local))
            send_files(folder, local, f"{place}/{_DESCRIPTION}", immutable="archive/")

    def import_from(
        self, snapshot: str, directory: str | os.PathLike[str], *, storage_options: StorageOptions = None
    ) -> None:
        """Import a snapshot that HBase's ``ExportSnapshot`` or `export` wrote into ``directory``.

        Its files are copied; clone the snapshot to get a table. ``directory`` may also be an HBase root directory.
        Works for directories only.

        ``directory`` may also be a URL of `rowstone.open_root`. Its files are then fetched into temporary files first.

        Raises:
            SnapshotNotFound: ``directory`` has no snapshot of that name.
            SnapshotExists: The database has one of that name.
            InvalidArgument: The snapshot has large cells in MOB files, or cannot be made into a table.
            StorageError: A file is missing or damaged. Nothing was changed.
        """
        if not is_url(directory):
            self._cluster.import_snapshot(snapshot, local_path(directory))
            return
        with local_folder() as local:
            _native.fetch_snapshot(os.fspath(directory), dict(storage_options or {}), snapshot, str(local))
            self._cluster.import_snapshot(snapshot, str(local))


def check_name(snapshot: str) -> None:
    """Refuse a name that no snapshot can have. HBase's master does not: it takes ``../x`` for a path.

    Raises:
        InvalidName: The rules are those of table names without a namespace.
        InvalidType: It is not a str.
    """
    if not isinstance(snapshot, str):
        raise InvalidType(f"the name of a snapshot is a str, not {type(snapshot).__name__}")
    try:
        _native.Admin.canonical_name(f"default:{snapshot}")
    except InvalidName as error:
        reason = str(error).partition(" is not legal: ")[2]
        raise InvalidName(f"snapshot name '{_shorten(snapshot)}' is not legal: {reason}") from None


def _refuse_paths(snapshot: str) -> None:
    try:
        check_name(snapshot)
    except InvalidName as error:
        raise SnapshotNotFound(f"there is no snapshot '{_shorten(snapshot)}': {error}") from None


def _shorten(snapshot: str) -> str:
    return printable_text(snapshot if len(snapshot) <= _MOST_SHOWN else f"{snapshot[:_MOST_SHOWN]}…")
