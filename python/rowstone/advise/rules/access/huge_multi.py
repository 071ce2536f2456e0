"""L33: requests with very many actions."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the largest request that was counted."""
    largest = table.use.largest_multi
    if largest > limits["actions"]:
        yield Found("warning", "", f"a request had {largest:,} actions, over {limits['actions']:,.0f}")


RULE = Rule(
    code="L33",
    name="huge-multi",
    needs=("access",),
    thresholds={"actions": 5000},
    reason="a server holds all of its rows, and may refuse it",
    source="hbase.rpc.rows.warning.threshold",
    remedy="use table.batch(), which sends by size",
    check=check,
)
