"""Section with a table's regions along the key axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._core.inspect.key_axis import draw_regions, region_words, regions_per_box
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._parts import section
from rowstone.server.dashboard._words import count

if TYPE_CHECKING:
    from rowstone._base.stores import StoreStats


def key_axis(regions: list[StoreStats], counted: str = "since the regions were opened") -> Markup:
    """Regions as boxes, by size, reads and writes; nothing for a table without regions. ``counted``: the time of the
    reads and writes."""
    if not regions:
        return Markup("")
    step, splits = regions_per_box(len(regions)), len(regions) - 1
    ends = "" if splits == 1 else "s"
    boxes = f"Keys to the right; each box is {region_words(step)}, a fuller color is more. {count(splits)} split{ends}."
    drawn = markup('<figure class="plot strips">{}</figure>', Markup(draw_regions(regions)))
    return section("Regions in key order", drawn, note=f"{boxes} Rows are counted {counted}.")
