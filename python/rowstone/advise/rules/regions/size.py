"""L29: regions are small or large."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the bytes of all files over the regions; of large tables also against HBase's range."""
    total = sum(table.file_bytes.values())
    average = total / table.regions
    if table.regions > limits["regions"] and average < limits["small_bytes"]:
        message = f"{table.regions} regions have {average:,.0f} bytes each, under {limits['small_bytes']:,.0f}"
        yield Found("warning", "", message)
    elif total > limits["table_bytes"] and not limits["least_bytes"] <= average <= limits["most_bytes"]:
        outside = f"outside {limits['least_bytes']:,.0f} to {limits['most_bytes']:,.0f}"
        yield Found("info", "", f"{table.regions} regions have {average:,.0f} bytes each, {outside}")


RULE = Rule(
    code="L29",
    name="region-size",
    needs=("files",),
    thresholds={
        "regions": 10,
        "small_bytes": 1e9,
        "table_bytes": 100e9,
        "least_bytes": 10e9,
        "most_bytes": 50e9,
    },
    reason="each region costs memory and files; a very large one is slow to compact and to move",
    source="ApsaraDB: regions of 10 to 50 GB",
    remedy="merge small regions, split large ones, or set MAX_FILESIZE",
    check=check,
)
