"""L01: more families than a region can flush well."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the number of families."""
    count = len(table.families)
    if level := level_of(count, limits):
        yield Found(level, "", f"{count} families; more than {limits[level]:g}")


RULE = Rule(
    code="L01",
    name="many-families",
    thresholds={"info": 1, "warning": 3, "error": 10},
    reason="each family has files, a memstore, flushes and compactions of its own in every region",
    source="HBase guide, number of column families; Bigtable's 100 divided by 10",
    remedy="put what is read together into one family, and what is not into another table",
    check=check,
)
