"""L17: a row is large."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._table import TableFacts, row_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the largest sampled row."""
    largest = max(table.data.rows, key=lambda row: row.size_bytes)
    if level := level_of(largest.size_bytes, limits):
        least = "" if largest.is_whole else "at least "
        message = f"it has {least}{largest.size_bytes:,} bytes, over {limits[level]:,.0f}"
        yield Found(level, row_place(largest.key), message)


RULE = Rule(
    code="L17",
    name="large-rows",
    needs=("data",),
    thresholds={"info": 10e6, "warning": 100e6, "error": 256e6},
    reason="a row is never split: one region has it, and a get without columns loads all of it",
    source="Bigtable, schema design (100 MB) and Key Visualizer diagnostics (256 MB)",
    remedy="put part of the qualifier into the row key",
    check=check,
)
