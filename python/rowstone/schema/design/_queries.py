"""Cost of a query with a key: the ranges that the key can use, and the rows in them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowstone.errors import InvalidArgument, NotFoundError
from rowstone.keys import Key, KeyRange
from rowstone.keys.parts._part import StartsWith


@dataclass(frozen=True)
class Cost:
    """The cost of a query.

    Attributes:
        ranges: Key ranges, one scan each: one per bucket.
        rows_touched: Sample rows that are read.
        rows_returned: Sample rows that match.
        bytes_touched: Size of the cells that are read.
        is_full_scan: Whether the key does not help, so that everything is read.
    """

    ranges: tuple[KeyRange, ...]
    rows_touched: int
    rows_returned: int
    bytes_touched: int
    is_full_scan: bool

    @property
    def scans(self) -> int:
        """The number of scans."""
        return len(self.ranges)


def cost(
    key: Key,
    where: Mapping[str, Any],
    written: Sequence[tuple[bytes, int]],
    rows: Sequence[Mapping[str, Any]],
) -> Cost:
    """Compute the cost of a query.

    Args:
        where: Conditions as in `Key.range`, and on any columns.
        written: The row keys with the size of their cells, sorted.
        rows: The sample, in any order.
    """
    ranges = _narrowest(key, where)
    touched = [piece for one in ranges for piece in written[_place(written, one.start, 0) : _stop(written, one)]]
    returned = sum(all(_fits(row.get(name), wanted) for name, wanted in where.items()) for row in rows)
    whole = key.ranges()
    return Cost(tuple(ranges), len(touched), returned, sum(size for _, size in touched), ranges == whole)


def _narrowest(key: Key, where: Mapping[str, Any]) -> list[KeyRange]:
    """The ranges for as many of the conditions as the key can use, from its first part on."""
    best, used = key.ranges(), {}
    for name in key.fields:
        if name not in where:
            # A later part may still select a bucket.
            continue
        used[name] = where[name]
        try:
            best = key.ranges(used)
        except NotFoundError:
            return []
        except InvalidArgument:
            del used[name]
    return best


def _place(written: Sequence[tuple[bytes, int]], key: bytes, low: int) -> int:
    return bisect_left(written, (key, -1), low)


def _stop(written: Sequence[tuple[bytes, int]], one: KeyRange) -> int:
    return _place(written, one.stop, 0) if one.stop else len(written)


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, StartsWith):
        return bool(value.startswith(wanted.start))
    if isinstance(wanted, tuple) and len(wanted) == 2:
        low, high = wanted
        return (low is None or low <= value) and (high is None or value < high)
    return bool(value == wanted)
