"""L12: a family keeps very many versions."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By VERSIONS."""
    for name, family in table.families.items():
        if level := level_of(family.max_versions or 1, limits):
            message = f"VERSIONS is {family.max_versions:,}, over {limits[level]:g}"
            yield Found(level, family_place(name), message)


RULE = Rule(
    code="L12",
    name="too-many-versions",
    thresholds={"warning": 100, "error": 999},
    reason="versions of a cell lie in one row, and a read goes past those it does not want",
    source="HBase guide, maximum number of versions: hundreds are not recommended",
    remedy="prefer rows: put the time into the row key (rows versus versions)",
    check=check,
)
