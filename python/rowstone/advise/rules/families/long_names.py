"""L02: the family's name is longer than a letter."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the length of each name."""
    for name in table.families:
        if level := level_of(len(name), limits):
            message = f"the name has {len(name)} bytes, more than {limits[level]:g}; every cell has it"
            yield Found(level, family_place(name), message)


RULE = Rule(
    code="L02",
    name="long-family-name",
    thresholds={"info": 1, "warning": 8},
    reason="a family's name is stored with each cell",
    source="HBase guide, keep family names short",
    remedy="name it with one letter; a family cannot be renamed, so copy the table",
    check=check,
)
