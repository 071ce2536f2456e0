"""``/heat``: tables by activity; ``/heat/NAME``: the heat map of a table."""

from __future__ import annotations

from collections.abc import Iterator

from rowstone.server.dashboard._heat import PERIODS
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, section, table, tag
from rowstone.server.dashboard._site import Request, Site, address_of, may_see_heat
from rowstone.server.dashboard._words import count
from rowstone.server.dashboard.pages._heat import table as one_table
from rowstone.server.dashboard.pages._heat.words import own_reads

_HEADINGS = ("Table", "Rows read", "Rows written", "Pattern")
_SHOWN = 100


def body(site: Site, request: Request) -> Markup:
    if request.rest:
        return one_table.body(site, request)
    period = site.heat.period(request.query.get("period", ""))
    lines = _counters(site) if period == "servers" else _maps(site, request, period)
    listed = table(_HEADINGS, lines, numbers=(1, 2), empty="No table was read or written yet.")
    own = own_reads(site, period)
    note = joined([markup("Shown: {}. {}", PERIODS[period], f"{own} " if own else ""), *_others(site, period)])
    return joined([markup("<h1>Heat map</h1>"), section("Tables", listed, note=note)])


def _others(site: Site, shown: str) -> Iterator[Markup]:
    for period in site.heat.periods:
        if period != shown:
            yield markup("Other traffic: {}.", link(address_of("heat", period=period), PERIODS[period]))


def _maps(site: Site, request: Request, period: str) -> Iterator[list[object]]:
    """A line for each table that was used. Patterns name keys."""
    for name in site.database.admin.tables.list()[:_SHOWN]:
        found = site.heat.find(name, period)
        if found is not None:
            sides = (("reads", found.reads), ("writes", found.writes))
            is_shown = may_see_heat(site, request.database, name)
            patterns = [f"{of} {pattern}" for of, side in sides for pattern in side.patterns] if is_shown else []
            words = joined(markup("{} ", tag(pattern)) for pattern in patterns)
            shown = link(address_of("heat", name, period=period), name)
            yield [shown, count(found.reads.total), count(found.writes.total), words]


def _counters(site: Site) -> Iterator[list[object]]:
    """A line for each table of a cluster, with the counters of its regions."""
    sums = {one.table: one for one in site.database.admin.metrics.stores().sums("table")}
    for name in site.database.admin.tables.list()[:_SHOWN]:
        one = sums.get(name)
        numbers = ("", "") if one is None else (count(one.region_reads), count(one.region_writes))
        yield [link(address_of("heat", name), name), *numbers, ""]
