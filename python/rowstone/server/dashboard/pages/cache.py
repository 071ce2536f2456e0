"""``/cache``: the content of the block cache, and its hit rates."""

from __future__ import annotations

from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import bar, cards, link, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, percent, size

_HEADINGS = ("Table", "Family", "Found", "Read from files", "Share found", "")


def body(site: Site, request: Request) -> Markup:
    stats = site.database.admin.metrics.stats()
    held, limit = stats.get("cache_bytes", 0), stats.get("cache_limit_bytes", 0)
    hits, misses = stats.get("cache_hits", 0), stats.get("cache_misses", 0)
    parts = [
        markup("<h1>Block cache</h1>"),
        cards(
            [
                ("Held", size(held), f"of {size(limit)}, {count(stats.get('cache_blocks'))} blocks"),
                ("Share found", percent(hits, hits + misses), "of blocks asked for"),
                ("Found", count(hits), "blocks"),
                ("Read from files", count(misses), "blocks"),
            ]
        ),
        section("Full to", bar(held, limit, f"{percent(held, limit)} of the cache is in use")),
    ]
    asked = [one for one in site.database.admin.metrics.stores().sums("family") if one.cache_hits or one.cache_misses]
    rows = []
    for one in sorted(asked, key=lambda each: -((each.cache_hits or 0) + (each.cache_misses or 0))):
        found, read = one.cache_hits or 0, one.cache_misses or 0
        share = percent(found, found + read)
        rows.append(
            [link(address_of("tables", one.table), one.table), one.family, count(found), count(read), share,
             bar(found, found + read, f"{share} found")]
        )  # fmt: skip
    listed = table(_HEADINGS, rows, numbers=(2, 3, 4), empty="No block was asked for.")
    parts.append(section("Families", listed, note="Since their regions were opened."))
    return joined(parts)
