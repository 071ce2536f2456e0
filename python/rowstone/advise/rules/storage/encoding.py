"""L38: keys repeat long prefixes, and no encoding shortens them."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By how much of a row key its neighbour before has, too."""
    pairs = table.data.neighbours
    total = sum(len(later) for _, later in pairs)
    shared = sum(_shared_bytes(*pair) for pair in pairs)
    if not pairs or shared / total <= limits["share"] or shared / len(pairs) < limits["prefix_bytes"]:
        return
    for name, family in table.families.items():
        if family.data_block_encoding.upper() == "NONE":
            message = f"{shared / total:.0%} of a row key is also in the one before, and DATA_BLOCK_ENCODING is NONE"
            yield Found("info", family_place(name), message)


def _shared_bytes(one: bytes, two: bytes) -> int:
    shared = 0
    while shared < min(len(one), len(two)) and one[shared] == two[shared]:
        shared += 1
    return shared


RULE = Rule(
    code="L38",
    name="shared-prefixes-unencoded",
    needs=("data",),
    thresholds={"share": 0.5, "prefix_bytes": 8},
    reason="each cell has its whole key; an encoding writes what differs from the cell before",
    source="HBase guide, data block encoding types",
    remedy="set DATA_BLOCK_ENCODING => 'FAST_DIFF'; a major compaction applies it",
    check=check,
)
