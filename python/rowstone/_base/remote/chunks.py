"""Chunks: the contents of a backup's files, as objects named by their SHA-256.

``chunks/<first digit>/<64 hexadecimal digits>`` has at most 8 MiB of a file. The name is the checksum. So equal
contents are stored once, a chunk that is there is never sent again, and a reader checks what it gets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone._base.remote.folder import in_parallel
from rowstone.errors import CorruptionError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

CHUNK_BYTES = 8 << 20
_DIGITS = "0123456789abcdef"


@dataclass(frozen=True)
class Chunk:
    """Bytes of a file: those of chunk number ``index``, ``size`` in all."""

    path: Path
    index: int
    size: int

    def read(self) -> bytes:
        """Read the bytes that the file has there: fewer than ``size`` at its end."""
        with self.path.open("rb") as file:
            file.seek(self.index * CHUNK_BYTES)
            return file.read(self.size)

    def write(self, data: bytes) -> None:
        """Write the bytes to their position. The file exists."""
        with self.path.open("r+b") as file:
            file.seek(self.index * CHUNK_BYTES)
            file.write(data)


def chunks_of(path: Path, size: int) -> list[Chunk]:
    """Split a file of this size into chunks."""
    starts = range(0, size, CHUNK_BYTES)
    return [Chunk(path, index, min(CHUNK_BYTES, size - start)) for index, start in enumerate(starts)]


def digest_of(data: bytes) -> str:
    """Compute the name of a chunk."""
    return hashlib.sha256(data).hexdigest()


def object_of(digest: str) -> str:
    """Return the name of a chunk's object."""
    return f"chunks/{digest[0]}/{digest}"


def list_chunks(folder: RemoteFolder) -> dict[str, int]:
    """List the sizes of all chunks by their names."""
    listings = in_parallel(folder.list_files, [f"chunks/{digit}" for digit in _DIGITS])
    return {name: size for listing in listings for name, size, _ in listing}


def missing_from(there: dict[str, int], wanted: Iterable[tuple[str, int]]) -> list[str]:
    """Return the wanted chunks that are not there, or have another size."""
    return sorted({digest for digest, size in wanted if there.get(digest) != size})


def fetch(folder: RemoteFolder, digest: str, size: int) -> bytes:
    """Read a chunk. Raises `CorruptionError` if it is missing, or is not the one that its name says."""
    data = folder.get(object_of(digest))
    if data is None:
        raise damaged(object_of(digest), f"{size} bytes", "no object of that name")
    if len(data) != size or digest_of(data) != digest:
        raise damaged(
            object_of(digest), f"{size} bytes with SHA-256 {digest}", f"{len(data)} bytes with {digest_of(data)}"
        )
    return data


def damaged(name: str, expected: str, found: str) -> CorruptionError:
    """Build the error of an object of a backup."""
    message = (
        f"object '{name}' of the backup is damaged: expected {expected}, found {found}; restore another backup, or "
        "remove the object and back up again"
    )
    return CorruptionError(message, name, 0, expected, found)
