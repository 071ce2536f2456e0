"""L43: a salted key has more buckets than its regions need."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the planned ``buckets`` of the settings."""
    buckets = table.plans.buckets
    if buckets > limits["buckets"]:
        yield Found("warning", "", f"{buckets} buckets, over {limits['buckets']:g}: each range read is as many scans")
    elif buckets > limits["per_region"] * table.regions:
        message = f"{buckets} buckets for {table.regions} region(s), over {limits['per_region']:g} for each"
        yield Found("warning", "", message)


RULE = Rule(
    code="L43",
    name="many-buckets",
    thresholds={"buckets": 100, "per_region": 4},
    reason="a read of a range is one scan for each bucket, and beyond the regions no write gains by it",
    source="HBase guide, timeseries: 100 buckets are 100 scans",
    remedy="as many buckets as regions, and a region for each",
    check=check,
)
