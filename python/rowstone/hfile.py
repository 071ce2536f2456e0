"""Store files, Rowstone's or HBase's (HFile version 3), without a database around them.

Example:
    >>> import tempfile, rowstone as rs
    >>> from rowstone import hfile
    >>> with tempfile.TemporaryDirectory() as folder, rs.connect(folder) as db:
    ...     _ = db.create_table("t", ["f"])
    ...     db.table("t").put("row", {"f:q": "value"}, timestamp=1)
    ...     db.admin.flush("t")
    ...     [file] = db.admin.store_files("t")
    ...     print(hfile.describe(file.path).entries, list(hfile.read_cells(file.path)))
    1 [Cell(row=b'row', column=b'f:q', timestamp=1, type='Put', value=b'value')]
"""

import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rowstone import _native
from rowstone._base.schema import Family
from rowstone._native import Cell

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Key:
    """Where a cell stands."""

    row: bytes
    column: bytes
    timestamp: int
    type: str


@dataclass(frozen=True)
class Blocks:
    """The blocks of one type: how many, their bytes in the file, and before compression."""

    count: int
    file_bytes: int
    content_bytes: int


@dataclass(frozen=True)
class Bloom:
    """A Bloom filter in numbers."""

    key_count: int
    max_keys: int
    hashes: int
    chunk_count: int
    size_bytes: int


@dataclass(frozen=True)
class Description:
    """What there is to tell about a store file without its cells.

    ``file_info`` has the raw properties, ``blocks`` the blocks by the magic of their type. ``time_range`` has both ends
    included. Sizes are bytes.
    """

    entries: int
    size_bytes: int
    uncompressed_bytes: int
    first_key: Key | None
    last_key: Key | None
    mid_key: Key | None
    time_range: tuple[int, int] | None
    max_sequence_id: int
    is_major: bool
    delete_family_count: int | None
    max_tags_bytes: int
    bloom_filter: str
    create_time_ms: int
    encoding: str
    compression: str
    index_levels: int
    average_key_bytes: int
    average_value_bytes: int
    file_info: Mapping[bytes, bytes]
    blocks: Mapping[str, Blocks]
    bloom: Bloom | None
    delete_family_bloom: Bloom | None


def describe(path: Path) -> Description:
    """What the file says of itself. Reads all of it and compares every checksum.

    Raises:
        CorruptionError: The file is damaged. StorageError: It cannot be read.
    """
    facts = _native.HFile(os.fspath(path)).describe()
    for name in ("first_key", "last_key", "mid_key"):
        key = facts[name]
        facts[name] = None if key is None else Key(*_native.HFile.parse_key(key))
    for name in ("bloom", "delete_family_bloom"):
        numbers = facts[name]
        facts[name] = None if numbers is None else Bloom(*numbers)
    facts["blocks"] = {kind: Blocks(*totals) for kind, totals in facts["blocks"].items()}
    return Description(**facts)


def max_sequence_id(path: Path) -> int:
    """The largest sequence id that the file covers, by which files of one store are ordered; 0 where it does not say.

    Raises:
        CorruptionError: The file is damaged. StorageError: It cannot be read.
    """
    return _native.HFile(os.fspath(path)).max_sequence_id


def read_cells(path: Path) -> Iterator[Cell]:
    """The cells of the file, in its order, markers included.

    Raises:
        CorruptionError: Where the file is damaged. StorageError: It cannot be read.
    """
    return (cell for cell, _ in _native.HFile(os.fspath(path)).cells())


def write(
    path: Path,
    cells: "Iterable[Cell | tuple[Any, ...]]",
    *,
    family: Family | None = None,
    has_tags: bool = False,
    sequence_id: int | None = None,
    properties: Mapping[bytes, bytes] | None = None,
) -> int:
    """The number of cells, once they are in a new file at ``path``, which HBase and `Admin.bulk_load` can load.

    Args:
        cells: In HBase's order, all of one family: `Cell`, or (row, column, timestamp, value) for puts, with the type
            as a fifth part for others. The order is by row, qualifier, timestamp from new to old, type from
            ``"DeleteFamily"`` to ``"Put"``.
        family: How the file is to look: compression, encoding, Bloom filter, size of blocks.
        has_tags: Whether cells may have tags; a cell with tags is refused otherwise.
        sequence_id: Of all cells; without, they have none, as is usual for bulk loads.
        properties: What the file is to say of itself in addition.

    Raises:
        InvalidArgument: A cell is out of order or cannot be stored. The piece of a file is removed.

    Example:
        >>> import tempfile, rowstone as rs
        >>> from rowstone import hfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     hfile.write(f"{folder}/new", [("row1", "f:q", 5, "value"), ("row2", "f:q", 5, "value")])
        2
    """
    attributes = (family or Family()).to_attributes()
    name = os.fspath(path)
    writer = _native.HFileWriter(name, attributes, has_tags, sequence_id is not None)
    try:
        for cell in cells:
            if isinstance(cell, Cell):
                column = (cell.family, cell.qualifier)
                writer.append(cell.row, column, cell.timestamp, cell.type, cell.value, cell.tags, sequence_id or 0)
            else:
                row, where, timestamp, value, *kind = cell
                writer.append(row, where, timestamp, kind[0] if kind else "Put", value, (), sequence_id or 0)
        return writer.finish(sequence_id or 0, list((properties or {}).items()))[0]
    except BaseException:
        with suppress(OSError):
            pathlib.Path(name).unlink()
        raise


def verify(path: Path) -> int:
    """The number of cells, after checking everything: checksums, index, order, Bloom filters, properties.

    Raises:
        CorruptionError: At the first place where the file does not hold what it should.
    """
    return _native.HFile(os.fspath(path)).verify()[2]
