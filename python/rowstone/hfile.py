"""Reading and writing store files of Rowstone or HBase (HFile version 3) without a database.

Example:
    >>> import tempfile, rowstone as rs
    >>> from rowstone import hfile
    >>> with tempfile.TemporaryDirectory() as folder, rs.connect(folder) as db:
    ...     _ = db.create_table("t", ["f"])
    ...     db.table("t").put("row", {"f:q": "value"}, timestamp=1)
    ...     db.admin.flush("t")
    ...     [file] = db.admin.tables.store_files("t")
    ...     print(hfile.describe(file.path).entries, list(hfile.read_cells(file.path)))
    1 [Cell(row=b'row', column=b'f:q', timestamp=1, type='Put', value=b'value')]
"""

import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rowstone import _native
from rowstone._base.options.words import BloomFilter, Compression, DataBlockEncoding
from rowstone._base.schema import Family
from rowstone._base.targets import complete_file, is_stream
from rowstone._native import Cell
from rowstone.errors import ExistsError

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Key:
    """The coordinates of a cell."""

    row: bytes
    column: bytes
    timestamp: int
    type: str


@dataclass(frozen=True)
class Blocks:
    """The blocks of one type: their number, their bytes in the file, and their bytes before compression."""

    count: int
    file_bytes: int
    content_bytes: int


@dataclass(frozen=True)
class Bloom:
    """Properties of a Bloom filter."""

    key_count: int
    max_keys: int
    hashes: int
    chunk_count: int
    size_bytes: int


@dataclass(frozen=True)
class Description:
    """Properties of a store file, without its cells.

    ``file_info`` has the raw properties, ``blocks`` the blocks by the magic of their type. ``time_range`` includes both
    ends. Sizes are in bytes.
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
    bloom_filter: BloomFilter
    create_time_ms: int
    encoding: DataBlockEncoding
    compression: Compression
    index_levels: int
    average_key_bytes: int
    average_value_bytes: int
    file_info: Mapping[bytes, bytes]
    blocks: Mapping[str, Blocks]
    bloom: Bloom | None
    delete_family_bloom: Bloom | None


def describe(path: Path) -> Description:
    """Describe a store file. Reads the whole file and verifies every checksum.

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
    """Return the largest sequence id in the file, which orders the files of a store; 0 if the file has none.

    Raises:
        CorruptionError: The file is damaged. StorageError: It cannot be read.
    """
    return _native.HFile(os.fspath(path)).max_sequence_id


def read_cells(path: Path) -> Iterator[Cell]:
    """Iterate over the cells of the file in its order, delete markers included.

    Raises:
        CorruptionError: At the first damaged position. StorageError: The file cannot be read.
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
    """Write cells to a new file, which HBase and `Tables.bulk_load` can load; return the number of cells.

    The file appears under its name when it is complete.

    Args:
        cells: Cells of one family in HBase's order: `Cell`, or (row, column, timestamp, value) for puts, with the type
            as a fifth element for others. The order is by row, qualifier, timestamp from new to old, type from
            ``"DeleteFamily"`` to ``"Put"``.
        family: The format of the file: compression, encoding, Bloom filter, block size.
        has_tags: Whether cells may have tags; otherwise a cell with tags is refused.
        sequence_id: The sequence id of all cells; by default they have none, as is usual for bulk loads.
        properties: Additional properties to store in the file.

    Raises:
        ExistsError: There is a file of that name, which is left as it is. Devices and pipes are written to.
        InvalidArgument: A cell is out of order or cannot be stored, or ``path`` is a directory. No file is created.

    Example:
        >>> import tempfile, rowstone as rs
        >>> from rowstone import hfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     hfile.write(f"{folder}/new", [("row1", "f:q", 5, "value"), ("row2", "f:q", 5, "value")])
        2
    """
    attributes = (family or Family()).to_attributes()
    if pathlib.Path(path).is_file() and not is_stream(path):
        raise ExistsError(f"'{os.fspath(path)}' exists already: choose another name, or remove it first")
    with complete_file(path) as new:
        writer = _native.HFileWriter(os.fspath(new), attributes, has_tags, sequence_id is not None)
        for cell in cells:
            if isinstance(cell, Cell):
                column = (cell.family, cell.qualifier)
                writer.append(cell.row, column, cell.timestamp, cell.type, cell.value, cell.tags, sequence_id or 0)
            else:
                row, where, timestamp, value, *kind = cell
                writer.append(row, where, timestamp, kind[0] if kind else "Put", value, (), sequence_id or 0)
        return writer.finish(sequence_id or 0, list((properties or {}).items()))[0]


def verify(path: Path) -> int:
    """Verify checksums, index, order, Bloom filters and properties; return the number of cells.

    Raises:
        CorruptionError: At the first position with unexpected content.
    """
    return _native.HFile(os.fspath(path)).verify()[2]
