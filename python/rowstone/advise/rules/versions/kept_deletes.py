"""L24: nothing that is deleted ever goes."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By KEEP_DELETED_CELLS without an end in time or number."""
    for name, family in table.families.items():
        is_kept = family.keep_deleted_cells.upper() == "TRUE"
        if is_kept and family.ttl is None and (family.max_versions or 1) > limits["versions"]:
            message = f"KEEP_DELETED_CELLS with VERSIONS {family.max_versions:,} and no TTL: it grows for ever"
            yield Found("warning", family_place(name), message)


RULE = Rule(
    code="L24",
    name="kept-deletes-without-end",
    thresholds={"versions": 1000},
    reason="deleted cells go only by their age or by newer versions, and here by neither",
    source="HBase guide, keeping deleted cells",
    remedy="set a TTL or a bound of VERSIONS",
    check=check,
)
