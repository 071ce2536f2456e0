"""L36: the Bloom filter is of another kind than the reads."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By BLOOMFILTER, and by gets that ask for columns against those that ask for more."""
    gets = [read for read in table.use.reads if read.kind == "get"]
    for name, family in table.families.items():
        of_columns = sum(read.count for read in gets if any(_family(column) == name for column in read.columns))
        total = of_columns + sum(read.count for read in gets if not read.columns or name in read.families)
        share = of_columns / total if total else 0.0
        kind, files = family.bloom_filter.upper(), table.file_counts.get(name, 0)
        if total and kind == "ROWCOL" and share < 1 - limits["share"]:
            message = f"BLOOMFILTER is ROWCOL, and {1 - share:.0%} of {total:,} gets ask for whole families or rows"
            yield Found("info", family_place(name), message)
        elif kind == "ROW" and share > limits["share"] and files > limits["files"]:
            message = f"BLOOMFILTER is ROW, {share:.0%} of {total:,} gets ask for columns, and there are {files} files"
            yield Found("info", family_place(name), message)


def _family(column: bytes) -> bytes:
    return column.partition(b":")[0]


RULE = Rule(
    code="L36",
    name="bloom-filter-type",
    needs=("access",),
    thresholds={"share": 0.5, "files": 3},
    reason="ROWCOL is larger and no help for whole rows; ROW cannot tell which files have the column",
    source="HBase guide, bloom filters",
    remedy="set BLOOMFILTER => 'ROW' for gets of rows, 'ROWCOL' for gets of single columns of rows in many files",
    check=check,
)
