"""Rows that every engine writes or reads, and digests of them that do not depend on their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import rowstone as rs
from rowstone.engines import RowSchema

SCHEMA = RowSchema(
    "text",
    {
        "number": ("f:number", "int64"),
        "kind": ("f:kind", "int32"),
        "value": ("f:value", "float64"),
        "note": ("f:note", "text"),
    },
)
_FACTOR, _MODULUS = 2_654_435_761, 1 << 32
CHUNK = 50_000

SPARK_COLUMNS = [
    f"lpad(lower(hex((id * {_FACTOR}) % {_MODULUS})), 8, '0') AS row",
    "id AS number",
    "CAST(id % 1000 AS int) AS kind",
    "id / 8D AS value",
    "CASE WHEN id % 7 = 0 THEN NULL ELSE concat('note ', id % 97) END AS note",
]
"""The rows of ``spark.range(count)``. The factor is odd, so no two numbers have the same row key."""


@dataclass(frozen=True)
class Digest:
    """The number of rows, and the sum of their hashes."""

    rows: int = 0
    hashes: int = 0

    def __add__(self, other: Digest) -> Digest:
        return Digest(self.rows + other.rows, (self.hashes + other.hashes) % (1 << 64))

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.hashes:016x}"


def digest(table: Any) -> Digest:
    """The digest of a `pyarrow.Table` or `RecordBatch`."""
    frame = table.select(SCHEMA.names).cast(SCHEMA.arrow()).to_pandas()
    return Digest(len(frame), int(pd.util.hash_pandas_object(frame, index=False).to_numpy().sum(dtype=np.uint64)))


def total(digests: Iterable[Digest]) -> Digest:
    """The digest of all."""
    return sum(digests, Digest())


def split_points(regions: int) -> list[str]:
    """Split keys that divide the rows evenly."""
    return [f"{n * _MODULUS // regions:08x}" for n in range(1, regions)]


def key_at(share: float) -> str:
    """The row key after that share of the rows."""
    return f"{int(share * (_MODULUS - 1)):08x}"


def expected(count: int) -> Digest:
    """The digest of the rows, computed without any engine."""
    return total(digest(_make_table(range(begin, min(begin + CHUNK, count)))) for begin in range(0, count, CHUNK))


def _make_table(numbers: range) -> Any:
    columns = [
        [f"{n * _FACTOR % _MODULUS:08x}" for n in numbers],
        list(numbers),
        [n % 1000 for n in numbers],
        [n / 8 for n in numbers],
        [None if n % 7 == 0 else f"note {n % 97}" for n in numbers],
    ]
    return _table(columns, SCHEMA.arrow().types)


def read_by_rows(table: rs.Table) -> Digest:
    """The digest of the rows as the row API reads them."""
    return total(digest(chunk) for chunk in _chunks(table))


def _chunks(table: rs.Table) -> Iterator[Any]:
    columns: list[list[Any]] = [[] for _ in SCHEMA.names]
    kinds = SCHEMA.arrow().types
    with table.scan(cache_blocks=False) as rows:
        for row in rows:
            note = row.get("f:note")
            columns[0].append(row.key.decode())
            columns[1].append(int.from_bytes(row["f:number"]))
            columns[2].append(int.from_bytes(row["f:kind"]))
            columns[3].append(np.frombuffer(row["f:value"], ">f8")[0])
            columns[4].append(None if note is None else note.decode())
            if len(columns[0]) == CHUNK:
                yield _table(columns, kinds)
                columns = [[] for _ in SCHEMA.names]
    yield _table(columns, kinds)


def _table(columns: list[list[Any]], kinds: list[Any]) -> Any:
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pa.Table.from_arrays(arrays, SCHEMA.names)
