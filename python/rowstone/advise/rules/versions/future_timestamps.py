"""L22: cells from the future."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the sampled cells that are newer than now, by more than clocks differ."""
    latest_ms = table.now_ms + limits["ahead_ms"]
    for family, cells in table.data.by_family.items():
        ahead = [cell.timestamp for cell in cells if cell.timestamp > latest_ms]
        if ahead:
            message = f"{len(ahead):,} cells have a timestamp in the future, up to {max(ahead)}"
            yield Found("warning", family_place(family), message)


RULE = Rule(
    code="L22",
    name="future-timestamps",
    needs=("data",),
    thresholds={"ahead_ms": 3_600_000},
    reason="they hide all that is put with the time of now",
    source="HBase guide, put: an explicit version",
    remedy="leave timestamps to the server; delete these cells by their version",
    check=check,
)
