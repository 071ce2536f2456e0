"""Patterns and candidates for hot keys of a table's heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.server.dashboard._markup import Markup
from rowstone.server.dashboard._parts import bar, code, link, section, table, tag
from rowstone.server.dashboard._site import Site, address_of
from rowstone.server.dashboard._words import percent

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap, HotKey, Pattern, Side

_SINGLE_ROW = 0.5
"""A key with more of the requests makes its whole range hot."""
_OF_REGIONS = "The servers count by region, so that only the first keys of regions are known."


def _single_row(pattern: Pattern, side: Side, period: str) -> HotKey | None:
    """The row that makes a range hot: it has more than half of the requests."""
    hottest = next(iter(side.hot_keys), None)
    if pattern.name != "hot range" or period == "servers" or hottest is None or hottest.share <= _SINGLE_ROW:
        return None
    return hottest


def _observation(pattern: Pattern, side: Side, period: str) -> tuple[str, str]:
    """A pattern's message and remedy. For a range that is hot because of one row, no split helps."""
    hottest = _single_row(pattern, side, period)
    if hottest is None:
        return pattern.message, pattern.remedy
    key, share = printable(hottest.row, 40), percent(hottest.share, 1)
    remedy = f"no split divides row '{key}', which has {share}: cache it in the program, or spread it over several rows"
    return f"{pattern.message}; {share} go to row '{key}' alone", remedy


def patterns(found: HeatMap, period: str) -> Markup:
    """The section with the patterns of reads and writes."""
    lines = [
        [name, tag(one.name), *_observation(one, side, period)]
        for name, side in (("reads", found.reads), ("writes", found.writes))
        for one in side.patterns
    ]
    listed = table(("Of", "Pattern", "Observation", "Remedy"), lines, empty="Too few reads and writes to tell.")
    return section("Patterns", listed, note="A pattern is an observation, not necessarily a problem.")


def hot_keys(site: Site, found: HeatMap, period: str) -> Markup:
    """The section with candidates for hot keys, each a link to its rows."""

    def link_rows(row: bytes) -> Markup:
        text = code(printable(row, 80))
        return link(address_of("rows", found.table, prefix=printable(row)), text) if site.has_data and row else text

    lines = [
        [
            link_rows(key.row),
            name,
            side.number_text(key.total),
            percent(key.share, 1),
            bar(key.share, 1, percent(key.share, 1)),
        ]
        for name, side in (("reads", found.reads), ("writes", found.writes))
        for key in side.hot_keys
    ]
    note = _OF_REGIONS if period == "servers" else "Keys are cut at 40 bytes."
    headings = ("Key", "Of", "Rows", "Share", "Bar")
    return section("Hot key candidates", table(headings, lines, numbers=(2, 3), empty="No key stands out."), note=note)
