"""L26: one family has many times the bytes of another."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the bytes of the values of the sampled rows."""
    rows = table.data.rows
    sizes = {name: sum(row.value_bytes.get(name, 0) for row in rows) for name in table.families}
    if len(sizes) < 2 or not any(sizes.values()):
        return
    most, least = max(sizes, key=lambda name: sizes[name]), min(sizes, key=lambda name: sizes[name])
    if sizes[most] > limits["ratio"] * max(sizes[least], 1):
        message = f"{sizes[least]:,} bytes of values in the sample, {sizes[most]:,} in {family_place(most)}"
        yield Found("warning", family_place(least), message)


RULE = Rule(
    code="L26",
    name="family-byte-ratio",
    needs=("data",),
    thresholds={"ratio": 100},
    reason="a flush and a split of the large family take the small one along",
    source="HBase basics: families should hold the same order of magnitude",
    remedy="give one of them a table of its own",
    check=check,
)
