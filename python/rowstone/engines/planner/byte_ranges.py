"""Sets of byte strings (row keys, values of cells) as sorted, disjoint ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rowstone.keys import KeyRange

Ranges = tuple[KeyRange, ...]

EVERYTHING: Ranges = (KeyRange(b"", b""),)
"""All byte strings."""


def union(ranges: Iterable[KeyRange]) -> Ranges:
    """Return the ranges sorted, with overlapping and adjacent ones joined, and empty ones left out."""
    found: list[KeyRange] = []
    for start, stop in sorted(ranges):
        if stop and stop <= start:
            continue
        if found and (not found[-1].stop or start <= found[-1].stop):
            last = found[-1]
            found[-1] = KeyRange(last.start, _later(last.stop, stop))
        else:
            found.append(KeyRange(start, stop))
    return tuple(found)


def intersection(left: Sequence[KeyRange], right: Sequence[KeyRange]) -> Ranges:
    """Return the keys that are in both; both are sorted and disjoint."""
    return union(_overlaps(left, right))


def complement(ranges: Sequence[KeyRange]) -> Ranges:
    """Return the byte strings that are in none of the ranges, which are sorted and disjoint."""
    found = []
    start = b""
    for one in ranges:
        if start < one.start:
            found.append(KeyRange(start, one.start))
        if not one.stop:
            return tuple(found)
        start = one.stop
    return (*found, KeyRange(start, b""))


def clip(ranges: Sequence[KeyRange], region: KeyRange) -> Ranges:
    """Return the part of the ranges in a region."""
    return intersection(ranges, (region,))


def _overlaps(left: Sequence[KeyRange], right: Sequence[KeyRange]) -> Iterator[KeyRange]:
    places = [0, 0]
    while places[0] < len(left) and places[1] < len(right):
        one, other = left[places[0]], right[places[1]]
        stop = _earlier(one.stop, other.stop)
        start = max(one.start, other.start)
        if not stop or start < stop:
            yield KeyRange(start, stop)
        places[0 if one.stop == stop else 1] += 1


def _earlier(left: bytes, right: bytes) -> bytes:
    return min(left, right) if left and right else left or right


def _later(left: bytes, right: bytes) -> bytes:
    return max(left, right) if left and right else b""
