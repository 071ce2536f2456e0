"""Upload of a backup: the chunks that are not there, then the list."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone._base.remote import lists
from rowstone._base.remote.chunks import Chunk, chunks_of, digest_of, list_chunks, missing_from, object_of
from rowstone._base.remote.folder import check_name, files_below, in_parallel
from rowstone._base.remote.lists import BackupList, ListedFile
from rowstone._base.remote.marks import Mark, marked
from rowstone.errors import CorruptionError, RetryError, StorageError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

Progress = Callable[[str, int, int], None]


def new_name() -> str:
    """Name a backup after the time, in UTC, with a random end: several may begin in one second."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}-{secrets.token_hex(3)}"


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


def upload(
    source: Path, folder: RemoteFolder, name: str, progress: Progress | None, size_bytes: int | None = None
) -> tuple[BackupList, int]:
    """Upload a directory as the backup ``name``; return its list, and the number of bytes sent.

    Args:
        size_bytes: Bytes that the directory has, with or without the manifest; None if that is not known.

    Raises:
        ExistsError: There is a backup of that name.
        RetryError: Old backups are being removed at this moment.
        StorageError: A file cannot be read. Or a request failed for good: what was sent is not sent again by the next
            run.
        UnsupportedOperation: The store would replace another backup of that name.
    """
    with marked(folder, f"backup-{check_name(name)}") as mark:
        mark.check_store()
        _refuse_during_prune(mark)
        if any(name == known for _, known in lists.list_names(folder)):
            raise lists.name_taken(name)
        work = Upload(folder, mark, list_chunks(folder))
        sizes = {path: path.stat().st_size for path in files_below(source)}
        _check_size(sizes, source, size_bytes)
        digests = work.send_all(sizes, progress)
        files = [ListedFile(path.relative_to(source).as_posix(), size, digests[path]) for path, size in sizes.items()]
        backup = BackupList(name, secrets.token_hex(8), files)
        # A prune that took this run for a killed one has removed its mark, and perhaps chunks that are listed next.
        _refuse_during_prune(mark)
        _check_complete(folder, backup)
        _refuse_during_prune(mark)
        mark.check()
        _write_list(folder, mark, backup)
    return backup, work.sent_bytes


def _write_list(folder: RemoteFolder, mark: Mark, backup: BackupList) -> None:
    """Write the list; remove it again after any failure."""
    try:
        lists.write_list(folder, backup)
        # If a prune has removed the mark meanwhile, it may have removed chunks too.
        mark.others()
    except BaseException:
        # The first error is the one to report.
        with suppress(StorageError, CorruptionError):
            lists.remove_own(folder, backup)
        raise


def _check_size(sizes: Mapping[Path, int], source: Path, expected: int | None) -> None:
    """Raise `StorageError` if files of the copy are missing."""
    found = sum(sizes.values())
    if expected is not None and expected not in (found, found - sizes.get(source / "MANIFEST", 0)):
        raise StorageError(f"'{source}' has {found} bytes, but {expected} were copied to it; back up again")


def _refuse_during_prune(mark: Mark) -> None:
    if any(other.startswith("prune-") for other in mark.others()[0]):
        raise RetryError("old backups are being removed at this moment; back up again when that has ended")


def _check_complete(folder: RemoteFolder, backup: BackupList) -> None:
    """Raise `StorageError` unless the folder has every chunk."""
    missing = missing_from(list_chunks(folder), (pair for file in backup.files for pair in file.sizes()))
    if missing:
        raise StorageError(
            f"{len(missing)} sent objects are not there, such as '{object_of(missing[0])}'; back up again"
        )
