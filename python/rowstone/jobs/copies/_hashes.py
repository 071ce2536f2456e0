"""Digests of ranges of rows, in a file. Distant tables are compared without transferring their cells.

The file has JSON lines: ``{"start": hex, "stop": hex, "rows": n, "hash": hex}``, in the order of the rows; an empty
``stop`` is the table's end. A digest is of every cell's row, column, time, type and value, each with its length.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from rowstone._base.options import check_number, with_defaults
from rowstone._core.database import Database
from rowstone._native import Row, Scanner
from rowstone.errors import InvalidArgument
from rowstone.jobs._options import PARALLEL_DEFAULTS, ParallelOptions
from rowstone.jobs.executors import check, executor_of
from rowstone.jobs.splits.state import write_atomically
from rowstone.jobs.splits.table_access import Split, TableAccess, splits_of, table_access

_RANGE_BYTES = 1 << 20
_RANGES_AT_ONCE = 64


@dataclass(frozen=True)
class RangeHash:
    """The digest of the rows from ``start``, included, to ``stop``, excluded; ``b""`` is the table's end."""

    start: bytes
    stop: bytes
    rows: int
    digest: bytes


@dataclass
class HashComparison:
    """Number of ``equal`` ranges, and the ``different`` ranges."""

    equal: int = 0
    different: list[RangeHash] = field(default_factory=list)


@dataclass(frozen=True)
class _Work:
    access: TableAccess
    split: Split
    range_bytes: int
    ranges: tuple[RangeHash, ...] = ()


def hash_table(
    db: Database,
    table: str,
    out: str | os.PathLike[str],
    *,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    range_bytes: int = _RANGE_BYTES,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[ParallelOptions],
) -> list[RangeHash]:
    """Write digests of ranges of rows to the file ``out``, and return them. They are of all versions that reads see.

    Args:
        start, stop: Read the rows from ``start`` (included) to ``stop`` (excluded).
        range_bytes: Least number of bytes of keys and values in a range, 1 MiB by default; the last one of a region may
            have fewer.
        progress: Called with the number of rows so far, after each region.
        options: Workers: see `ParallelOptions`.

    Raises:
        TableNotFound: The table does not exist.
        InvalidArgument: ``range_bytes`` is below 1.

    Source: HBase's ``HashTable``.
    """
    given = with_defaults(hash_table, options, PARALLEL_DEFAULTS)
    check_number("range_bytes", range_bytes)
    runner = executor_of(given["executor"], given["workers"])
    found: dict[int, list[RangeHash]] = {}
    with table_access(db, table, runner) as access:
        works = [_Work(access, split, range_bytes) for split in splits_of(db, table, start, stop)]
        for number, ranges in runner.run(_hash, works):
            found[number] = ranges
            if progress is not None:
                progress(sum(part.rows for parts in found.values() for part in parts))
    hashes = [part for number in sorted(found) for part in found[number]]
    write_atomically(Path(out), "".join(_line(part) for part in hashes).encode())
    return hashes


def compare_hashes(
    db: Database,
    table: str,
    hashes: str | os.PathLike[str],
    **options: Unpack[ParallelOptions],
) -> HashComparison:
    """Compare ranges of a table with the digests that `hash_table` wrote to the file ``hashes``.

    To repair a range that differs, pass its start and stop to `copy_table`. For ``options`` see `ParallelOptions`.

    Raises:
        TableNotFound: The table does not exist.
        InvalidArgument: ``hashes`` is not a file of `hash_table`.

    Source: HBase's ``SyncTable`` in a dry run.
    """
    given = with_defaults(compare_hashes, options, PARALLEL_DEFAULTS)
    ranges = _read(Path(hashes))
    runner = executor_of(given["executor"], given["workers"])
    found = HashComparison()
    with table_access(db, table, runner) as access:
        works: list[_Work] = []
        for first in range(0, len(ranges), _RANGES_AT_ONCE):
            part = ranges[first : first + _RANGES_AT_ONCE]
            works.append(_Work(access, Split(len(works), part[0].start, part[-1].stop), 0, tuple(part)))
        for equal, different in runner.run(_compare, works):
            found.equal += equal
            found.different += different
    found.different.sort(key=lambda part: part.start)
    return found


def _line(part: RangeHash) -> str:
    names = {"start": part.start.hex(), "stop": part.stop.hex(), "rows": part.rows, "hash": part.digest.hex()}
    return json.dumps(names) + "\n"


def _read(path: Path) -> list[RangeHash]:
    ranges = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            names = json.loads(line)
            start, stop, digest = (bytes.fromhex(names[name]) for name in ("start", "stop", "hash"))
            ranges.append(RangeHash(start, stop, int(names["rows"]), digest))
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidArgument(f"{path} line {number} is no digest of a range: {error}") from None
    return ranges


def _rows(access: TableAccess, scanner: Scanner) -> Iterator[Row]:
    for number, row in enumerate(scanner):
        if number % 1024 == 0:
            check(access.stopped)
        yield row


def _hash(work: _Work) -> tuple[int, list[RangeHash]]:
    found: list[RangeHash] = []
    digest, rows, size_bytes, start = _Digest(), 0, 0, work.split.start
    with (
        work.access.open() as table,
        table.scan(start or None, work.split.stop or None, versions=None, cache_blocks=False) as scanner,
    ):
        for row in _rows(work.access, scanner):
            if size_bytes >= work.range_bytes:
                found.append(RangeHash(start, row.key, rows, digest.end()))
                digest, rows, size_bytes, start = _Digest(), 0, 0, row.key
            size_bytes += digest.add(row)
            rows += 1
    found.append(RangeHash(start, work.split.stop, rows, digest.end()))
    return work.split.number, found


def _compare(work: _Work) -> tuple[int, list[RangeHash]]:
    different = []
    with work.access.open() as table:
        for part in work.ranges:
            digest = _Digest()
            with table.scan(part.start or None, part.stop or None, versions=None, cache_blocks=False) as scanner:
                for row in _rows(work.access, scanner):
                    digest.add(row)
            if digest.end() != part.digest:
                different.append(part)
    return len(work.ranges) - len(different), different


class _Digest:
    """A digest of rows."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, row: Row) -> int:
        """Add a row and return its number of bytes."""
        size_bytes = len(row.key)
        for cell in row.cells:
            parts = (cell.row, cell.family, cell.qualifier, b"%d" % cell.timestamp, cell.type.encode(), cell.value)
            self._hash.update(b"".join(len(part).to_bytes(4, "big") + part for part in parts))
            size_bytes += len(cell.qualifier) + len(cell.value)
        return size_bytes

    def end(self) -> bytes:
        """The digest."""
        return self._hash.digest()
