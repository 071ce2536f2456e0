"""L46: a table for each entity, joined by ids."""

import re
from collections.abc import Iterable, Iterator

from rowstone._printable import printable
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts

_REFERENCE = re.compile(rb"(.*[^_.-])[_.-]?(?:ids?|key|ref|fk)", re.IGNORECASE)


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By columns of the sample that are called as another table is: ``user_id`` beside a table ``users``."""
    others = {name.rpartition(":")[2].lower(): name for name in reversed(table.others)}
    found: dict[str, str] = {}
    for family, cells in table.data.by_family.items():
        for qualifier in {cell.qualifier for cell in cells}:
            for other in filter(None, map(others.get, _names(qualifier))):
                found[f"{printable(family)}:{printable(qualifier)}"] = other
    if len(found) > limits["columns"]:
        columns, tables = ", ".join(sorted(found)), ", ".join(sorted(set(found.values())))
        yield Found("info", "", f"columns that are called as ids of other tables: {columns} (of {tables})")


def _names(qualifier: bytes) -> Iterator[str]:
    """How the table would be called whose ids a column has."""
    if match := _REFERENCE.fullmatch(qualifier):
        stem = match.group(1).decode(errors="replace").lower()
        yield from (stem, f"{stem}s", f"{stem}es")
        if stem.endswith("y"):
            yield f"{stem[:-1]}ies"


RULE = Rule(
    code="L46",
    name="tables-joined-by-ids",
    needs=("data",),
    thresholds={"columns": 0},
    reason="there are no joins: what is read together from several tables is as many calls, and not atomic",
    source="HBase basics: do not imitate relational design",
    remedy="keep what is read together in one row, copied where it must be; or join in the application",
    check=check,
)
