"""L27: most reads take several families."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the share of reads that name several families, or none and so all of them."""
    if len(table.families) < 2:
        return
    total = several = 0
    for read in table.use.reads:
        touched = set(read.families) | {column.partition(b":")[0] for column in read.columns}
        total += read.count
        several += read.count if len(touched or table.families) > 1 else 0
    if total and several / total >= limits["share"]:
        yield Found("warning", "", f"{several:,} of {total:,} reads ({several / total:.0%}) touch several families")


RULE = Rule(
    code="L27",
    name="families-read-together",
    needs=("access",),
    thresholds={"share": 0.5},
    reason="each family is a file and a seek of its own; apart they only pay when they are read apart",
    source="HBase guide: another family only where access is column scoped",
    remedy="put what is read together into one family",
    check=check,
)
