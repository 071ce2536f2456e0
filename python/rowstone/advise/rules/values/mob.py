"""L16: many values are of the size for which HBase has MOB."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the share of values above the threshold, in families without IS_MOB."""
    for family, cells in table.data.by_family.items():
        described = table.families.get(family)
        if described is not None and str(described.attributes.get("IS_MOB", "")).lower() == "true":
            continue
        large = sum(cell.value_bytes > limits["value_bytes"] for cell in cells)
        if large / len(cells) > limits["share"]:
            share = f"{large / len(cells):.0%} of the values"
            yield Found("warning", family_place(family), f"{share} have more than {limits['value_bytes']:,.0f} bytes")


RULE = Rule(
    code="L16",
    name="values-for-mob",
    needs=("data",),
    thresholds={"share": 0.2, "value_bytes": 102_400},
    reason="each compaction writes all of these values anew",
    source="HBase guide, storing medium-sized objects; MOB_THRESHOLD's default",
    remedy="set IS_MOB on the family, with a MOB_THRESHOLD",
    check=check,
)
