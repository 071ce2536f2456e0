"""``/memory``: memstores by table, the cache, and the process."""

from __future__ import annotations

from rowstone._base.printable import counted
from rowstone.errors import UnsupportedOperation
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import bar, cards, link, section, table
from rowstone.server.dashboard._process import process
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, percent, since, size

_SHOWN = 50
_HEADINGS = ("Table", "Regions", "Recent writes", "Cells", "Index", "Bloom filters", "")


def _limit(site: Site) -> tuple[str, str, str]:
    """The card with the memory that the process may have."""
    try:
        limits = site.database.admin.metrics.memory_limits()
    except UnsupportedOperation:
        return ("Memory limit", "unknown", "the database is a cluster")
    if limits.process_bytes is None:
        return ("Memory limit", "unknown", "")
    return ("Memory limit", size(limits.process_bytes), f"by {limits.process_source}")


def body(site: Site, request: Request) -> Markup:
    stats = site.database.admin.metrics.stats()
    own = process()
    whole = stats.get("memstore_bytes", 0)
    sums = sorted(site.database.admin.metrics.stores().sums("table"), key=lambda one: -(one.memstore_bytes or 0))
    regions = {
        name: site.database.admin.metrics.stats(name).get("regions", 0) for name in (one.table for one in sums[:_SHOWN])
    }
    rows = [
        [link(address_of("tables", one.table), one.table), count(regions[one.table]), size(one.memstore_bytes),
         count(one.memstore_cells), size(one.index_bytes), size(one.bloom_bytes),
         bar(one.memstore_bytes or 0, whole, f"{percent(one.memstore_bytes or 0, whole)} of all recent writes")]
        for one in sums[:_SHOWN]
    ]  # fmt: skip
    return joined(
        [
            markup("<h1>Memory</h1>"),
            cards(
                [
                    ("Process", size(own.resident_bytes), f"{count(own.threads)} threads"),
                    _limit(site),
                    ("Recent writes", size(whole), f"of {size(stats.get('memstore_limit_bytes', 0))}"),
                    ("Block cache", size(stats.get("cache_bytes", 0)), f"of {size(stats.get('cache_limit_bytes', 0))}"),
                    ("Log", size(stats.get("log_bytes", 0)), counted(stats.get("logs", 0), "file")),
                    ("Open files", count(own.open_files), f"of {count(own.open_files_limit)}"),
                    ("Processor", since(own.cpu_seconds), f"in {since(own.age_seconds)}"),
                ]
            ),
            section("Tables", table(_HEADINGS, rows, numbers=range(1, 6), empty="There are no tables."),
                    note="Those with the most recent writes first."),
        ]
    )  # fmt: skip
