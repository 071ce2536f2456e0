"""L32: a scan fetches few rows at a time."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the rows that scans ask for at a time, and how many they get in all."""
    for read in table.use.reads:
        rows = read.rows_returned / max(read.count, 1)
        if read.kind == "scan" and 0 < read.caching < limits["caching"] and rows > limits["rows"]:
            message = f"scans fetch {read.caching} row(s) at a time and return {rows:,.0f}"
            yield Found("info", "", message)


RULE = Rule(
    code="L32",
    name="small-scan-caching",
    needs=("access",),
    thresholds={"caching": 10, "rows": 1000},
    reason="each fetch is a call to the server and back",
    source="HBase guide, scan caching",
    remedy="leave caching alone, or set some hundreds",
    check=check,
)
