"""L44: a constraint keeps references whole."""

import re
from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts

_CONSTRAINT = re.compile(r"constraint[ .$]", re.IGNORECASE)
_REFERENCE = re.compile(r"foreign_?key|referential|references?\b|referenceconstraint", re.IGNORECASE)
_OFF = re.compile(r"_ENABLED\W+(?:<value>|value)?\W*false|enabled\W+false", re.IGNORECASE)


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the constraints in the table's description: HBase keeps them as ``constraint $CLASS``."""
    for key, value in {**table.attributes, **table.configuration}.items():
        is_reference = _CONSTRAINT.match(key) and _REFERENCE.search(f"{key} {value}")
        if is_reference and not _OFF.search(value):
            yield Found("warning", "", f"{key} checks a reference with each write")


RULE = Rule(
    code="L44",
    name="referential-integrity",
    reason="each put becomes a get of another table first",
    source="HBase guide, constraints: referential integrity is strongly discouraged",
    remedy="check references in a job of its own, or store what is referred to with the row",
    check=check,
)
