"""L20: MIN_VERSIONS is not below VERSIONS."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By both numbers; HBase refuses a larger minimum unless its checks are off."""
    for name, family in table.families.items():
        least, most = family.min_versions, family.max_versions or 1
        if least > 0 and least >= most:
            level = "error" if least > most else "warning"
            yield Found(level, family_place(name), f"MIN_VERSIONS is {least}, VERSIONS {most}")


RULE = Rule(
    code="L20",
    name="min-versions-not-below-versions",
    reason="with as many kept for ever as there may be, the TTL never takes any",
    source="HBase guide, minimum number of versions: must be less than the number of row versions",
    remedy="set MIN_VERSIONS below VERSIONS",
    check=check,
)
