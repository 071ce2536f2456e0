"""Rules about regions and their boundaries."""

from collections import Counter
from collections.abc import Iterable

from rowstone._base.printable import printable
from rowstone.schema.advise._rule import Found, Thresholds, rule
from rowstone.schema.advise._table import TableFacts


@rule(
    code="L08",
    name="hot-region",
    needs=("access",),
    thresholds={"share": 0.5, "regions": 4, "writes": 100},
    reason="the one server of that region limits the table's write rate",
    source="HBase guide, hotspotting; performance, one hot region",
    remedy="split it between the written keys, or salt the keys",
)
def hot_region(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L08: one region gets the writes.

    Based on the write requests of each region.
    """
    writes = table.use.region_writes
    total = sum(writes.values())
    if table.regions < limits["regions"] or total < limits["writes"]:
        return
    start = max(writes, key=lambda key: writes[key])
    share = writes[start] / total
    if share >= limits["share"]:
        message = f"it got {share:.0%} of {total:,} writes; an even share is {1 / table.regions:.0%}"
        yield Found("warning", f"region from '{printable(start)}'" if start else "the first region", message)


@rule(
    code="L10",
    name="unreachable-splits",
    needs=("data",),
    thresholds={"share": 0.1, "keys_per_region": 10},
    reason="regions without keys do no work, so the others have more",
    source="HBase guide, relationship between row keys and region splits",
    remedy="derive split keys from real keys: rowstone.splits.hex_keys for hex, check_splits on a sample",
)
def unreachable_splits(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L10: regions that no key reaches.

    Based on how many of the sampled keys lie in each sampled region.

    The sample is limited per region, so it understates the share of full regions. A region with few sampled keys has
    an even smaller share of the table. If even the regions with keys have only a few, it is too early to judge.
    """
    counts, seen = Counter(row.region for row in table.data.rows), table.data.regions
    total = sum(counts.values())
    if len(seen) < 2 or total < limits["keys_per_region"] * len(counts):
        return
    fair = total / len(seen)
    poor = [region for region in seen if counts[region] < limits["share"] * fair]
    if poor:
        starts = (b"", *table.splits)
        shown = ", ".join(f"{_place(starts[region])} ({counts[region] / total:.1%})" for region in poor[:5])
        more = f" and {len(poor) - 5} more" if len(poor) > 5 else ""
        message = f"{len(poor)} of {len(seen)} regions have less than {limits['share']:.0%} of an even share"
        yield Found("error", "", f"{message} of {total:,} keys: {shown}{more}")


def _place(start: bytes) -> str:
    return f"from '{printable(start)}'" if start else "the first"


@rule(
    code="L11",
    name="load-without-splits",
    thresholds={"load_bytes": 1e9},
    reason="one server receives the whole load, and splits regions meanwhile",
    source="HBase guide, table creation: pre-creating regions",
    remedy="create it with split keys from a sample of the keys",
)
def load_without_splits(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L11: much is to be loaded into one region.

    Based on the ``planned_load_bytes`` of the settings.
    """
    planned = table.plans.planned_load_bytes
    if table.regions == 1 and planned > limits["load_bytes"]:
        yield Found("warning", "", f"{planned:,.0f} bytes are to be loaded, and the table has one region")


@rule(
    code="L29",
    name="region-size",
    needs=("files",),
    thresholds={
        "regions": 10,
        "small_bytes": 1e9,
        "table_bytes": 100e9,
        "min_bytes": 10e9,
        "max_bytes": 50e9,
    },
    reason="each region costs memory and files; a very large one is slow to compact and to move",
    source="ApsaraDB: regions of 10 to 50 GB",
    remedy="merge small regions, split large ones, or set MAX_FILESIZE",
)
def region_size(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L29: regions are small or large.

    Based on the average file bytes of a region; in large tables also compared with the recommended range.
    """
    total = sum(table.file_bytes.values())
    average = total / table.regions
    if table.regions > limits["regions"] and average < limits["small_bytes"]:
        message = f"{table.regions} regions have {average:,.0f} bytes each, under {limits['small_bytes']:,.0f}"
        yield Found("warning", "", message)
    elif total > limits["table_bytes"] and not limits["min_bytes"] <= average <= limits["max_bytes"]:
        outside = f"outside {limits['min_bytes']:,.0f} to {limits['max_bytes']:,.0f}"
        yield Found("info", "", f"{table.regions} regions have {average:,.0f} bytes each, {outside}")


def active_regions(table: TableFacts, window_ms: float) -> int:
    """The number of regions written to: as counted, or those with a sampled cell of the last ``window_ms``."""
    if table.use.region_writes:
        return sum(count > 0 for count in table.use.region_writes.values())
    since_ms = table.now_ms - window_ms
    return len({row.region for row in table.data.rows if any(cell.timestamp >= since_ms for cell in row.cells)})


@rule(
    code="L30",
    name="many-active-regions",
    needs=("data", "access"),
    any_of_needs=True,
    thresholds={"regions": 100, "window_ms": 86_400_000},
    reason="each active region has a memstore for each family, and small memstores produce small files",
    source="ApsaraDB: 50 to 100 regions for a table of one or two families",
    remedy="use fewer, larger regions",
)
def many_active_regions(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L30: many regions are written to.

    Based on the regions written in the last day; the others cost next to nothing.
    """
    count = active_regions(table, limits["window_ms"])
    if count > limits["regions"]:
        yield Found("warning", "", f"{count} of {table.regions} regions are written to, over {limits['regions']:g}")
