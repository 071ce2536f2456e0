"""``/advice/NAME``: schema advice, with the observation, the reason and the remedy of each finding.

The rules examine the schema, the files, the counters of regions and a sample of the data. The sample has the limits of
a page; if it reaches one, the rules run without data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.errors import TableNotFound
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, notice, section, table, tag
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import head

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.schema.advise import Advice, Report

_ROWS_PER_REGION = 100
_KINDS = {"error": "bad", "warning": "warm", "info": ""}


class _Ended(Exception):
    """A limit ended the sample."""


def body(site: Site, request: Request, budget: Budget) -> Markup:
    name, cut = request.rest, None
    if name not in request.database.admin.tables.list():
        raise TableNotFound(f"There is no table '{name}'.")
    try:
        report = _report(request.database, name, _ROWS_PER_REGION, budget)
    except _Ended as limit:
        cut = f"the limit of {limit} ended the sample: rules that need data had none"
        report = _report(request.database, name, 0, budget)
    headings = ("Level", "Rule", "Where", "Finding", "Reason", "Remedy", "Source")
    lines = [_line(one) for one in report.findings]
    silent = table(("Rule", "Needs"), [(code(rule), needs) for rule, needs in report.silent.items()])
    read = f"A sample of {size(budget.bytes)} was read. The absence of findings proves nothing."
    return joined(
        [
            head("schema advice", name),
            notice(cut),
            section(f"{count(len(lines))} findings", table(headings, lines, empty="No findings."), note=read),
            section("Rules without input", silent, note="They need statistics or data that are not known here."),
        ]
    )


def _line(one: Advice) -> list[object]:
    rule = markup("{} {}", code(one.code), one.name)
    return [tag(one.level, _KINDS[one.level]), rule, one.place, one.message, one.reason, one.remedy, one.source]


def _report(database: Database, name: str, rows_per_region: int, budget: Budget) -> Report:
    from rowstone.schema.advise import Access, advise

    def spend(byte_count: int) -> None:
        if limit := budget.spend(byte_count):
            raise _Ended(limit)

    regions = database.admin.metrics.stores(name).sums("region")
    writes = {one.start_key or b"": one.region_writes for one in regions if one.region_writes}
    access = {name: Access(region_writes=writes)} if writes else None
    return advise(database, [name], access=access, rows_per_region=rows_per_region, spend=spend)
