"""``/heat``: tables by activity; ``/heat/NAME``: the heat map of a table."""

from __future__ import annotations

from rowstone.errors import InvalidName, TableNotFound
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, section, table, tag
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of
from rowstone.server.dashboard._words import count

_HEADINGS = ("Table", "Rows read", "Rows written", "Pattern")
_SHOWN = 100


def body(site: Site, request: Request) -> Markup:
    return _map(site, request.rest) if request.rest else _all(site)


def _all(site: Site) -> Markup:
    admin = site.database.admin
    rows = []
    for name in admin.tables.list()[:_SHOWN]:
        if admin.metrics.was_used(name):
            found = admin.metrics.heat_map(name)
            patterns = dict.fromkeys(str(one) for one in (*found.reads.patterns, *found.writes.patterns))
            words = joined(markup("{} ", tag(pattern)) for pattern in patterns)
            rows.append(
                [link(address_of("heat", name), name), count(found.reads.total), count(found.writes.total), words]
            )
    listed = table(_HEADINGS, rows, numbers=(1, 2), empty="No table was read or written yet.")
    return joined([markup("<h1>Heat map</h1>"), section("Tables", listed, note="Since the database was opened.")])


def _map(site: Site, name: str) -> Markup:
    try:
        found = site.database.admin.metrics.heat_map(name)
    except (InvalidName, TableNotFound):
        raise NotFound(f"There is no table '{name}'.") from None
    drawn = markup('<div class="heat">{}</div>', Markup(found.svg()))
    lead = "Keys downwards, time to the right; darker is more."
    return joined(
        [
            markup("<h1>Heat map of {}</h1>", link(address_of("tables", name), name)),
            section("Reads and writes", drawn, note=lead),
        ]
    )
