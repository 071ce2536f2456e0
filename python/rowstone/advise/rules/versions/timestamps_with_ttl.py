"""L21: cells with a time of their own in a family whose cells expire."""

from collections.abc import Iterable

from rowstone._schema import ttl_seconds
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By how far explicit timestamps were from the time of the write, in families with a TTL."""
    for name, family in table.families.items():
        gap_ms = table.use.timestamp_gap_ms.get(name, 0)
        if family.ttl is not None and gap_ms > limits["gap_ms"]:
            ttl_ms = ttl_seconds(family.ttl) * 1000
            expired = "; beyond its TTL: it is written and never seen" if gap_ms > ttl_ms else ""
            message = f"a timestamp was {gap_ms:,} ms from the time of its write{expired}"
            yield Found("warning", family_place(name), message)


RULE = Rule(
    code="L21",
    name="explicit-timestamps-with-ttl",
    needs=("access",),
    thresholds={"gap_ms": 86_400_000},
    reason="a cell lives from its timestamp on, not from when it was written",
    source="HBase guide, versions: explicit timestamps and TTL",
    remedy="leave timestamps to the server, and store a time of your own as a value or in the key",
    check=check,
)
