"""L11: much is to be loaded into one region."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the ``planned_load_bytes`` of the settings."""
    planned = table.plans.planned_load_bytes
    if table.regions == 1 and planned > limits["load_bytes"]:
        yield Found("warning", "", f"{planned:,.0f} bytes are to be loaded, and the table has one region")


RULE = Rule(
    code="L11",
    name="load-without-splits",
    thresholds={"load_bytes": 1e9},
    reason="one server takes the whole load, and splits while it does",
    source="HBase guide, table creation: pre-creating regions",
    remedy="create it with splits, from a sample of the keys",
    check=check,
)
