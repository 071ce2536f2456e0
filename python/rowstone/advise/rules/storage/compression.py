"""L34: a large family is not compressed."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By COMPRESSION and the bytes of the family's files."""
    for name, family in table.families.items():
        size = table.file_bytes.get(name, 0)
        if family.compression.upper() == "NONE" and size > limits["family_bytes"]:
            yield Found("info", family_place(name), f"{size:,} bytes of files, and COMPRESSION is NONE")


RULE = Rule(
    code="L34",
    name="large-and-uncompressed",
    needs=("files",),
    thresholds={"family_bytes": 1e9},
    reason="compressed files are read with less of the disk",
    source="HBase guide, compression: production systems should use it",
    remedy="set COMPRESSION => 'ZSTD' (small) or 'LZ4' (fast); a major compaction applies it",
    check=check,
)
