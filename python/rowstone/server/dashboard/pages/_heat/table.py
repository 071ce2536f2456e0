"""Heat map of one table: the picture with the splits, zoom by key and time, patterns, hot keys, key ranges.

Totals are exact. Numbers of key ranges are estimates if not every row was sampled: they are shown as "about", and where
the sample has nothing, a field is empty.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rowstone._base.printable import from_printable, printable
from rowstone.errors import InvalidName, TableNotFound
from rowstone.server.dashboard._heat import PERIODS
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import bar, code, link, notice, section, table
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of, check_heat, no_table
from rowstone.server.dashboard.pages._heat.findings import hot_keys, patterns
from rowstone.server.dashboard.pages._heat.words import own_reads, part_totals, sample_rate, totals
from rowstone.server.dashboard.pages._key_axis import key_axis

if TYPE_CHECKING:
    from rowstone._base.stores import StoreStats
    from rowstone.schema.heat import HeatMap

_LASTS = {0: "all", 60: "last minute", 600: "last 10 minutes", 3600: "last hour"}
_ABOUT = "Keys downwards, time to the right. A time span ends at the last read or write."
_FEW = "too few to be sampled"
_OF_SAMPLE = "in the last process that used the directory, estimated from its sample"


def body(site: Site, request: Request) -> Markup:
    name = request.rest
    try:
        check_heat(site, request.database, name)
        period, whole = site.heat.choose(name, request.query.get("period", ""))
        regions = list(site.database.admin.metrics.stores(name).sums("region"))
    except (InvalidName, TableNotFound):
        raise no_table(request.database, name) from None
    if whole is None:
        raise NotFound(f"There is no heat map of table '{name}'.")
    start, stop = (from_printable(request.query.get(key, "")) for key in ("from", "to"))
    last = request.number("last", 0, least=0)
    title = markup("<h1>Heat map of {}</h1>", link(address_of("tables", name), name))
    mistake = _crossed(start, stop)
    form = _form(site, request, period, last, has_error=mistake is not None)
    if mistake is not None:
        return joined([title, section("Reads and writes", form, notice(mistake))])
    found = whole.zoom(start, stop, last_seconds=last or None)
    splits = [one.start_key for one in regions if one.start_key and one.start_key > start]
    splits = [split for split in splits if not stop or split < stop]
    lead = part_totals(found, whole, period) if start or stop or last else totals(whole, period)
    note = " ".join(filter(None, (lead, _ABOUT, sample_rate(found), own_reads(site, period))))
    drawn = markup('<div class="scroll heat" tabindex="0">{}</div>', Markup(found.svg(splits)))
    return joined(
        [
            title,
            section("Reads and writes", form, drawn, note=note),
            patterns(found, period),
            hot_keys(site, found, period),
            _ranges(found, {"period": period, "last": last}),
            key_axis(_counted(regions, whole), _OF_SAMPLE) if period == "last" else key_axis(regions),
        ]
    )


def _crossed(start: bytes, stop: bytes) -> str | None:
    """The mistake of a range that ends before it starts."""
    if not stop or start < stop:
        return None
    return f"row '{printable(start, 60)}' is not before row '{printable(stop, 60)}': the range has no keys"


def _counted(regions: list[StoreStats], found: HeatMap) -> list[StoreStats]:
    """The regions with the reads and writes of a map, as estimated from its sample."""
    starts = [one.start_key or b"" for one in regions]
    counts = zip(regions, found.reads.by_start(starts), found.writes.by_start(starts), strict=True)
    return [replace(one, region_reads=reads, region_writes=writes) for one, reads, writes in counts]


def _form(site: Site, request: Request, period: str, last: int, *, has_error: bool) -> Markup:
    def options(texts: dict[str, str], chosen: str) -> Markup:
        flags = {True: Markup(" selected"), False: ""}
        return joined(
            markup('<option value="{}"{}>{}</option>', key, flags[key == chosen], text) for key, text in texts.items()
        )

    wrong = ' aria-invalid="true"' if has_error else ""
    field = f'<label>{{}}<input type="search" name="{{}}" value="{{}}"{wrong}></label>'
    inputs = joined(
        markup(field, title, name, request.query.get(name, ""))
        for name, title in (("from", "From row"), ("to", "To row (excluded)"))
    )
    periods = {one: PERIODS[one] for one in site.heat.periods}
    choice = markup('<label class="filter">Traffic<select name="period">{}</select></label>', options(periods, period))
    traffic = choice if len(periods) > 1 else ""
    return markup(
        '<form class="query zoom" action="{}">{}'
        '<label>Time span<select name="last">{}</select></label>{}'
        '<div class="wide pages"><button>Show</button>{}</div></form>',
        address_of("heat", request.rest),
        inputs,
        options({str(key): text for key, text in _LASTS.items()}, str(last)),
        traffic,
        markup('<a class="button" href="{}">Whole map</a>', address_of("heat", request.rest, period=period)),
    )


def _ranges(found: HeatMap, kept: dict[str, object]) -> Markup:
    """Key ranges from the first key to the last with their numbers, each a link to the map of its part."""
    sides = (found.reads, found.writes)
    sums = [[sum(column) for column in zip(*side.cells, strict=True)] or [0.0] * len(side.starts) for side in sides]
    starts = found.reads.starts
    seen = [place for place, start in enumerate(starts) if start]
    most = max((sum(numbers) for numbers in zip(*sums, strict=True)), default=0)
    lines = []
    for index, place in enumerate(seen):
        first = starts[place] if index else found.start
        stop = starts[seen[index + 1]] if index + 1 < len(seen) else found.stop
        to = address_of("heat", found.table, **{"from": printable(first), "to": printable(stop)}, **kept)
        ends = [code(printable(key, 80)) if key else text for key, text in ((first, "first key"), (stop, "last key"))]
        reads, writes = (side.number_text(numbers[place]) for numbers, side in zip(sums, sides, strict=True))
        both = sum(numbers[place] for numbers in sums)
        share = bar(both, most, f"read: {reads or _FEW}, written: {writes or _FEW}")
        lines.append([link(to, ends[0]), ends[1], reads, writes, share])
    headings = ("From", "Before", "Rows read", "Rows written", "Both")
    drawn = table(headings, lines, numbers=(2, 3), empty="No rows.")
    listed = markup('<div class="data">{}</div>', drawn)
    empty = f" An empty field: {_FEW}." if any(side.is_sample for side in sides) else ""
    return section("Rows by key range", listed, note=f"A link shows the heat map of its range alone.{empty}")
