"""Backup of a served database or a cluster through its URL: every table is read from a snapshot."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Unpack

from rowstone._base.targets import empty_place, new_directory
from rowstone._core.connect import connect
from rowstone.errors import NotFoundError
from rowstone.jobs.copies._copy import copy_table

if TYPE_CHECKING:
    from rowstone._core.cluster import ClusterOptions
    from rowstone._core.database import Database

Progress = Callable[[str, int, int], None]
_SYSTEM = ("hbase", "default")


def backup_url(
    url: str, out: str | os.PathLike[str], *, progress: Progress | None = None, **cluster: Unpack[ClusterOptions]
) -> tuple[str, int, int, int, int]:
    """Copy all tables of a running server or cluster into the new directory ``out``; see `rowstone.backup`.

    Returns the path and the numbers of a `rowstone.BackupReport`.
    """
    path = new_directory(out)
    target = empty_place(path)
    partial = target.with_name(f"{target.name}.partial-{secrets.token_hex(4)}")
    try:
        with connect(url, **cluster) as source, connect(partial) as copy:
            _copy_all(source, copy, progress)
            copy.admin.flush()
            store_files = sum(len(copy.admin.tables.store_files(name)) for name in copy.tables())
        if target.exists():
            target.rmdir()
        # After kill -9 an incomplete backup has the other name.
        partial.rename(target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    sizes = [file.stat().st_size for file in target.rglob("*") if file.is_file()]
    logs = sum(1 for file in (target / "WALs").iterdir() if file.is_file())
    return path, store_files, logs, sum(sizes), 0


def _copy_all(source: Database, copy: Database, progress: Progress | None) -> None:
    """Copy the namespaces, and of each table its snapshot. All snapshots are taken before the first is read."""
    for namespace in source.admin.namespaces.list():
        if namespace not in _SYSTEM:
            copy.admin.namespaces.create(namespace, source.admin.namespaces.describe(namespace))
    names = [name for name in source.tables() if not name.startswith("hbase:")]
    mark = f"rowstone-backup-{secrets.token_hex(4)}"
    with _snapshots(source, names, mark) as snapshots:
        for number, (name, snapshot) in enumerate(snapshots.items()):
            if progress is not None:
                progress(name, number, len(names))
            _copy_one(source, name, snapshot, copy)


@contextmanager
def _snapshots(source: Database, names: list[str], mark: str) -> Iterator[dict[str, str]]:
    """Take a snapshot of each table and yield their names by table; they are removed at the end."""
    taken: dict[str, str] = {}
    try:
        for number, name in enumerate(names):
            source.admin.snapshot(f"{mark}-{number}", name)
            taken[name] = f"{mark}-{number}"
        yield taken
    finally:
        for snapshot in taken.values():
            source.admin.snapshots.delete(snapshot)


def _copy_one(source: Database, name: str, snapshot: str, copy: Database) -> None:
    """Clone a snapshot on the source, copy the clone's cells, and drop it again."""
    namespace, colon, _ = name.partition(":")
    clone = f"{namespace}{colon}{snapshot}" if colon else snapshot
    source.admin.snapshots.clone(snapshot, clone)
    try:
        schema = source.admin.describe(clone)
        splits = [region.start_key for region in source.admin.regions.list(clone) if region.start_key]
        copy.create_table(name, schema.families, splits=splits)
        # The order of writes, which decides on deletes in such families, cannot be copied; visible cells can.
        deletes = not any(family.new_version_behavior for family in schema.families.values())
        copy_table(source, clone, copy, name, deletes=deletes)
        # Last: a table may be read-only, or have observers.
        _describe(copy, name, {"attributes": schema.attributes, "configuration": schema.configuration})
        if not source.admin.tables.is_enabled(name):
            copy.admin.disable_table(name)
    finally:
        with suppress(NotFoundError):
            source.admin.drop_table(clone, force=True)


def _describe(copy: Database, name: str, wanted: dict[str, Any]) -> None:
    if any(wanted.values()):
        copy.admin.alter_table(name, **wanted)
