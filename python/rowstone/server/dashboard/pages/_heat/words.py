"""Sentences about the traffic of a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import counted
from rowstone.server.dashboard._heat import PERIODS
from rowstone.server.dashboard._words import count

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap
    from rowstone.server.dashboard._site import Site


def totals(found: HeatMap, period: str) -> str:
    """The rows that were read and written in a period."""
    said = PERIODS[period]
    return f"{said[:1].upper()}{said[1:]}: {count(found.reads.total)} rows read, {count(found.writes.total)} written."


def part_totals(part: HeatMap, whole: HeatMap, period: str) -> str:
    """The rows of a part of a map that were read and written, compared with the whole map."""
    pairs = ((part.reads, whole.reads), (part.writes, whole.writes))
    reads, writes = (f"{one.total_number} of {count(all_keys.total)}" for one, all_keys in pairs)
    return f"Shown: {reads} rows read, {writes} written ({PERIODS[period]})."


def sample_rate(found: HeatMap) -> str:
    """The sampled rows of each side; empty if those are all."""
    sides = [(one, verb) for one, verb in ((found.reads, "read"), (found.writes, "written")) if one.is_sample]
    rates = [
        f"{counted(one.sampled, 'row')} {verb}"
        if one.is_part
        else f"{count(one.sampled)} of the {count(one.total)} rows {verb}"
        for one, verb in sides
        if one.windows
    ]
    return f"Numbers by key are estimates from a sample: {' and '.join(rates)}." if rates else ""


def own_reads(site: Site, period: str) -> str:
    """Whether the traffic includes the reads of the pages; empty if not, or if the period says so."""
    if not site.has_data or period in ("last", "explorer"):
        return ""
    return f"The reads of these pages{' and of SQL' if site.has_sql else ''} count too."
