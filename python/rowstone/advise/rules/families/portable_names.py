"""L03: the family's name is not one that Bigtable takes."""

import re
from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place

_PORTABLE = re.compile(rb"[_a-zA-Z0-9][-_.a-zA-Z0-9]*")


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the characters of each name."""
    for name in table.families:
        if not _PORTABLE.fullmatch(name):
            yield Found("info", family_place(name), "the name has characters that Bigtable does not take")


RULE = Rule(
    code="L03",
    name="unportable-family-name",
    reason="the table cannot be moved to Bigtable as it is",
    source="Bigtable, differences to HBase: [_a-zA-Z0-9][-_.a-zA-Z0-9]*",
    remedy="use letters, digits, '_', '-' and '.'",
    check=check,
)
