"""Examples for rules on writing and caching files."""

from __future__ import annotations

import rowstone as rs
from rowstone.schema.advise import Access, Read
from tests.advise.case import NOW_MS, Case, puts


def large_and_uncompressed(is_bad: bool) -> Case:
    family = rs.Family(compression="NONE" if is_bad else "GZ")
    return Case(families={"f": family}, puts=puts(9, q="v"), flushes=1, limits={"family_bytes": 100})


def block_size(is_bad: bool) -> Case:
    return Case(families={"f": rs.Family(block_bytes=1024 if is_bad else 65_536)}, puts=puts(3, q="v" * 2000))


def block_size_for_gets(is_bad: bool) -> Case:
    reads = (Read(), *(() if is_bad else (Read(kind="scan"),)))
    return Case(puts=puts(3, q="v"), access=Access(reads=reads))


def rowcol_for_rows(is_bad: bool) -> Case:
    family = rs.Family(bloom_filter="ROWCOL" if is_bad else "ROW")
    return Case(families={"f": family}, access=Access(reads=(Read(count=10), Read(columns=(b"f:q",), count=2))))


def row_for_columns(is_bad: bool) -> Case:
    reads = (Read(columns=(b"f:q",), count=10),)
    return Case(puts=puts(1, q="v"), flushes=4 if is_bad else 1, access=Access(reads=reads))


def gets_without_bloom_filter(is_bad: bool) -> Case:
    family = rs.Family(bloom_filter="NONE" if is_bad else "ROW")
    return Case(families={"f": family}, access=Access(seconds=60, reads=(Read(count=1001),)))


def shared_prefixes_unencoded(is_bad: bool) -> Case:
    family = rs.Family(data_block_encoding="NONE" if is_bad else "FAST_DIFF")
    rows = [(f"a-long-prefix-{number:03}", {"f:q": "v"}, NOW_MS) for number in range(20)]
    return Case(families={"f": family}, puts=rows)


def in_memory_too_large(is_bad: bool) -> Case:
    return Case(
        families={"f": rs.Family(in_memory=is_bad)}, puts=puts(3, q="v" * 500), flushes=1, limits={"share": 1e-6}
    )


EXAMPLES = {
    "L34": large_and_uncompressed,
    "L35": block_size,
    "L35, gets": block_size_for_gets,
    "L36": rowcol_for_rows,
    "L36, columns": row_for_columns,
    "L37": gets_without_bloom_filter,
    "L38": shared_prefixes_unencoded,
    "L40": in_memory_too_large,
}
