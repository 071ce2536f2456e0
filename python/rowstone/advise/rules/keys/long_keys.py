"""L05: row keys are long."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds, level_of
from rowstone.advise._sample import percentile
from rowstone.advise._table import TableFacts, row_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the middle length of the sampled keys, and the longest."""
    lengths = [len(row.key) for row in table.data.rows]
    middle, longest = percentile(lengths, 0.5), max(lengths)
    if longest > limits["longest"]:
        [key] = [row.key for row in table.data.rows if len(row.key) == longest][:1]
        yield Found("error", row_place(key), f"the key has {longest:,} bytes; {limits['longest']:,.0f} is the most")
    elif level := level_of(middle, limits):
        yield Found(level, "", f"half of the row keys have {middle:,} bytes or more, over {limits[level]:g}")


RULE = Rule(
    code="L05",
    name="long-row-keys",
    needs=("data",),
    thresholds={"info": 100, "warning": 400, "longest": 32_767},
    reason="the row key is stored with each cell of the row, and in the index of each file",
    source="HBase basics: 10 to 100 bytes; Bigtable's 4 KB divided by 10; HBase's Short.MAX_VALUE",
    remedy="replace long parts by hashes of fixed length, or by numbers from a lookup table",
    check=check,
)
