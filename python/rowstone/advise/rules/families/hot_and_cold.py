"""L28: one family has columns that are read often and columns that are hardly read."""

from collections import defaultdict
from collections.abc import Iterable

from rowstone._printable import printable
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the reads of each column, in families that are large."""
    by_family: dict[bytes, dict[bytes, int]] = defaultdict(dict)
    for column, count in table.use.column_reads.items():
        by_family[column.partition(b":")[0]][column] = count
    for family, counts in by_family.items():
        hot, cold = max(counts, key=lambda name: counts[name]), min(counts, key=lambda name: counts[name])
        is_large = table.file_bytes.get(family, 0) > limits["family_bytes"]
        if is_large and counts[hot] > limits["ratio"] * max(counts[cold], 1):
            message = f"{printable(hot)} was read {counts[hot]:,} times, {printable(cold)} {counts[cold]:,} times"
            yield Found("info", family_place(family), message)


RULE = Rule(
    code="L28",
    name="hot-and-cold-columns",
    needs=("access", "files"),
    thresholds={"ratio": 100, "family_bytes": 1e9},
    reason="blocks that are read for the hot columns are mostly filled with cold ones",
    source="HBase basics: separate what is read often from what is read rarely",
    remedy="move the cold columns to a family of their own",
    check=check,
)
