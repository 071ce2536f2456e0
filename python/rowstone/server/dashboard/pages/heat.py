"""``/heat``: tables by activity; ``/heat/NAME``: the heat map of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.errors import InvalidName, NotFoundError, TableNotFound
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, section, table, tag
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of
from rowstone.server.dashboard._words import count

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap

_HEADINGS = ("Table", "Rows read", "Rows written", "Pattern")
_SHOWN = 100
_PERIODS = ("Since the database was opened.", "The last process that used the directory.")


def body(site: Site, request: Request) -> Markup:
    return _map(site, request.rest) if request.rest else _all(site)


def _all(site: Site) -> Markup:
    rows = []
    for name in site.database.admin.tables.list()[:_SHOWN]:
        found = _find(site, name)
        if found is not None:
            patterns = dict.fromkeys(str(one) for one in (*found.reads.patterns, *found.writes.patterns))
            words = joined(markup("{} ", tag(pattern)) for pattern in patterns)
            rows.append(
                [link(address_of("heat", name), name), count(found.reads.total), count(found.writes.total), words]
            )
    listed = table(_HEADINGS, rows, numbers=(1, 2), empty="No table was read or written yet.")
    return joined([markup("<h1>Heat map</h1>"), section("Tables", listed, note=_PERIODS[bool(site.saved_heat)])])


def _find(site: Site, name: str, *, is_used: bool = False) -> HeatMap | None:
    """The heat map of a table; None if it was not used. ``is_used``: also an empty map."""
    metrics = site.database.admin.metrics
    if not site.saved_heat:
        return metrics.heat_map(name) if is_used or metrics.was_used(name) else None
    from rowstone.schema.heat import load

    try:
        return load(site.saved_heat, name)
    except NotFoundError:
        return None


def _map(site: Site, name: str) -> Markup:
    try:
        found = _find(site, name, is_used=True)
    except (InvalidName, TableNotFound):
        raise NotFound(f"There is no table '{name}'.") from None
    if found is None:
        raise NotFound(f"There is no heat map of table '{name}'.")
    drawn = markup('<div class="heat">{}</div>', Markup(found.svg()))
    lead = f"Keys downwards, time to the right; darker is more. {_PERIODS[bool(site.saved_heat)]}"
    return joined(
        [
            markup("<h1>Heat map of {}</h1>", link(address_of("tables", name), name)),
            section("Reads and writes", drawn, note=lead),
        ]
    )
