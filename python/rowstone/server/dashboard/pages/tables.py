"""``/tables``: all tables; ``/tables/NAME``: a table with its regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import counted, printable
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, section, table, tag
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.pages import _one_table

if TYPE_CHECKING:
    from rowstone._base.stores import StoreStats

_HEADINGS = ("Table", "State", "Families", "Regions", "Files", "Size", "In memory", "Rows read", "Rows written")

_COUNTED = "Rows are counted since the regions were opened; the reads of these pages and of SQL count too."


def body(site: Site, request: Request) -> Markup:
    if request.rest:
        return _one_table.body(site, request)
    admin = site.database.admin
    sums = {one.table: one for one in admin.metrics.stores().sums("table")}
    rows = [_line(site, name, sums.get(name)) for name in admin.tables.list()]
    return joined(
        [
            markup("<h1>Tables</h1>"),
            section(
                counted(len(rows), "table"),
                table(_HEADINGS, rows, numbers=range(3, 9), empty="There are no tables."),
                note=_COUNTED if rows else "",
            ),
        ]
    )


def _line(site: Site, name: str, sums: StoreStats | None) -> list[object]:
    admin = site.database.admin
    families = ", ".join(printable(family) for family in admin.describe(name).families)
    state = tag("enabled", "good") if admin.tables.is_enabled(name) else tag("disabled", "warm")
    first: list[object] = [link(address_of("tables", name), name), state, families]
    if sums is None:
        return [*first, *[""] * 6]
    return [
        *first,
        count(admin.metrics.stats(name).get("regions", 0)),
        count(sums.store_files),
        size(sums.store_file_bytes),
        size(sums.memstore_bytes),
        count(sums.region_reads),
        count(sums.region_writes),
    ]
