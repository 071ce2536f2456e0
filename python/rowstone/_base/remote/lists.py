"""Lists: one object for each complete backup, with its files and their chunks.

``backups/<name>.json`` is written last, so a backup that has a list is complete. Its first line is the SHA-256 of the
second, which is JSON. A list is never replaced.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._base.remote.chunks import CHUNK_BYTES, damaged, digest_of
from rowstone._base.remote.folder import check_name
from rowstone.errors import ExistsError, NotFoundError, UnsupportedOperation

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

FORM = 1
_SUFFIX = ".json"


@dataclass(frozen=True)
class ListedFile:
    """A file of a backup: its path in the database's directory, its size, and its chunks in their order."""

    path: str
    size: int
    chunks: list[str]

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Yield each chunk with its size."""
        for index, digest in enumerate(self.chunks):
            yield digest, min(CHUNK_BYTES, self.size - index * CHUNK_BYTES)

    def check(self, name: str) -> None:
        """Raise `CorruptionError` unless the number of chunks is that of the size; ``name`` is the list's object."""
        expected = -(-self.size // CHUNK_BYTES)
        if len(self.chunks) != expected:
            raise damaged(name, f"{expected} chunks of '{self.path}'", f"{len(self.chunks)}")


@dataclass(frozen=True)
class BackupList:
    """The contents of a backup. ``writer`` is random, so that no two writers have the same list."""

    name: str
    writer: str
    files: list[ListedFile]

    @property
    def store_files(self) -> int:
        """The number of store files, those of large values among them."""
        return sum(file.path.startswith(("data/", "mobdir/")) for file in self.files)

    @property
    def logs(self) -> int:
        """The number of logs."""
        return sum(file.path.startswith("WALs/") for file in self.files)

    @property
    def size_bytes(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)


def list_names(folder: RemoteFolder) -> list[tuple[int, str]]:
    """List the complete backups, oldest first, with the time in milliseconds at which each became complete."""
    found = folder.list_files("backups")
    return sorted((time, name.removesuffix(_SUFFIX)) for name, _, time in found if name.endswith(_SUFFIX))


def write_list(folder: RemoteFolder, backup: BackupList) -> None:
    """Write a list, and read it again. Raises `ExistsError` if there is a backup of that name."""
    body = json.dumps({"form": FORM, **asdict(backup)}, separators=(",", ":")).encode()
    if not folder.put(_object_of(backup.name), digest_of(body).encode() + b"\n" + body, is_new=True):
        raise name_taken(backup.name)
    if read_list(folder, backup.name).writer != backup.writer:
        raise name_taken(backup.name)


def remove_own(folder: RemoteFolder, backup: BackupList) -> None:
    """Remove a list, if it is there and this writer's."""
    with suppress(NotFoundError):
        if read_list(folder, backup.name).writer == backup.writer:
            remove_list(folder, backup.name)


def remove_list(folder: RemoteFolder, name: str) -> None:
    """Remove a list, if it is there."""
    folder.delete(_object_of(name))


def read_list(folder: RemoteFolder, name: str) -> BackupList:
    """Read the list of a backup. Raises `NotFoundError`, `CorruptionError`, `UnsupportedOperation`."""
    document = folder.get(_object_of(check_name(name)))
    if document is None:
        names = ", ".join(known for _, known in list_names(folder)[-5:]) or "none"
        raise NotFoundError(f"there is no backup '{name}' that is complete (newest: {names})")
    digest, _, body = document.partition(b"\n")
    if digest_of(body).encode() != digest:
        raise damaged(_object_of(name), f"SHA-256 {printable(digest[:64])}", digest_of(body))
    found = json.loads(body)
    if found["form"] != FORM:
        raise UnsupportedOperation(f"backup '{name}' has form {found['form']}; this version reads form {FORM}")
    files = [ListedFile(**file) for file in found["files"]]
    for file in files:
        file.check(_object_of(name))
    return BackupList(found["name"], found["writer"], files)


def name_taken(name: str) -> ExistsError:
    """Build the error of a name that is in use."""
    return ExistsError(f"there is a backup '{name}' already: choose another name, or remove that one")


def _object_of(name: str) -> str:
    return f"backups/{name}{_SUFFIX}"
