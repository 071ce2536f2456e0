"""L25: one family has many times the rows of another."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By how many of the sampled rows have something in each family."""
    counts = {name: table.data.rows_of_family.get(name, 0) for name in table.families}
    if len(counts) < 2 or not any(counts.values()):
        return
    most, least = max(counts, key=lambda name: counts[name]), min(counts, key=lambda name: counts[name])
    if counts[most] > limits["ratio"] * max(counts[least], 1):
        message = f"{counts[least]:,} of the sampled rows have it, {counts[most]:,} have {family_place(most)}"
        yield Found("warning", family_place(least), message)


RULE = Rule(
    code="L25",
    name="family-row-ratio",
    needs=("data",),
    thresholds={"ratio": 100},
    reason="regions split by the large family; scans of the small one go through all of them",
    source="HBase guide, cardinality of column families",
    remedy="give the small family a table of its own",
    check=check,
)
