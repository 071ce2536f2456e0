"""Files of a bulk load: their extents, the regions that they belong to, and cuts at the borders of regions."""

from __future__ import annotations

import itertools
import uuid
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rowstone import _native
from rowstone._base.printable import printable
from rowstone._base.remote.folder import StorageOptions, is_url
from rowstone._base.schema import Family, TableSchema
from rowstone._base.targets import FILE, local_path
from rowstone.errors import InvalidArgument, NoSuchColumnFamily, UnsupportedOperation

_KEEPS_SEQUENCE_IDS = b"SKIP_RESET_SEQ_ID"


@dataclass(frozen=True)
class IncomingFile:
    """A file with cells, as its metadata describes it."""

    family: bytes
    path: str
    first_row: bytes
    last_row: bytes
    entry_count: int
    size_bytes: int
    time_range: tuple[int, int] | None

    @property
    def url(self) -> str:
        """The path for servers. It has a scheme, because the default of their file system may be another one."""
        return self.path if is_url(self.path) else f"{FILE}{self.path}"


def open_file(
    schema: TableSchema, family: bytes, path: str, storage_options: StorageOptions = None
) -> IncomingFile | None:
    """Read the metadata of a file and check that the table's family can take it. None for a file without cells.

    Raises:
        NoSuchColumnFamily, CorruptionError, StorageError. InvalidArgument: A file of another family.
    """
    if family not in schema.families:
        raise NoSuchColumnFamily(f"table '{schema.name}' has no column family '{printable(family)}' for {path}")
    if is_url(path):
        place, file = path, _native.HFile.open_url(path, dict(storage_options or {}))
    else:
        place = str(Path(local_path(path)).absolute())
        file = _native.HFile(place)
    extent, found = file.extent(), file.family()
    if extent is None or found is None:
        return None
    if found != family:
        raise InvalidArgument(f"{path} holds cells of family '{printable(found)}', not of '{printable(family)}'")
    return IncomingFile(family, place, *extent)


def check_names(files: Iterable[IncomingFile]) -> None:
    """Raise `InvalidArgument` for two files of a family with the same name: HBase stages files by their names."""
    seen: dict[tuple[bytes, str], str] = {}
    for file in files:
        name = file.path.rpartition("/")[2]
        other = seen.setdefault((file.family, name), file.path)
        if other != file.path:
            raise InvalidArgument(
                f"{other} and {file.path} have the same name, by which HBase stages files: rename one of them, or load "
                "them one after the other"
            )


def index_of(starts: Sequence[bytes], row: bytes) -> int:
    """Return the index of the region that contains a row; ``starts`` are the start keys of all regions, sorted."""
    return max(bisect_right(starts, row) - 1, 0)


def open_to_servers(path: Path) -> None:
    """Let all users read and write a new file or folder.

    Servers act as the client's user, whom their machine may not know, and move files as the user of their process.
    """
    path.chmod(0o777 if path.is_dir() else 0o666)


def cut_file(file: IncomingFile, starts: Sequence[bytes], form: Family, folders: list[Path]) -> Iterator[IncomingFile]:
    """Write the parts of a file that belong to different regions to a new folder next to it. Yield them.

    Args:
        starts: Start keys of all regions, sorted.
        form: Encoding, compression and Bloom filter of the parts.
        folders: The new folder is added, for the caller to remove.

    Raises:
        UnsupportedOperation: The file is in an object store or in HDFS, or it keeps the sequence ids of its cells.
    """
    from rowstone import hfile

    if is_url(file.path):
        raise UnsupportedOperation(
            f"{file.path} spans regions, and only files in a file system of this machine can be cut: write a file for "
            "each region, or load it with HBase's tool: hbase completebulkload"
        )
    if _KEEPS_SEQUENCE_IDS in hfile.describe(file.path).file_info:
        raise UnsupportedOperation(f"{file.path} spans regions and keeps its sequence ids, so it cannot be cut")
    outer = Path(file.path).parent / f"cut-{uuid.uuid4().hex}"
    outer.mkdir(mode=0o711)
    folders.append(outer)
    # Others cannot list the outer folder, so they do not know the name of the inner one.
    folder = outer / uuid.uuid4().hex
    folder.mkdir()
    open_to_servers(folder)
    groups = itertools.groupby(hfile.read_cells(file.path), key=lambda cell: index_of(starts, cell.row))
    for _, cells in groups:
        # HBase stages files by their names, so two parts of one load may not have the same.
        part = folder / uuid.uuid4().hex
        hfile.write(part, cells, family=form, has_tags=True)
        open_to_servers(part)
        extent = _native.HFile(str(part)).extent()
        if extent is not None:
            yield IncomingFile(file.family, str(part), *extent)
