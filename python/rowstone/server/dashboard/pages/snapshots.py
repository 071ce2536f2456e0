"""``/snapshots``: the snapshots of tables."""

from __future__ import annotations

from rowstone._base.printable import counted
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import moment, since

_HEADINGS = ("Snapshot", "Table", "Taken (UTC)", "Kept for", "By")


def body(site: Site, request: Request) -> Markup:
    found = sorted(site.database.admin.snapshots.list(), key=lambda one: -one.created_ms)
    tables = set(site.database.admin.tables.list())
    rows = [
        [
            one.name,
            link(address_of("tables", one.table), one.table) if one.table in tables else one.table,
            moment(one.created_ms),
            since(one.ttl_seconds) if one.ttl_seconds else "ever",
            one.owner,
        ]
        for one in found
    ]
    listed = table(_HEADINGS, rows, empty="There are no snapshots.")
    return joined([markup("<h1>Snapshots</h1>"), section(counted(len(rows), "snapshot"), listed)])
