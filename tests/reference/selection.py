"""Selection of files for a compaction: HBase's exploring policy for small files.

Every run of neighboring files, between the least and the greatest number of files, is considered;
the one with most files wins, then the one with fewest bytes, then the first. (The policy's size
ratio only matters above the flush size of 128 MiB, which no script reaches.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference.schema import Family


@dataclass(frozen=True)
class Selection:
    """`count` files beginning with number `first`, oldest file first."""

    first: int
    count: int
    major: bool
    all_files: bool


def choose_files(
    sizes: Sequence[int],
    family: Family,
    major_requested: bool,
    by_user: bool,
    window: tuple[int, int] | None = None,
) -> Selection | None:
    """The selection, or None if there are too few files.

    A window forces exactly those files, as a script's `minor` does. A requested major compaction
    of at least the greatest number of files is only honored for a user's request.
    """
    total = len(sizes)
    trying_major = major_requested and (by_user or total < family.compaction_max_files)
    if trying_major:
        first, count = 0, total
    elif window is not None:
        first, count = window if sum(window) <= total else (0, 0)
        if count < family.compaction_min_files:
            count = 0
        count = min(count, family.compaction_max_files)
    else:
        first, count = _explore(sizes, family)
    if count == 0:
        return None
    all_files = count == total
    return Selection(first, count, major=trying_major and all_files, all_files=all_files)


def _explore(sizes: Sequence[int], family: Family) -> tuple[int, int]:
    best = (0, 0)
    best_size = 0
    for first in range(len(sizes)):
        for count in range(family.compaction_min_files, family.compaction_max_files + 1):
            if first + count > len(sizes):
                break
            size = sum(sizes[first : first + count])
            if count > best[1] or (count == best[1] and size < best_size):
                best, best_size = (first, count), size
    return best


def is_close_call(sizes: Sequence[int], family: Family) -> bool:
    """Whether file sizes decide, by a margin smaller than the model's sizes are exact."""
    count = min(len(sizes), family.compaction_max_files)
    if count == len(sizes) or count < family.compaction_min_files:
        return False
    totals = sorted(sum(sizes[i : i + count]) for i in range(len(sizes) - count + 1))
    return totals[1] - totals[0] < 16_384
