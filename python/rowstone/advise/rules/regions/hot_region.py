"""L08: one region gets the writes."""

from collections.abc import Iterable

from rowstone._printable import printable
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the write requests of each region."""
    writes = table.use.region_writes
    total = sum(writes.values())
    if table.regions < limits["regions"] or total < limits["writes"]:
        return
    start = max(writes, key=lambda key: writes[key])
    share = writes[start] / total
    if share >= limits["share"]:
        message = f"it got {share:.0%} of {total:,} writes; fair is {1 / table.regions:.0%}"
        yield Found("warning", f"region from '{printable(start)}'", message)


RULE = Rule(
    code="L08",
    name="hot-region",
    needs=("access",),
    thresholds={"share": 0.5, "regions": 4, "writes": 100},
    reason="the table writes as fast as that one region's server",
    source="HBase guide, hotspotting; performance, one hot region",
    remedy="split it where its writes are, or salt the keys",
    check=check,
)
