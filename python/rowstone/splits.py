"""Split keys of a new table: for ``create_table(..., splits=…)``.

HBase's arithmetic, key for key: ``Bytes.split``, ``RegionSplitter``'s ``HexStringSplit``, ``DecimalStringSplit`` and
``UniformSplit``, and ``Admin.createTable(start, end, count)``.

Example:
    >>> import rowstone as rs
    >>> rs.splits.hex_string(4)
    [b'40000000', b'80000000', b'c0000000']
    >>> with rs.connect(":memory:") as db:
    ...     _ = db.create_table("t", ["f"], splits=rs.splits.hex_string(4))
    ...     len(db.admin.regions.list("t"))
    4
"""

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowstone._base.options.checks import as_list, check_list
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.errors import InvalidArgument, InvalidType

__all__ = [
    "Range",
    "SplitsArgument",
    "check_splits",
    "decimal_string",
    "from_file",
    "hex_keys",
    "hex_string",
    "propose_splits",
    "split_range",
    "table_range",
    "uniform",
]


@dataclass(frozen=True)
class Range:
    """``regions`` regions; the first ends at ``start``, the last begins at ``end``: see `table_range`."""

    start: str | bytes
    end: str | bytes
    regions: int


SplitsArgument = (
    Iterable[str | bytes]
    | Range
    | tuple[str | bytes, str | bytes, int]
    | os.PathLike[str]
    | Callable[[], Iterable[str | bytes]]
)
"""Row keys; a `Range`, or its three fields; a file of keys (a `pathlib.Path`); or a callable that returns keys."""


def split_range(start: str | bytes, end: str | bytes, count: int, *, inclusive: bool = False) -> list[bytes]:
    """Return ``start``, ``count`` keys at equal distances between, and ``end``: ``count + 2`` keys.

    The shorter of ``start`` and ``end`` is padded with zero bytes. With ``inclusive=True`` ``end`` counts as one
    larger. If the range has too few keys, the keys in between get an additional byte.

    Raises:
        InvalidArgument: ``end`` is not greater than ``start``, or ``count`` is below 1.

    Source: HBase's ``Bytes.split``.
    """
    first, last = as_bytes(start), as_bytes(end)
    width = max(len(first), len(last))
    low, high = first.ljust(width, b"\0"), last.ljust(width, b"\0")
    if low >= high:
        raise InvalidArgument(f"end '{printable(last)}' is not behind start '{printable(first)}'")
    if count < 1:
        raise InvalidArgument(f"count {count} is below 1")
    low_number, distance = int.from_bytes(low, "big"), int.from_bytes(high, "big") - int.from_bytes(low, "big")
    distance += inclusive
    while distance < count + 1:
        # Both keys get another byte, so their distance is 256 times larger. An inclusive end adds one to the result.
        width += 1
        low_number, distance = low_number << 8, ((distance - inclusive) << 8) + inclusive
    step = distance // (count + 1)
    between = [(low_number + step * index).to_bytes(width, "big") for index in range(1, count + 1)]
    return [first, *between, last]


def table_range(start: str | bytes, end: str | bytes, regions: int) -> list[bytes]:
    """Return the split keys of a table of ``regions`` regions: ``start``, ``end`` and those between at equal distances.

    The first region contains the rows before ``start``, the last those from ``end`` on.

    Raises:
        InvalidArgument: ``end`` is not greater than ``start``, or there are fewer than three regions.

    Example:
        >>> from rowstone import splits
        >>> splits.table_range("a", "z", 5)
        [b'a', b'i', b'q', b'z']

    Source: HBase's ``Admin.createTable(table, startKey, endKey, numRegions)``.
    """
    if regions < 3:
        raise InvalidArgument(f"{regions} regions: from a start and an end at least three are made")
    if as_bytes(start) >= as_bytes(end):
        raise InvalidArgument(f"start '{printable(as_bytes(start))}' is not before end '{printable(as_bytes(end))}'")
    return [as_bytes(start), as_bytes(end)] if regions == 3 else split_range(start, end, regions - 3)


def hex_string(regions: int) -> list[bytes]:
    """Return split keys for rows that begin with eight lower-case hex digits, spread evenly.

    Source: HBase's ``RegionSplitter.HexStringSplit``.
    """
    return _numbers(regions, 16**8, lambda number: b"%08x" % number)


def decimal_string(regions: int) -> list[bytes]:
    """Return split keys for rows that begin with eight decimal digits, spread evenly.

    Source: HBase's ``RegionSplitter.DecimalStringSplit``.
    """
    return _numbers(regions, 10**8, lambda number: b"%08d" % number)


def uniform(regions: int) -> list[bytes]:
    """Return split keys of eight bytes for rows of random bytes, such as hashes.

    Source: HBase's ``RegionSplitter.UniformSplit``.
    """
    return _numbers(regions, 256**8, lambda number: number.to_bytes(8, "big"))


def _numbers(regions: int, count: int, key: Callable[[int], bytes]) -> list[bytes]:
    if not 1 <= regions <= count:
        raise InvalidArgument(f"{regions} regions: it must be from 1 to {count}")
    # The last region gets the remainder.
    return [key(count // regions * index) for index in range(1, regions)]


def hex_keys(start: str, end: str, regions: int) -> list[bytes]:
    """Return split keys of sixteen hex digits between two hex numbers, at equal distances.

    Example:
        >>> from rowstone import splits
        >>> splits.hex_keys("0", "f" * 16, 10)[0]
        b'1999999999999999'

    Source: ``getHexSplits`` of the HBase reference guide.
    """
    low, high = int(start, 16), int(end, 16)
    if regions < 1 or high <= low:
        raise InvalidArgument(f"{regions} regions from {start!r} to {end!r}: nothing lies between")
    step = (high - low) // regions
    return [b"%016x" % (low + step * index) for index in range(1, regions)]


def from_file(path: str | os.PathLike[str]) -> list[bytes]:
    r"""Read split keys from a file, one per line, in order. Empty lines are skipped; ``\xNN`` stands for a byte.

    Source: ``SPLITS_FILE`` of HBase's shell.
    """
    keys = [line.strip() for line in Path(path).read_bytes().splitlines()]
    return [_unescaped(key) for key in keys if key]


def _unescaped(key: bytes) -> bytes:
    r"""``\xNN`` as HBase prints bytes; everything else as it is."""
    parts = key.split(b"\\x")
    out = parts[0]
    for part in parts[1:]:
        try:
            out += bytes.fromhex(part[:2].decode("ascii")) + part[2:]
        except (ValueError, UnicodeDecodeError):
            out += b"\\x" + part
    return out


def keys_of(splits: SplitsArgument | None) -> list[bytes]:
    """Convert any form of the ``splits`` argument of ``create_table`` to keys."""
    if splits is None:
        return []
    if callable(splits):
        return keys_of(splits())
    if isinstance(splits, os.PathLike):
        return from_file(splits)
    if isinstance(splits, Range):
        return table_range(splits.start, splits.end, splits.regions)
    if isinstance(splits, str | bytes | bytearray | memoryview | int) or not isinstance(splits, Iterable):
        raise InvalidType(f"splits must be an iterable of row keys, a file or a callable, not {type(splits).__name__}")
    keys: list[Any] = list(splits)
    if len(keys) == 3 and isinstance(keys[2], int) and not isinstance(keys[2], bool):
        return table_range(keys[0], keys[1], keys[2])
    for key in keys:
        if not isinstance(key, str | bytes | bytearray | memoryview):
            raise InvalidType(f"a split key must be str or bytes, not {type(key).__name__}")
    return [as_bytes(key) for key in keys]


def propose_splits(sample: Iterable[str | bytes], regions: int) -> list[bytes]:
    """Propose split keys that give each of ``regions`` regions about as many rows, judging by a sample.

    The keys are as short as possible and need not be in the sample. There are fewer than ``regions - 1`` if the sample
    has fewer distinct keys. For typed keys: ``propose_splits(map(key.encode, values), 10)``.

    Args:
        sample: Row keys as they will be written, in any order; a thousand or more per region give even regions.

    Raises:
        InvalidArgument: The sample is empty, or ``regions`` is below 1.

    Example:
        >>> from rowstone import splits
        >>> splits.propose_splits(["apple", "banana", "cherry", "damson"], 2)
        [b'c']
    """
    keys = sorted(as_bytes(key) for key in as_list("sample", sample))
    if not keys:
        raise InvalidArgument("the sample of row keys is empty")
    if regions < 1:
        raise InvalidArgument(f"{regions} regions: there is at least 1")
    places = (len(keys) * index // regions for index in range(1, regions))
    return sorted(
        {_between(keys[place - 1], keys[place]) for place in places if place and keys[place - 1] < keys[place]}
    )


def _between(low: bytes, high: bytes) -> bytes:
    """The shortest key above ``low`` and not above ``high``."""
    differ = next((place for place, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low))
    return high[: differ + 1]


def check_splits(splits: SplitsArgument, sample: Iterable[str | bytes], *, min_share: float = 0.1) -> list[float]:
    """Return the share of the sampled row keys that each region would contain, from the first region to the last.

    For typed keys: ``check_splits(splits, map(key.encode, values))``.

    Args:
        min_share: Minimum of a region, as a fraction of an equal share. With ten regions an equal share is 10 %,
            so 0.1 means a minimum of 1 %.

    Raises:
        InvalidArgument: A region is below the minimum; the message names these regions. Or the sample is empty.

    Example:
        >>> from rowstone import splits
        >>> splits.check_splits(["m"], ["a", "b", "x", "y"])
        [0.5, 0.5]
    """
    keys = sorted(keys_of(splits))
    counts = [0] * (len(keys) + 1)
    check_list("sample", sample)
    for key in sample:
        counts[bisect_right(keys, as_bytes(key))] += 1
    total = sum(counts)
    if total == 0:
        raise InvalidArgument("the sample of row keys is empty")
    shares = [count / total for count in counts]
    poor = [index for index, share in enumerate(shares) if share < min_share / len(shares)]
    if poor:
        raise InvalidArgument(_poor(keys, shares, poor))
    return shares


def _poor(keys: Sequence[bytes], shares: Sequence[float], poor: Sequence[int]) -> str:
    def name_region(index: int) -> str:
        start = keys[index - 1] if index else b""
        end = keys[index] if index < len(keys) else b""
        return f"{index + 1} ('{printable(start)}' to '{printable(end)}', {shares[index]:.1%})"

    shown = ", ".join(name_region(index) for index in poor[:10])
    more = f" and {len(poor) - 10} more" if len(poor) > 10 else ""
    fair = 1 / len(shares)
    unreached = sum(not share for share in shares)
    never = f", {unreached} of them none" if unreached else ""
    return (
        f"{len(poor)} of {len(shares)} regions would receive too few keys of the sample "
        f"(an equal share is {fair:.1%}){never}: region {shown}{more}"
    )
