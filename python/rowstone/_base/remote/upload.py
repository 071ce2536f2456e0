"""Upload of a backup: the chunks that are not there, then the list."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone._base.remote import lists
from rowstone._base.remote.chunks import Chunk, chunks_of, digest_of, list_chunks, missing_from, object_of
from rowstone._base.remote.folder import check_name, in_parallel
from rowstone._base.remote.lists import BackupList, ListedFile
from rowstone._base.remote.marks import Mark, marked
from rowstone.errors import RetryError, StorageError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

Progress = Callable[[str, int, int], None]


def new_name() -> str:
    """Name a backup after the time, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H%M%SZ")


@dataclass
class Upload:
    """A directory on its way into a folder. ``there`` are the sizes of the chunks that the folder has."""

    folder: RemoteFolder
    mark: Mark
    there: dict[str, int]
    sent_bytes: int = 0

    def send(self, chunk: Chunk) -> tuple[Chunk, str, int]:
        """Send a chunk unless it is there; return its digest, and the number of bytes sent."""
        data = chunk.read()
        if len(data) != chunk.size:
            raise StorageError(f"'{chunk.path}' became shorter while it was read; back up again")
        digest = digest_of(data)
        if self.there.get(digest) == chunk.size:
            return chunk, digest, 0
        self.folder.put(object_of(digest), data, is_new=False)
        self.there[digest] = chunk.size
        return chunk, digest, chunk.size

    def send_all(self, sizes: Mapping[Path, int], progress: Progress | None) -> dict[Path, list[str]]:
        """Send all files; return the digests of the chunks of each."""
        digests: dict[Path, list[str]] = {path: [] for path in sizes}
        done, total = 0, sum(sizes.values())
        chunks = (chunk for path, size in sizes.items() for chunk in chunks_of(path, size))
        for chunk, digest, sent in in_parallel(self.send, chunks):
            digests[chunk.path].append(digest)
            self.sent_bytes += sent
            done += chunk.size
            self.mark.renew()
            if progress is not None:
                progress(chunk.path.name, done, total)
        return digests


def upload(source: Path, folder: RemoteFolder, name: str, progress: Progress | None) -> tuple[BackupList, int]:
    """Upload a directory as the backup ``name``; return its list, and the number of bytes sent.

    Raises:
        ExistsError: There is a backup of that name.
        RetryError: Old backups are being removed at this moment.
        StorageError: A request failed for good. What was sent is not sent again by the next run.
    """
    with marked(folder, f"backup-{check_name(name)}") as mark:
        _refuse_during_prune(mark)
        if any(name == known for _, known in lists.list_names(folder)):
            raise lists.name_taken(name)
        work = Upload(folder, mark, list_chunks(folder))
        sizes = {path: path.stat().st_size for path in sorted(source.rglob("*")) if path.is_file()}
        digests = work.send_all(sizes, progress)
        files = [ListedFile(path.relative_to(source).as_posix(), size, digests[path]) for path, size in sizes.items()]
        backup = BackupList(name, secrets.token_hex(8), files)
        _check_complete(folder, backup)
        _refuse_during_prune(mark)
        lists.write_list(folder, backup)
        try:
            # A prune that took this run for a killed one has removed its mark, and perhaps chunks.
            mark.others()
        except RetryError:
            lists.remove_list(folder, name)
            raise
    return backup, work.sent_bytes


def _refuse_during_prune(mark: Mark) -> None:
    if any(other.startswith("prune-") for other in mark.others()[0]):
        raise RetryError("old backups are being removed at this moment; back up again when that has ended")


def _check_complete(folder: RemoteFolder, backup: BackupList) -> None:
    """Raises `StorageError` unless the folder has every chunk."""
    missing = missing_from(list_chunks(folder), (pair for file in backup.files for pair in file.sizes()))
    if missing:
        raise StorageError(
            f"{len(missing)} sent objects are not there, such as '{object_of(missing[0])}'; back up again"
        )
