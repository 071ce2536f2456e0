"""Regions and where they begin."""

from __future__ import annotations

from rowstone import splits
from rowstone.schema.advise import Access
from tests.advise.case import DAY_MS, NOW_MS, Case, puts

QUARTERS = ["4", "8", "c"]


def hot_region(is_bad: bool) -> Case:
    counts = {b"": 50, b"4": 10, b"8": 10, b"c": 30} if is_bad else {b"": 49, b"4": 11, b"8": 10, b"c": 30}
    return Case(splits=QUARTERS, access=Access(region_writes=counts))


def unreachable_splits(is_bad: bool) -> Case:
    """Hex keys; split by bytes from '0' to 'f', of which three of ten regions get something, and by hex digits."""
    by_bytes = splits.split_range("0" * 16, "f" * 16, 8)[1:]
    keys = [b"%016x" % (number * 2**64 // 200) for number in range(200)]
    rows = [(key, {"f:q": "v"}, NOW_MS) for key in keys]
    chosen = by_bytes if is_bad else splits.hex_keys("0", "f" * 16, 10)
    return Case(puts=rows, splits=chosen)  # type: ignore[arg-type]


def too_early_to_judge(is_bad: bool) -> Case:
    """Keys in half of the regions; a few, or enough to say so."""
    rows = [(f"{number:02}", {"f:q": "v"}, NOW_MS) for number in range(20 if is_bad else 19)]
    return Case(puts=rows, splits=["1", "a", "b"])


def load_without_splits(is_bad: bool) -> Case:
    return Case(splits=[] if is_bad else QUARTERS, plans={"planned_load_bytes": 2e9})


def region_size(is_bad: bool) -> Case:
    limits = {"regions": 3, "small_bytes": 1e9 if is_bad else 100}
    return Case(puts=puts(3, q="v"), splits=QUARTERS, flushes=1, limits=limits)


def many_active_regions(is_bad: bool) -> Case:
    """Four regions with rows, of today or of yesterday."""
    time = NOW_MS - (DAY_MS if is_bad else DAY_MS + 1)
    rows = [(key, {"f:q": "v"}, time) for key in ("2", "6", "a", "e")]
    return Case(puts=rows, splits=QUARTERS, limits={"regions": 3})


EXAMPLES = {
    "L08": hot_region,
    "L10": unreachable_splits,
    "L10, early": too_early_to_judge,
    "L11": load_without_splits,
    "L29": region_size,
    "L30": many_active_regions,
}
