"""L04: qualifiers are long."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._sample import percentile
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the lengths of the sampled qualifiers: the middle one, and the longest."""
    for family, cells in table.data.by_family.items():
        lengths = [len(cell.qualifier) for cell in cells]
        middle, longest = percentile(lengths, 0.5), max(lengths)
        if longest > limits["error"]:
            yield Found("error", family_place(family), f"a qualifier has {longest:,} bytes, over {limits['error']:g}")
        elif middle > limits["warning"]:
            message = f"half of the qualifiers have {middle:,} bytes or more, over {limits['warning']:g}"
            yield Found("warning", family_place(family), message)


RULE = Rule(
    code="L04",
    name="long-qualifiers",
    needs=("data",),
    thresholds={"warning": 16, "error": 1600},
    reason="the qualifier is stored with each cell",
    source="HBase guide, attribute names; Bigtable's 16 KB divided by 10",
    remedy="use short names ('via'), and keep what they mean in your code",
    check=check,
)
