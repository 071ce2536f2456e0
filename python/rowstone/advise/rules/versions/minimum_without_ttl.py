"""L19: MIN_VERSIONS without a time to live."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By MIN_VERSIONS and TTL."""
    for name, family in table.families.items():
        if family.min_versions > 0 and family.ttl is None:
            message = f"MIN_VERSIONS is {family.min_versions}, and there is no TTL"
            yield Found("warning", family_place(name), message)


RULE = Rule(
    code="L19",
    name="min-versions-without-ttl",
    reason="MIN_VERSIONS says what stays when the TTL is over; without one it does nothing",
    source="HBase guide, minimum number of versions",
    remedy="set a TTL, or MIN_VERSIONS => 0",
    check=check,
)
