"""Typical work, whose profile guides the compiler: it favors the paths that this work takes.

The Makefile runs this with an instrumented build before it compiles a wheel, or the extension for benchmarks. It needs
only Rowstone and the standard library, and takes a few seconds with an ordinary build.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import rowstone as rs

ROWS = 20_000
Items = Sequence[tuple[bytes, bytes]]


def main() -> None:
    """Work with small and large values, wide rows, counters, and through a server."""
    source = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, rs.connect(Path(folder) / "db") as db:
        for name, value_bytes, rows in (("small", 100, ROWS), ("large", 1_000, ROWS // 4)):
            values(db, name, items_of(source, value_bytes, rows))
        wide_rows(db, "plain", rs.Family(max_versions=3))
        wide_rows(db, "encoded", rs.Family(max_versions=3, data_block_encoding="FAST_DIFF"))
        wide_rows(db, "compressed", rs.Family(max_versions=3, data_block_encoding="FAST_DIFF", compression="SNAPPY"))
        counters(db, "counted")
        with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            values(client, "served", items_of(source, 100, ROWS // 4))
            counters(client, "served-counters")


def items_of(source: random.Random, value_bytes: int, rows: int) -> Items:
    """Rows in random order, as keys and values."""
    numbers = source.sample(range(10**12), rows)
    return [(b"user%022d" % number, source.randbytes(value_bytes)) for number in numbers]


def values(db: rs.Database, name: str, items: Items) -> None:
    """Write one value to each row. Read them from the memstore, and then from a file."""
    db.create_table(name, ["f"])
    table = db.table(name)
    for key, value in items[::2]:
        table.put(key, {b"f:q": value})
    with table.batch() as batch:
        for key, value in items[1::2]:
            batch.put(key, {b"f:q": value})
    read(table, items)
    db.admin.flush(name)
    with table.batch() as batch:
        for key, value in items[::10]:
            batch.put(key, {b"f:q": value})
        for key, _ in items[::50]:
            batch.delete(key + b"x")
    db.admin.major_compact(name)
    for _ in range(3):
        read(table, items)


def read(table: rs.Table, items: Items) -> None:
    """Read every row in each way, and rows that do not exist."""
    for key, value in items:
        if table.value(key, b"f:q") != value or table.get(key)[b"f:q"] != value:
            raise AssertionError(f"{key!r} has another value")
        table.value(key + b"0", b"f:q")
        table.get(key + b"0")
    keys = [key for key, _ in items]
    for start in range(0, len(keys), 1_000):
        for row in table.get_many(keys[start : start + 1_000]):
            row.get(b"f:q")
    for is_reversed in (False, True):
        sum(1 for _ in table.scan(reverse=is_reversed).pairs(b"f:q"))
        sum(len(row) for row in table.scan(reverse=is_reversed))
    for key in keys[::20]:
        sum(1 for _ in table.scan(key, limit=100))


def wide_rows(db: rs.Database, name: str, family: rs.Family) -> None:
    """Rows of ten cells in two families, with versions and filters."""
    db.create_table(name, {"a": family, "b": family})
    table = db.table(name)
    for version in range(3):
        with table.batch() as batch:
            for row in range(ROWS // 10):
                cells = {f"{'ab'[column % 2]}:c{column}": b"%d-%d" % (row, version) for column in range(10)}
                batch.put(f"sensor{row % 7}-{row:08d}", cells)
        db.admin.flush(name)
    for _ in range(2):
        for row in range(0, ROWS // 10, 3):
            table.get(f"sensor{row % 7}-{row:08d}", columns=["a:c2", "b"])
        sum(len(row) for row in table.scan())
        sum(len(row) for row in table.scan(columns=["a:c0"], versions=3))
        sum(1 for _ in table.scan(filter=rs.filters.SingleColumnValueFilter("a", "c4", "=", b"7-2")))
        sum(1 for _ in table.scan(prefix="sensor3", filter="KeyOnlyFilter()"))
        db.admin.major_compact(name)


def counters(db: rs.Database, name: str) -> None:
    """Increments, appends, conditional writes and deletes."""
    db.create_table(name, ["f"])
    table = db.table(name)
    for number in range(ROWS // 10):
        row = f"row{number % 100}"
        table.increment(row, "f:count", 1)
        if number % 10 == 0:
            table.append(row, {"f:log": b"x"})
            table.check_and_mutate(row, "f:log", "==", b"x", rs.Put(row, {"f:first": b"%d" % number}))
        if number % 100 == 99:
            table.delete(row, columns=["f:log"])


if __name__ == "__main__":
    main()
