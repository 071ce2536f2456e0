"""Rules about families: how many, their names, what they share."""

import re
from collections import defaultdict
from collections.abc import Iterable

from rowstone._base.printable import printable
from rowstone.schema.advise._rule import Found, Thresholds, level_of, rule
from rowstone.schema.advise._table import TableFacts, family_place

_PORTABLE = re.compile(rb"[_a-zA-Z0-9][-_.a-zA-Z0-9]*")


@rule(
    code="L01",
    name="many-families",
    thresholds={"info": 1, "warning": 3, "error": 10},
    reason="each family has its own files, memstore, flushes and compactions in every region",
    source="HBase guide, number of column families; Bigtable allows about 100, and the error is a tenth of it",
    remedy="put data that is read together into one family, and other data into another table",
)
def many_families(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L01: more families than a region can flush well.

    Based on the number of families.
    """
    count = len(table.families)
    if level := level_of(count, limits):
        levels = ", ".join(f"{name} above {limit:g}" for name, limit in limits.items())
        yield Found(level, "", f"{count} families; {levels}")


@rule(
    code="L02",
    name="long-family-name",
    thresholds={"info": 1, "warning": 8},
    reason="a family's name is stored with each cell",
    source="HBase guide, keep family names short",
    remedy="use a name of one letter; families cannot be renamed, so copy the table",
)
def long_family_name(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L02: the family's name is longer than a letter.

    Based on the length of each name.
    """
    for name in table.families:
        if level := level_of(len(name), limits):
            message = f"the name has {len(name)} bytes, more than {limits[level]:g}; every cell has it"
            yield Found(level, family_place(name), message)


@rule(
    code="L03",
    name="unportable-family-name",
    reason="the table cannot be moved to Bigtable unchanged",
    source="Bigtable, differences to HBase: `[_a-zA-Z0-9][-_.a-zA-Z0-9]*`",
    remedy="use letters, digits, '_', '-' and '.'",
)
def unportable_family_name(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L03: the family's name is not one that Bigtable takes.

    Based on the characters of each name.
    """
    for name in table.families:
        if not _PORTABLE.fullmatch(name):
            yield Found("info", family_place(name), "the name has characters that Bigtable does not take")


@rule(
    code="L25",
    name="family-row-ratio",
    needs=("data",),
    thresholds={"ratio": 100},
    reason="regions are split by the size of the large family, and scans of the small one visit all of them",
    source="HBase guide, cardinality of column families",
    remedy="move the small family to another table",
)
def family_row_ratio(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L25: one family has many times the rows of another.

    Based on how many of the sampled rows have something in each family.
    """
    counts = {name: table.data.rows_of_family.get(name, 0) for name in table.families}
    if len(counts) < 2 or not any(counts.values()):
        return
    most, least = max(counts, key=lambda name: counts[name]), min(counts, key=lambda name: counts[name])
    if counts[most] > limits["ratio"] * max(counts[least], 1):
        message = f"{counts[least]:,} of the sampled rows have it, {counts[most]:,} have {family_place(most)}"
        yield Found("warning", family_place(least), message)


@rule(
    code="L26",
    name="family-byte-ratio",
    needs=("data", "files"),
    any_of_needs=True,
    thresholds={"ratio": 100},
    reason="flushes and splits of the large family include the small one",
    source="HBase basics: families should have the same order of magnitude",
    remedy="move one of them to another table",
)
def family_byte_ratio(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L26: one family has many times the bytes of another.

    Based on the sizes of the store files, if every family has some; else on the values of the sampled rows. A sample
    without a family that has files is not representative.
    """
    files = {name: table.file_bytes.get(name, 0) for name in table.families}
    sampled = {name: sum(row.value_bytes.get(name, 0) for row in table.data.rows) for name in table.families}
    has_files = all(files.values())
    sizes = files if has_files else sampled
    if len(sizes) < 2 or not any(sizes.values()) or any(files[name] and not sizes[name] for name in files):
        return
    most, least = max(sizes, key=lambda name: sizes[name]), min(sizes, key=lambda name: sizes[name])
    if sizes[most] > limits["ratio"] * max(sizes[least], 1):
        what = "in its files" if has_files else "of values in the sample"
        message = (
            f"{sizes[least]:,} bytes {what}, {sizes[most]:,} in {'those of ' if has_files else ''}{family_place(most)}"
        )
        yield Found("warning", family_place(least), message)


@rule(
    code="L27",
    name="families-read-together",
    needs=("access",),
    thresholds={"share": 0.5},
    reason="each family costs separate files and seeks, which only pays if families are read separately",
    source="HBase guide: another family only where access is column scoped",
    remedy="put data that is read together into one family",
)
def families_read_together(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L27: most reads take several families.

    Based on the share of reads that name several families, or none and so all of them.
    """
    if len(table.families) < 2:
        return
    total = several = 0
    for read in table.use.reads:
        touched = set(read.families) | {column.partition(b":")[0] for column in read.columns}
        total += read.count
        several += read.count if len(touched or table.families) > 1 else 0
    if total and several / total >= limits["share"]:
        yield Found("warning", "", f"{several:,} of {total:,} reads ({several / total:.0%}) touch several families")


@rule(
    code="L28",
    name="hot-and-cold-columns",
    needs=("access", "files"),
    thresholds={"ratio": 100, "family_bytes": 1e9},
    reason="blocks read for the hot columns mostly contain cold ones",
    source="HBase basics: separate data that is read often from data that is read rarely",
    remedy="move the cold columns to another family",
)
def hot_and_cold_columns(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L28: one family has columns that are read often and columns that are hardly read.

    Based on the reads of each column, in families that are large.
    """
    by_family: dict[bytes, dict[bytes, int]] = defaultdict(dict)
    for column, count in table.use.column_reads.items():
        by_family[column.partition(b":")[0]][column] = count
    for family, counts in by_family.items():
        hot, cold = max(counts, key=lambda name: counts[name]), min(counts, key=lambda name: counts[name])
        is_large = table.file_bytes.get(family, 0) > limits["family_bytes"]
        if is_large and counts[hot] > limits["ratio"] * max(counts[cold], 1):
            message = f"{printable(hot)} was read {counts[hot]:,} times, {printable(cold)} {counts[cold]:,} times"
            yield Found("info", family_place(family), message)
