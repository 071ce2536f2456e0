"""L40: an IN_MEMORY family is larger than its part of the cache."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the bytes of its files and the limit of the block cache."""
    room = limits["share"] * table.cache_bytes
    for name, family in table.families.items():
        size = table.file_bytes.get(name, 0)
        if family.in_memory and table.cache_bytes and size > room:
            yield Found("warning", family_place(name), f"IN_MEMORY with {size:,} bytes, over {room:,.0f} of the cache")


RULE = Rule(
    code="L40",
    name="in-memory-too-large",
    needs=("files",),
    thresholds={"share": 0.25},
    reason="its blocks drive each other out, and those of everybody else",
    source="HBase guide, in-memory column families",
    remedy="set IN_MEMORY => false, or raise hfile.block.cache.size",
    check=check,
)
