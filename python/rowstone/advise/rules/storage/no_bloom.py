"""L37: gets from a family without a Bloom filter."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By BLOOMFILTER and the gets a minute that touch the family."""
    minutes = table.use.seconds / 60
    for name, family in table.families.items():
        gets = sum(read.count for read in table.use.reads if read.kind == "get" and _touches(read.families, name))
        if family.bloom_filter.upper() == "NONE" and minutes > 0 and gets / minutes > limits["gets_per_minute"]:
            message = f"BLOOMFILTER is NONE, and there are {gets / minutes:,.0f} gets a minute"
            yield Found("warning", family_place(name), message)


def _touches(families: tuple[bytes, ...], name: bytes) -> bool:
    return not families or name in families


RULE = Rule(
    code="L37",
    name="gets-without-bloom-filter",
    needs=("access",),
    thresholds={"gets_per_minute": 1000},
    reason="without one, a get looks into every file of the region",
    source="HBase guide, bloom filters",
    remedy="set BLOOMFILTER => 'ROW'; a major compaction applies it",
    check=check,
)
