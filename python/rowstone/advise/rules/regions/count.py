"""L30: many regions are written to."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def active_regions(table: TableFacts, window_ms: float) -> int:
    """How many regions were written: as counted, else those with a sampled cell of the last ``window_ms``."""
    if table.use.region_writes:
        return sum(count > 0 for count in table.use.region_writes.values())
    since_ms = table.now_ms - window_ms
    return len({row.region for row in table.data.rows if any(cell.timestamp >= since_ms for cell in row.cells)})


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the regions written in the last day; the others cost next to nothing."""
    count = active_regions(table, limits["window_ms"])
    if count > limits["regions"]:
        yield Found("warning", "", f"{count} of {table.regions} regions are written to, over {limits['regions']:g}")


RULE = Rule(
    code="L30",
    name="many-active-regions",
    needs=("data", "access"),
    any_of_needs=True,
    thresholds={"regions": 100, "window_ms": 86_400_000},
    reason="each active region has a memstore for each family, and small memstores make small files",
    source="ApsaraDB: 50 to 100 regions for a table of one or two families",
    remedy="fewer, larger regions",
    check=check,
)
