"""Regions of a table along the key axis: strips of boxes for size, reads and writes, with the splits between them."""

from collections.abc import Callable, Sequence

from rowstone._base.printable import counted, printable
from rowstone._base.stores import StoreStats
from rowstone._core.inspect import svg

MOST_BOXES = 100
"""With more regions, adjacent ones share a box."""
_TICKS = 3
_TICK_BYTES = 10


def regions_per_box(regions: int) -> int:
    """Number of adjacent regions that share a box."""
    return -(-regions // MOST_BOXES)


def region_words(step: int) -> str:
    """The regions of a box in words."""
    return "a region" if step == 1 else f"{step} adjacent regions"


def draw_regions(regions: Sequence[StoreStats]) -> str:
    """Draw sums over the regions of one table, in the order of their keys."""
    step = regions_per_box(len(regions))
    groups = [regions[first : first + step] for first in range(0, len(regions), step)]
    where = region_words(step)
    lines = [
        _strip(("Size", "byte"), where, groups, lambda one: (one.store_file_bytes or 0) + (one.memstore_bytes or 0)),
        _strip(("Rows read", "row"), where, groups, lambda one: one.region_reads or 0),
        _strip(("Rows written", "row"), where, groups, lambda one: one.region_writes or 0),
    ]
    marked = sorted({number * len(groups) // _TICKS for number in range(_TICKS)})
    ticks = [(number, printable(groups[number][0].start_key or b"", _TICK_BYTES) or "first key") for number in marked]
    return svg.strips(lines, ticks, "Regions in key order")


def _strip(
    title: tuple[str, str], where: str, groups: Sequence[Sequence[StoreStats]], number: Callable[[StoreStats], int]
) -> tuple[str, list[tuple[str, float]]]:
    """A strip, with the noun of its numbers, and its boxes."""
    (name, noun), boxes = title, []
    for group in groups:
        total, first = sum(map(number, group)), group[0].start_key
        boxes.append(
            (f"from {printable(first, 60) if first else 'the first key'}: {counted(total, noun)}", float(total))
        )
    return f"{name}: at most {counted(round(max(total for _, total in boxes)), noun)} in {where}", boxes
