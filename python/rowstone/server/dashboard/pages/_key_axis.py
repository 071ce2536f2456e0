"""Regions of a table along the key axis: size, reads and writes as strips of boxes, splits between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._core.inspect import svg
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._parts import section
from rowstone.server.dashboard._words import count, size

if TYPE_CHECKING:
    from collections.abc import Callable

    from rowstone._base.stores import StoreStats

_MOST_BOXES = 100
_TICKS = 3
_TICK_BYTES = 10


def key_axis(regions: list[StoreStats]) -> Markup:
    """A section with the strips; nothing for a table without regions. With more than 100 regions, adjacent ones share
    a box."""
    if not regions:
        return Markup("")
    step = -(-len(regions) // _MOST_BOXES)
    groups = [regions[first : first + step] for first in range(0, len(regions), step)]
    lines = [
        _strip("Size", groups, size, lambda one: (one.store_file_bytes or 0) + (one.memstore_bytes or 0)),
        _strip("Rows read", groups, count, lambda one: one.region_reads or 0),
        _strip("Rows written", groups, count, lambda one: one.region_writes or 0),
    ]
    marked = sorted({number * len(groups) // _TICKS for number in range(_TICKS)})
    ticks = [(number, printable(groups[number][0].start_key or b"", _TICK_BYTES) or "first key") for number in marked]
    drawn = svg.strips(lines, ticks, "Key range")
    each = "a region" if step == 1 else f"{step} adjacent regions"
    note = f"Keys to the right; each box is {each}, darker is more. {_splits(len(regions) - 1)}."
    return section("Key range", markup('<figure class="plot strips">{}</figure>', Markup(drawn)), note=note)


def _strip(
    title: str, groups: list[list[StoreStats]], text: Callable[[float], str], number: Callable[[StoreStats], int]
) -> tuple[str, list[tuple[str, float]]]:
    boxes = []
    for group in groups:
        total, first = sum(map(number, group)), group[0].start_key
        boxes.append((f"from {printable(first, 60) if first else 'the first key'}: {text(total)}", float(total)))
    highest = max(total for _, total in boxes)
    return f"{title}, at most {text(highest)} in a box", boxes


def _splits(number: int) -> str:
    return f"{count(number)} split{'' if number == 1 else 's'}"
