"""L15: a value is large."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the largest sampled value of each family; a MOB family may have larger ones."""
    for family, cells in table.data.by_family.items():
        largest = max(cell.value_bytes for cell in cells)
        described = table.families.get(family)
        is_mob = described is not None and str(described.attributes.get("IS_MOB", "")).lower() == "true"
        levels = {"error": limits["mob_error"]} if is_mob else limits
        if level := level_of(largest, levels):
            yield Found(level, family_place(family), f"a value has {largest:,} bytes, over {levels[level]:,.0f}")


RULE = Rule(
    code="L15",
    name="large-cells",
    needs=("data",),
    thresholds={"info": 1e6, "error": 10e6, "mob_error": 50e6},
    reason="a value is read and written whole, lies in one block and is refused above hbase.client.keyvalue.maxsize",
    source="HBase guide, supported datatypes; ApsaraDB: cells up to 10 MB",
    remedy="set IS_MOB on its family, or store large objects elsewhere and a reference here",
    check=check,
)
