"""Backup and restore: of directories that no process has open, of servers by URL, and in object stores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from rowstone import _native
from rowstone._base.options.checks import as_list
from rowstone._base.printable import counted_all
from rowstone._base.remote.download import download
from rowstone._base.remote.folder import StorageOptions, is_url, open_folder
from rowstone._base.remote.lists import list_names, read_list
from rowstone._base.remote.prune import PruneReport, prune
from rowstone._base.remote.staging import staging
from rowstone._base.remote.upload import new_name, upload
from rowstone._base.targets import local_path, new_directory
from rowstone._core.cluster import refuse
from rowstone.admin._maintenance import Progress, with_lock_hint
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.cluster import ClusterOptions

Target = str | os.PathLike[str]


@dataclass(frozen=True)
class BackupReport:
    """Contents of a backup or restored database; ``linked_bytes`` of its ``size_bytes`` are shared with the source.

    In an object store, ``name`` is the backup's name, and ``linked_bytes`` were there already: the rest was sent.
    """

    path: str
    store_files: int
    logs: int
    size_bytes: int
    linked_bytes: int
    name: str = ""

    def __str__(self) -> str:
        files = counted_all((self.store_files, "store file"), (self.logs, "log"))
        place = f"backup {self.name} in {self.path}" if self.name else self.path
        return f"{place}: {files}, {self.size_bytes:,} bytes, {self.linked_bytes:,} of them shared"

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        names = ("store_files", "logs", "size_bytes", "linked_bytes")
        lines = [(name.replace("_", " "), f"{getattr(self, name):,}") for name in names]
        return table_html(("copied", "count"), lines, f"copy in {self.path}")


@dataclass(frozen=True)
class Backup:
    """A complete backup in an object store; ``created_ms`` is the store's time when it became complete."""

    name: str
    created_ms: int
    store_files: int
    logs: int
    size_bytes: int


def backup(
    source: Target,
    out: Target,
    *,
    name: str | None = None,
    storage_options: StorageOptions = None,
    progress: Progress | None = None,
    **cluster: Unpack[ClusterOptions],
) -> BackupReport:
    """Copy a database that no process has open into the new directory ``out``, by hard links where possible.

    `Admin.backup` does the same for a database that this process has open, while it is written to. If ``source`` is the
    URL of a server or a cluster, its tables are copied while others go on writing. Each table is copied from a
    snapshot, cell by cell, with old versions and delete markers. A snapshot captures whole rows, but regions one after
    another. This needs the ADMIN permission. Permissions, quotas and snapshots are not copied.

    If ``out`` is a folder in an object store, such as ``s3://bucket/backups/shop``, the backup is added to those that
    are there. Only what none of them has is sent. After an interruption the same call continues. The backup is listed
    when all of it is there.

    Args:
        name: Name of the backup in an object store; by default the time in UTC and a random number.
        storage_options: Options of the object store, as for `open_root`.
        progress: Called with the progress; for the URL of a server with tables instead of files and bytes.
        cluster: For the URL of a server, the options of `rowstone.connect`.

    Raises:
        DatabaseLocked: A process has it open for writing.
        CorruptionError: A file is missing or has the wrong length.
        InvalidArgument: ``out`` is not empty, or within ``source``.
        ExistsError: The object store has a backup of that name.
        RetryError: Old backups are being removed from the object store.
        ConnectionFailed: No server answers at the URL.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect("db-to-copy") as db:
        ...     _ = db.create_table("t", ["f"])
        >>> rs.backup("db-to-copy", "db-copy").logs
        1
    """
    origin = os.fspath(source)
    if is_url(out):
        place = None if is_url(origin) else origin
        return send(
            out, place, lambda staged: backup(origin, staged, **cluster).size_bytes, name, storage_options, progress
        )
    refuse_names(out, name, storage_options)
    target = new_directory(out)
    if is_url(origin):
        from rowstone.jobs.copies._backup import backup_url

        return BackupReport(*backup_url(origin, out, progress=progress, **cluster))
    refuse(origin, "a directory", cluster)
    return BackupReport(target, *with_lock_hint(origin, lambda: _native.copy_directory(origin, target, True, progress)))


def restore(
    backup: Target,
    directory: Target,
    *,
    name: str | None = None,
    storage_options: StorageOptions = None,
    progress: Progress | None = None,
) -> BackupReport:
    """Copy a backup to the new directory ``directory``, byte by byte. No file is shared with the backup.

    If ``backup`` is a folder in an object store, the newest backup there is restored, or the one called ``name``. All
    bytes are compared with their checksums. After an interruption the same call continues. Until the end,
    ``directory`` cannot be opened. Of a backup in a directory, the same call starts over.

    Raises:
        NotADatabase: ``backup`` has no manifest: the backup did not finish.
        NotFoundError: The object store has no such backup.
        CorruptionError: A file of the backup is missing or damaged.
        InvalidArgument: ``directory`` is not empty, or within ``backup``.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect("db-first") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     _ = db.admin.backup("db-kept")
        >>> _ = rs.restore("db-kept", "db-second")
        >>> with rs.connect("db-second") as db:
        ...     print(db.tables())
        ['t']
    """
    source, target = local_path(backup), new_directory(directory)
    if is_url(source):
        found = download(open_folder(source, storage_options), source, name, Path(target), progress)
        return BackupReport(target, found.store_files, found.logs, found.size_bytes, 0, found.name)
    refuse_names(backup, name, storage_options)
    return BackupReport(
        target, *with_lock_hint(source, lambda: _native.copy_directory(source, target, False, progress))
    )


def list_backups(url: Target, *, storage_options: StorageOptions = None) -> list[Backup]:
    """List the complete backups in a folder of an object store, oldest first.

    Raises:
        CorruptionError: The list of a backup is damaged.
    """
    folder = open_folder(url, storage_options)
    found = []
    for created_ms, name in list_names(folder):
        known = read_list(folder, name)
        found.append(Backup(name, created_ms, known.store_files, known.logs, known.size_bytes))
    return found


def prune_backups(
    url: Target, *, keep: int | None = None, remove: Iterable[str] = (), storage_options: StorageOptions = None
) -> PruneReport:
    """Remove old backups from a folder of an object store, and what only they, or killed backups, had sent.

    Args:
        keep: Number of newest backups that stay; by default all.
        remove: Names of backups to remove.

    Raises:
        NotFoundError: There is no backup of a name.
        RetryError: A backup is in progress, or was killed less than an hour ago.
        CorruptionError: The list of a backup that stays is damaged. Nothing was removed.
    """
    names = as_list("remove", remove)
    return prune(open_folder(url, storage_options), keep, names)


def send(
    url: Target,
    database: str | None,
    copy: Callable[[str], int],
    name: str | None,
    storage_options: StorageOptions,
    progress: Progress | None,
) -> BackupReport:
    """Make a local copy, next to the directory ``database`` if there is one, and upload it.

    ``copy`` makes it in a directory, and returns its bytes.
    """
    folder, name = open_folder(url, storage_options), new_name() if name is None else name
    with staging(database) as staged:
        size_bytes = copy(str(staged))
        done, sent = upload(staged, folder, name, progress, size_bytes)
    counts = (done.store_files, done.logs, done.size_bytes)
    return BackupReport(os.fspath(url), *counts, done.size_bytes - sent, name)


def refuse_names(out: Target, name: str | None, storage_options: StorageOptions) -> None:
    """Raise `InvalidArgument` if an option of object stores is given for a directory."""
    given = {"name": name, "storage_options": storage_options}
    if wrong := [option for option, value in given.items() if value]:
        raise InvalidArgument(f"{wrong[0]} is for object stores such as s3://, and '{os.fspath(out)}' is a directory")
