"""L31: an application scans whole tables."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By scans without bounds, what each examines and how much of that it returns."""
    for read in table.use.reads:
        if read.kind != "scan" or read.bounded or not read.count:
            continue
        examined = read.rows_examined / read.count
        returned = read.rows_returned / read.rows_examined if read.rows_examined else 1.0
        if examined > limits["rows"] or (examined > limits["least_rows"] and returned < limits["share"]):
            message = f"{read.count:,} scans without bounds examined {examined:,.0f} rows each, returned {returned:.1%}"
            yield Found("warning", "", message)


RULE = Rule(
    code="L31",
    name="full-scans",
    needs=("access",),
    thresholds={"rows": 100_000, "share": 0.01, "least_rows": 1000},
    reason="a filter does not make a scan shorter: every row is still read",
    source="HBase guide, secondary indexes: filter query",
    remedy="give start and stop, or a prefix; else keep an index or a summary table",
    check=check,
)
