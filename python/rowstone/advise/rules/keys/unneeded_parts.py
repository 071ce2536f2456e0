"""L45: the row key has parts that no query needs."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the ``key`` and the ``queries`` of the settings: each query names the parts that it gives values for."""
    plans = table.plans
    needed = {part for query in plans.queries for part in query}
    if unneeded := [part for part in plans.key if part not in needed]:
        parts, count = ", ".join(unneeded), len(plans.queries)
        yield Found("info", "", f"key of {', '.join(plans.key)}: none of the {count} declared queries needs {parts}")


RULE = Rule(
    code="L45",
    name="unneeded-key-part",
    needs=("queries",),
    reason="the row key is stored with each cell of the row; a query without a part in the lead is a full scan",
    source="HBase guide, row key length: as short as is still useful for the access path",
    remedy="leave the part out of the key, or put it last where it alone makes keys unique",
    check=check,
)
