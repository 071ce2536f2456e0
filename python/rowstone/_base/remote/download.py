"""Download of a backup into a directory, which appears under its name when all of it is there.

Until then the files are in ``<directory>.restore``, with a note of the backup. The next call continues there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone._base.remote import lists
from rowstone._base.remote.chunks import Chunk, chunks_of, digest_of, fetch
from rowstone._base.remote.folder import in_parallel
from rowstone._base.remote.lists import BackupList, ListedFile
from rowstone._base.remote.upload import Progress
from rowstone._base.targets import empty_place
from rowstone.errors import CorruptionError, InvalidArgument, NotFoundError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

_NOTE = "backup.json"
_FILES = "files"
_MANIFEST = "MANIFEST"


def download(folder: RemoteFolder, url: str, name: str | None, target: Path, progress: Progress | None) -> BackupList:
    """Restore a backup, by default the newest, into the new directory ``target``. An unfinished restore goes on.

    Raises:
        NotFoundError: There is no such backup, or it was removed meanwhile.
        CorruptionError: An object of the backup is missing or damaged.
        InvalidArgument: ``target`` is not empty. Or ``<target>.restore`` has other files than those of an unfinished
            restore of this backup.
    """
    backup = lists.read_list(folder, _newest(folder, url) if name is None else name)
    _check_paths(backup)
    target = empty_place(target)
    place = target.with_name(f"{target.name}.restore")
    _begin(place, backup)
    try:
        _restore_files(folder, [(file, place / _FILES / file.path) for file in backup.files], progress)
    except CorruptionError as error:
        if any(known == backup.name for _, known in lists.list_names(folder)):
            raise
        raise NotFoundError(f"backup '{backup.name}' was removed during the restore; restore another one") from error
    _sync_folders([path for path in (place / _FILES).rglob("*") if path.is_dir()])
    if target.exists():
        target.rmdir()
    (place / _FILES).rename(target)
    _sync_folders([target, target.parent])
    (place / _NOTE).unlink()
    # What others put there stays.
    with suppress(OSError):
        place.rmdir()
    return backup


def _newest(folder: RemoteFolder, url: str) -> str:
    names = lists.list_names(folder)
    if not names:
        raise NotFoundError(f"there is no complete backup in {url}")
    return names[-1][1]


def _check_paths(backup: BackupList) -> None:
    """Raise `CorruptionError` for a list without a manifest, or with a path outside of the directory."""
    paths = [file.path for file in backup.files]
    wrong = [path for path in paths if path.startswith("/") or {"", ".", ".."} & set(path.split("/")) or "\\" in path]
    if wrong or paths.count(_MANIFEST) != 1:
        what = f"the path {wrong[0]!r}" if wrong else "no manifest"
        raise CorruptionError(f"the list of backup '{backup.name}' has {what}; restore another backup")


def _begin(place: Path, backup: BackupList) -> None:
    """Create the directory for the files, or accept the one that an interrupted restore of this backup left.

    The note is on disk before there are files. So files without a note are not those of a restore.
    """
    note = json.dumps({"backup": backup.name, "writer": backup.writer})
    path, new = place / _NOTE, place / f"{_NOTE}.new"
    if path.is_file():
        if path.read_bytes() != note.encode():
            raise InvalidArgument(
                f"'{place}' is an unfinished restore of another backup: restore that one, or remove it"
            )
    else:
        if place.exists() and (not place.is_dir() or set(place.iterdir()) - {new}):
            raise InvalidArgument(
                f"'{place}' is not an unfinished restore, and the restore needs that name: rename it, or restore to "
                "another directory"
            )
        place.mkdir(parents=True, exist_ok=True)
        with new.open("w") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        _sync_folders([place, place.parent])
    (place / _FILES).mkdir(exist_ok=True)


def _restore_files(folder: RemoteFolder, files: list[tuple[ListedFile, Path]], progress: Progress | None) -> None:
    """Restore the chunks that the files do not have yet, and sync them."""

    def fill(piece: tuple[Chunk, str, bool]) -> Chunk:
        chunk, digest, is_new = piece
        if is_new or digest_of(chunk.read()) != digest:
            chunk.write(fetch(folder, digest, chunk.size))
        return chunk

    done, total = 0, sum(file.size for file, _ in files)
    for chunk in in_parallel(fill, (piece for file, path in files for piece in _pieces(file, path))):
        done += chunk.size
        if progress is not None:
            progress(chunk.path.name, done, total)
    for _, path in files:
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _pieces(file: ListedFile, path: Path) -> Iterator[tuple[Chunk, str, bool]]:
    """Give the file its length; yield its chunks, their digests, and whether the file was created just now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("ab") as out:
        out.truncate(file.size)
    for chunk, digest in zip(chunks_of(path, file.size), file.chunks, strict=True):
        yield chunk, digest, is_new


def _sync_folders(folders: Iterable[Path]) -> None:
    """Sync the names of files to disk, where the operating system can."""
    if os.name == "nt":
        return
    for path in folders:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
