"""L18: a row has very many columns."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._table import TableFacts, row_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the widest sampled row."""
    widest = max(table.data.rows, key=lambda row: row.column_count)
    if level := level_of(widest.column_count, limits):
        least = "" if widest.is_whole else "at least "
        message = f"it has {least}{widest.column_count:,} columns, over {limits[level]:,.0f}"
        yield Found(level, row_place(widest.key), message)


RULE = Rule(
    code="L18",
    name="wide-rows",
    needs=("data",),
    thresholds={"warning": 100_000, "error": 1_000_000},
    reason="a row is never split, and whoever reads it whole gets all of them",
    source="HBase guide, rows versus columns",
    remedy="prefer rows: put the qualifier into the row key",
    check=check,
)
