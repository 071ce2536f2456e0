"""L13: a family may have versions and has none."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._sample import percentile
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By how many versions 99 of 100 sampled columns of a row have at most."""
    for name, family in table.families.items():
        counts = table.data.versions.get(name, [])
        if (family.max_versions or 1) > 1 and len(counts) >= limits["cells"] and percentile(counts, 0.99) == 1:
            message = f"VERSIONS is {family.max_versions:,}, but 99 of 100 columns of a row have one version"
            yield Found("info", family_place(name), message)


RULE = Rule(
    code="L13",
    name="unused-versions",
    needs=("data",),
    thresholds={"cells": 100},
    reason="who reads the schema looks for a history that nobody writes",
    source="HBase guide, number of versions",
    remedy="set VERSIONS => 1",
    check=check,
)
