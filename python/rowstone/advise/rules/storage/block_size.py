"""L35: blocks do not fit the values."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._sample import percentile
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By BLOCKSIZE and the middle value; small values count only where use is known to be gets alone."""
    reads = table.use.reads
    only_gets = bool(reads) and all(read.kind == "get" for read in reads)
    for name, family in table.families.items():
        sizes = [cell.value_bytes for cell in table.data.by_family.get(name, ())]
        middle = percentile(sizes, 0.5)
        if middle > family.block_bytes:
            message = f"half of the values have {middle:,} bytes or more, and BLOCKSIZE is {family.block_bytes:,}"
            yield Found("info", family_place(name), message)
        elif sizes and only_gets and middle * limits["values_per_block"] < family.block_bytes:
            message = f"half of the values have {middle:,} bytes or less, BLOCKSIZE is {family.block_bytes:,}"
            yield Found("info", family_place(name), f"{message}, and there are only gets")


RULE = Rule(
    code="L35",
    name="block-size",
    needs=("data",),
    thresholds={"values_per_block": 1000},
    reason="a get reads a block: far larger than its value is waste; blocks of one value make a large index",
    source="HBase guide, column family block size",
    remedy="set BLOCKSIZE to some tens of values; smaller for gets, larger for scans",
    check=check,
)
