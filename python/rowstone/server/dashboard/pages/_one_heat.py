"""Heat map of one table: the picture with the splits, zoom by key and time, patterns, hot keys, key ranges."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from rowstone._base.printable import from_printable, printable
from rowstone.errors import InvalidName, TableNotFound
from rowstone.server.dashboard._heat import PERIODS
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import bar, code, link, section, table, tag
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of, no_table
from rowstone.server.dashboard._words import count, percent
from rowstone.server.dashboard.pages._key_axis import key_axis

if TYPE_CHECKING:
    from rowstone._base.stores import StoreStats
    from rowstone.schema.heat import HeatMap, Pattern, Side

_LASTS = {0: "all", 60: "last minute", 600: "last 10 minutes", 3600: "last hour"}
_OF_SAMPLE = "in the last process that used the directory, estimated from its sample"
_SINGLE_ROW = 0.5
"""A key with more of the requests makes its whole range hot."""
_OF_REGIONS = "The servers count by region, so that only the first keys of regions are known."


def body(site: Site, request: Request) -> Markup:
    name = request.rest
    try:
        period, whole = site.heat.choose(name, request.query.get("period", ""))
        regions = list(site.database.admin.metrics.stores(name).sums("region"))
    except (InvalidName, TableNotFound):
        raise no_table(request.database, name) from None
    if whole is None:
        raise NotFound(f"There is no heat map of table '{name}'.")
    start, stop = (from_printable(request.query.get(key, "")) for key in ("from", "to"))
    last = request.number("last", 0, least=0)
    found = whole.zoom(start, stop, last_seconds=last or None)
    splits = [one.start_key for one in regions if one.start_key and one.start_key > start]
    splits = [split for split in splits if not stop or split < stop]
    lead = f"{totals(whole, period)} Keys downwards, time to the right; a fuller colour is more."
    drawn = markup('<div class="scroll heat" tabindex="0">{}</div>', Markup(found.svg(splits)))
    return joined(
        [
            markup("<h1>Heat map of {}</h1>", link(address_of("tables", name), name)),
            section("Reads and writes", _form(site, request, period, last), drawn, note=lead),
            _patterns(found, period),
            _hot_keys(site, found, period),
            _ranges(found, request.query.get("to", ""), {"period": period, "last": last}),
            key_axis(_counted(regions, whole), _OF_SAMPLE) if period == "last" else key_axis(regions),
        ]
    )


def totals(found: HeatMap, period: str) -> str:
    """A sentence with the rows that were read and written in a period."""
    said = PERIODS[period]
    return f"{said[:1].upper()}{said[1:]}: {count(found.reads.total)} rows read, {count(found.writes.total)} written."


def _counted(regions: list[StoreStats], found: HeatMap) -> list[StoreStats]:
    """The regions with the reads and writes of a map, as estimated from its sample."""
    starts = [one.start_key or b"" for one in regions]

    def sums(side: Side) -> list[float]:
        totals = [0.0] * len(starts)
        for window in side.windows:
            for row, weight in window.rows:
                totals[bisect_right(starts, row) - 1] += weight
        return totals

    return [
        replace(one, region_reads=round(reads), region_writes=round(writes))
        for one, reads, writes in zip(regions, sums(found.reads), sums(found.writes), strict=True)
    ]


def _form(site: Site, request: Request, period: str, last: int) -> Markup:
    def options(texts: dict[str, str], chosen: str) -> Markup:
        flags = {True: Markup(" selected"), False: ""}
        return joined(
            markup('<option value="{}"{}>{}</option>', key, flags[key == chosen], text) for key, text in texts.items()
        )

    inputs = joined(
        markup('<label>{}<input type="search" name="{}" value="{}"></label>', title, name, request.query.get(name, ""))
        for name, title in (("from", "From row"), ("to", "To row (excluded)"))
    )
    periods = {one: PERIODS[one] for one in site.heat.periods}
    return markup(
        '<form class="query zoom" action="{}">{}<label>Time<select name="last">{}</select></label>'
        '<label class="filter">Traffic<select name="period">{}</select></label>'
        '<div class="wide pages"><button>Show</button>{}</div></form>',
        address_of("heat", request.rest),
        inputs,
        options({str(key): text for key, text in _LASTS.items()}, str(last)),
        options(periods, period),
        markup('<a class="button" href="{}">Whole map</a>', address_of("heat", request.rest, period=period)),
    )


def _remedy(pattern: Pattern, side: Side, period: str) -> str:
    """The remedy of a pattern. For a range that is hot because of one row, no split helps."""
    hottest = next(iter(side.hot_keys), None)
    if pattern.name != "hot range" or period == "servers" or hottest is None or hottest.share <= _SINGLE_ROW:
        return pattern.remedy
    key, share = printable(hottest.row, 40), percent(hottest.share, 1)
    return f"no split divides row '{key}', which has {share}: cache it in the program, or spread it over several rows"


def _patterns(found: HeatMap, period: str) -> Markup:
    lines = [
        [name, tag(one.name), one.message, _remedy(one, side, period)]
        for name, side in (("reads", found.reads), ("writes", found.writes))
        for one in side.patterns
    ]
    listed = table(("Of", "Pattern", "Observation", "Remedy"), lines, empty="Fewer than 100 reads and writes.")
    return section("Patterns", listed, note="A pattern is an observation, not necessarily a problem.")


def _hot_keys(site: Site, found: HeatMap, period: str) -> Markup:
    def link_rows(row: bytes) -> Markup:
        text = code(printable(row, 80))
        return link(address_of("rows", found.table, prefix=printable(row)), text) if site.has_data and row else text

    lines = [
        [
            link_rows(key.row),
            name,
            count(round(key.total)),
            percent(key.share, 1),
            bar(key.share, 1, percent(key.share, 1)),
        ]
        for name, side in (("reads", found.reads), ("writes", found.writes))
        for key in side.hot_keys
    ]
    note = _OF_REGIONS if period == "servers" else "Estimates from a sample; keys are cut at 40 bytes."
    headings = ("Key", "Of", "Rows", "Share", "Bar")
    return section("Hot key candidates", table(headings, lines, numbers=(2, 3), empty="No key stands out."), note=note)


def _ranges(found: HeatMap, end: str, kept: dict[str, object]) -> Markup:
    """Key ranges with their numbers, each a link to the map of its part."""
    sides = [[sum(column) for column in zip(*side.cells, strict=True)] for side in (found.reads, found.writes)]
    starts = next((side.starts for side in (found.reads, found.writes) if side.windows), ())
    seen = [place for place, start in enumerate(starts) if start]
    most = max((sum(numbers) for numbers in zip(*filter(None, sides), strict=True)), default=0)
    lines = []
    for place, after in pairwise([*seen, None]):
        if place is None:
            continue
        reads, writes = (side[place] if side else 0 for side in sides)
        stop = end if after is None else printable(starts[after])
        to = address_of("heat", found.table, **{"from": printable(starts[place]), "to": stop}, **kept)
        first = link(to, code(printable(starts[place], 80)))
        share = bar(reads + writes, most, f"{count(round(reads + writes))} rows")
        lines.append([first, count(round(reads)), count(round(writes)), share])
    listed = table(("First key", "Rows read", "Rows written", "Both"), lines, numbers=(1, 2), empty="No rows.")
    return section(
        "Key ranges", markup('<div class="data">{}</div>', listed), note="A link shows the heat map of its range alone."
    )
