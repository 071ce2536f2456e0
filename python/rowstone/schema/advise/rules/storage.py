"""Rules about file formats and caching."""

from collections.abc import Iterable

from rowstone.schema.advise._rule import Found, Thresholds, rule
from rowstone.schema.advise._sample import percentile
from rowstone.schema.advise._table import TableFacts, family_place


@rule(
    code="L34",
    name="large-and-uncompressed",
    needs=("files",),
    thresholds={"family_bytes": 1e9},
    reason="compression reduces the bytes read from disk",
    source="HBase guide, compression: production systems should use it",
    remedy="set COMPRESSION => 'ZSTD' (small) or 'LZ4' (fast); a major compaction applies it",
)
def large_and_uncompressed(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L34: a large family is not compressed.

    Based on COMPRESSION and the bytes of the family's files.
    """
    for name, family in table.families.items():
        size = table.file_bytes.get(name, 0)
        if family.compression.upper() == "NONE" and size > limits["family_bytes"]:
            yield Found("info", family_place(name), f"{size:,} bytes of files, and COMPRESSION is NONE")


@rule(
    code="L35",
    name="block-size",
    needs=("data",),
    thresholds={"values_per_block": 1000},
    reason="a get reads a whole block: one far larger than its value is waste; blocks of one value need a large index",
    source="HBase guide, column family block size",
    remedy="set BLOCKSIZE to the size of some tens of values; smaller for gets, larger for scans",
)
def block_size(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L35: blocks do not fit the values.

    Based on BLOCKSIZE and the middle value; small values count only where use is known to be gets alone.
    """
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


def _family(column: bytes) -> bytes:
    return column.partition(b":")[0]


@rule(
    code="L36",
    name="bloom-filter-type",
    needs=("access",),
    thresholds={"share": 0.5, "files": 3},
    reason="ROWCOL is larger and does not help gets of whole rows; ROW does not exclude files without the column",
    source="HBase guide, bloom filters",
    remedy="set BLOOMFILTER => 'ROW' for gets of rows, 'ROWCOL' for gets of single columns of rows in many files",
)
def bloom_filter_type(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L36: the Bloom filter is of another kind than the reads.

    Based on BLOOMFILTER, and by gets that ask for columns against those that ask for more.
    """
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


def _touches(families: tuple[bytes, ...], name: bytes) -> bool:
    return not families or name in families


@rule(
    code="L37",
    name="gets-without-bloom-filter",
    needs=("access",),
    thresholds={"gets_per_minute": 1000},
    reason="without one, a get reads every file of the region",
    source="HBase guide, bloom filters",
    remedy="set BLOOMFILTER => 'ROW'; a major compaction applies it",
)
def gets_without_bloom_filter(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L37: gets from a family without a Bloom filter.

    Based on BLOOMFILTER and the gets a minute that touch the family.
    """
    minutes = table.use.seconds / 60
    for name, family in table.families.items():
        gets = sum(read.count for read in table.use.reads if read.kind == "get" and _touches(read.families, name))
        if family.bloom_filter.upper() == "NONE" and minutes > 0 and gets / minutes > limits["gets_per_minute"]:
            message = f"BLOOMFILTER is NONE, and there are {gets / minutes:,.0f} gets a minute"
            yield Found("warning", family_place(name), message)


def _shared_bytes(one: bytes, two: bytes) -> int:
    shared = 0
    while shared < min(len(one), len(two)) and one[shared] == two[shared]:
        shared += 1
    return shared


@rule(
    code="L38",
    name="shared-prefixes-unencoded",
    needs=("data",),
    thresholds={"share": 0.5, "prefix_bytes": 8},
    reason="each cell repeats its whole key; an encoding stores only the difference from the previous cell",
    source="HBase guide, data block encoding types",
    remedy="set DATA_BLOCK_ENCODING => 'FAST_DIFF'; a major compaction applies it",
)
def shared_prefixes_unencoded(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L38: keys repeat long prefixes, and no encoding shortens them.

    Based on how much of a row key its neighbor before has, too.
    """
    pairs = table.data.neighbors
    total = sum(len(later) for _, later in pairs)
    shared = sum(_shared_bytes(*pair) for pair in pairs)
    if not pairs or shared / total <= limits["share"] or shared / len(pairs) < limits["prefix_bytes"]:
        return
    for name, family in table.families.items():
        if family.data_block_encoding.upper() == "NONE":
            message = f"{shared / total:.0%} of a row key is also in the one before, and DATA_BLOCK_ENCODING is NONE"
            yield Found("info", family_place(name), message)


@rule(
    code="L40",
    name="in-memory-too-large",
    needs=("files",),
    thresholds={"share": 0.25},
    reason="its blocks evict each other, and those of other families",
    source="HBase guide, in-memory column families",
    remedy="set IN_MEMORY => false, or raise hfile.block.cache.size",
)
def in_memory_too_large(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L40: an IN_MEMORY family is larger than its part of the cache.

    Based on the bytes of its files and the limit of the block cache.
    """
    room = limits["share"] * table.cache_bytes
    for name, family in table.families.items():
        size = table.file_bytes.get(name, 0)
        if family.in_memory and table.cache_bytes and size > room:
            yield Found("warning", family_place(name), f"IN_MEMORY with {size:,} bytes, over {room:,.0f} of the cache")
