"""L10: regions that no key reaches."""

from collections import Counter
from collections.abc import Iterable

from rowstone._printable import printable
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By how many of the sampled keys lie in each region that was looked into.

    A sample takes at most so many of each region: shares of full regions are larger than it shows, so that a region
    which is poor in the sample is poorer in the table. Where regions that have keys have but a few, it is too early to
    judge.
    """
    counts, seen = Counter(row.region for row in table.data.rows), table.data.regions
    total = sum(counts.values())
    if len(seen) < 2 or total < limits["keys_per_region"] * len(counts):
        return
    fair = total / len(seen)
    poor = [region for region in seen if counts[region] < limits["share"] * fair]
    if poor:
        starts = (b"", *table.splits)
        shown = ", ".join(f"from '{printable(starts[region])}' ({counts[region] / total:.1%})" for region in poor[:5])
        more = f" and {len(poor) - 5} more" if len(poor) > 5 else ""
        message = f"{len(poor)} of {len(seen)} regions have less than {limits['share']:.0%} of a fair share"
        yield Found("error", "", f"{message} of {total:,} keys: {shown}{more}")


RULE = Rule(
    code="L10",
    name="unreachable-splits",
    needs=("data",),
    thresholds={"share": 0.1, "keys_per_region": 10},
    reason="regions without keys do no work, and the others do theirs",
    source="HBase guide, relationship between row keys and region splits, lesson 1",
    remedy="split by the keys there are: rowstone.splits.hex_keys for hex, check_splits on a sample",
    check=check,
)
