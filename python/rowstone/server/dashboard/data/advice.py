"""``/advice/NAME``: schema advice, with the observation, the reason and the remedy of each finding.

The rules examine the schema, the files, the counters of regions, the heat map and a sample of the data. The sample has
the limits of a page; if it reaches one, the rules run without data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import counted
from rowstone.errors import TableNotFound
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table, tag
from rowstone.server.dashboard._site import Request, Site, address_of, may_see_heat
from rowstone.server.dashboard._words import size
from rowstone.server.dashboard.data._budget import Budget

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.schema.advise import Access, Advice, Report

_ROWS_PER_REGION = 100
_KINDS = {"error": "bad", "warning": "warm", "info": ""}


class _Ended(Exception):
    """A limit ended the sample."""


def body(site: Site, request: Request, budget: Budget) -> Markup:
    name, cut = request.rest, None
    if name not in request.database.admin.tables.list():
        raise TableNotFound(f"There is no table '{name}'.")
    access = _access(site, request.database, name)
    try:
        report = _report(request.database, name, access, _ROWS_PER_REGION, budget)
    except _Ended as limit:
        cut = f"the limit of {limit} ended the sample: rules that need data had none"
        report = _report(request.database, name, access, 0, budget)
    headings = ("Rule", "Where", "Finding", "Reason", "Remedy", "Source")
    lines = [_line(one) for one in report.findings]
    read = f"A sample of {size(budget.bytes)} was read. The absence of findings proves nothing."
    return joined(
        [
            markup("<h1>Schema advice for {}</h1>", link(address_of("tables", name), name)),
            notice(cut),
            section(counted(len(lines), "finding"), table(headings, lines, empty="No findings."), note=read),
            _without_input(report),
        ]
    )


def _line(one: Advice) -> list[object]:
    rule = markup("{} {} {}", tag(one.level, _KINDS[one.level]), code(one.code), one.name)
    return [rule, one.place, one.message, one.reason, one.remedy, one.source]


def _without_input(report: Report) -> Markup:
    """The rules that did not run, with what they need."""
    from rowstone.schema import advise

    names = {rule.code: rule.name for rule in advise.rules()}
    lines = [(markup("{} {}", code(one), names[one]), needs) for one, needs in report.silent.items()]
    note = (
        "They need statistics or data that are not known here. Access: counts of gets, scans and columns, which the "
        "command {} reads from a file."
    )
    return section(
        "Rules that were not checked",
        table(("Rule", "Needs"), lines),
        note=markup(note, code("rowstone advise --access")),
    )


def _access(site: Site, database: Database, name: str) -> Access | None:
    """The writes by region and the rows that are written most: as counted, or else as in the heat map."""
    from rowstone.schema.advise import Access

    regions = database.admin.metrics.stores(name).sums("region")
    starts = [one.start_key or b"" for one in regions]
    writes = {start: one.region_writes for start, one in zip(starts, regions, strict=True) if one.region_writes}
    # The servers of a cluster count by region only, and a heat map of them would have to be polled first.
    is_shown = "servers" not in site.heat.periods and may_see_heat(site, database, name)
    found = site.heat.choose(name, "")[1] if is_shown else None
    if found is None:
        return Access(region_writes=writes) if writes else None
    hot = tuple(key.row for key in found.writes.hot_keys)
    by_region = {start: number for start, number in zip(starts, found.writes.by_start(starts), strict=True) if number}
    return Access(region_writes=writes or by_region, hot_rows=hot) if writes or by_region else None


def _report(database: Database, name: str, access: Access | None, rows_per_region: int, budget: Budget) -> Report:
    from rowstone.schema.advise import advise

    def spend(byte_count: int) -> None:
        if limit := budget.spend(byte_count):
            raise _Ended(limit)

    known = {name: access} if access is not None else None
    return advise(database, [name], access=known, rows_per_region=rows_per_region, spend=spend)
