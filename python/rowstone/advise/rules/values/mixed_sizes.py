"""L14: a family has small and large values."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._sample import percentile
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the largest value but one of a hundred over the middle one."""
    for family, cells in table.data.by_family.items():
        sizes = [cell.value_bytes for cell in cells]
        middle, large = percentile(sizes, 0.5), percentile(sizes, 0.99)
        if large > limits["ratio"] * max(middle, 1):
            message = f"one value of a hundred has {large:,} bytes or more, half have {middle:,} or less"
            yield Found("warning", family_place(family), message)


RULE = Rule(
    code="L14",
    name="mixed-value-sizes",
    needs=("data",),
    thresholds={"ratio": 100},
    reason="block size, cache and compression are set for a family as a whole",
    source="HBase guide, column family: members of one should have the same size characteristics",
    remedy="put the large values into a family of their own",
    check=check,
)
