"""The work of the scale tests, in a process of its own, so that its peak of resident memory is its own.

    python -m tests.scale.work load DIR CELLS | scan DIR CELLS | recover DIR CELLS | wide DIR CELLS

Each prints a line of JSON: what was done, how long it took, and the peak of resident memory in bytes.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import rowstone as rs

LIMIT_BYTES = 256 << 20
"""Memory for blocks, and for recent writes."""
VALUE_BYTES = 100
COLUMNS = 10
"""Cells in a row."""
PAGE = 1000
"""Cells in a page of a wide row."""


def peak_bytes() -> int:
    """The most resident memory this process ever had."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def value(row: int, column: int) -> bytes:
    """100 bytes that belong to that place, and do not compress to nothing."""
    seed = (row * COLUMNS + column) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
    return b"%016x" % seed + b"%084d" % row


def key(row: int) -> bytes:
    """Spread over the key space: rows do not come in order."""
    return b"%08x-%010d" % (row * 2654435761 & 0xFFFFFFFF, row)


def load(db: rs.Database, cells: int) -> int:
    """Rows of ten columns."""
    db.create_table("t", {"f": {}})
    names = [f"f:c{column}" for column in range(COLUMNS)]
    with db.table("t").batch() as batch:
        for row in range(cells // COLUMNS):
            batch.put(key(row), {name: value(row, column) for column, name in enumerate(names)})
    return cells


def scan(db: rs.Database, cells: int) -> int:
    """Every cell, and whether it is the right one."""
    count, last = 0, b""
    with db.table("t").scan() as rows:
        for row in rows:
            assert row.key > last
            last = row.key
            number = int(row.key[9:])
            assert row["f:c7"] == value(number, 7)
            count += len(row)
    assert count == cells, (count, cells)
    return count


def recover(db: rs.Database, cells: int) -> int:
    """Loads and ends without closing: what is in memory is in the log only."""
    load(db, cells)
    print(json.dumps({"done": cells, "seconds": 0.0, "peak_bytes": peak_bytes()}), flush=True)
    os._exit(0)


def wide(db: rs.Database, cells: int) -> int:
    """One row of very many columns, written in pieces and read in pages, before and after it is in files."""
    db.create_table("wide", {"f": {}})
    table = db.table("wide")
    for start in range(0, cells, 5000):
        table.put("row", {f"f:{column:08}": b"%0100d" % column for column in range(start, min(start + 5000, cells))})
    for place in ("memory", "file", "merged"):
        if place == "file":
            db.admin.flush("wide")
        if place == "merged":
            db.admin.major_compact("wide")
        expected = 0
        with table.scan(batch=PAGE) as pages:
            for page in pages:
                assert len(page) <= PAGE
                for cell in page.cells:
                    assert cell.qualifier == b"%08d" % expected
                    expected += 1
        assert expected == cells, (expected, cells)
    return cells


TASKS = {"load": load, "scan": scan, "recover": recover, "wide": wide}


def main() -> None:
    """See the module's head."""
    task, directory, cells = sys.argv[1:4]
    start = time.perf_counter()
    with rs.connect(directory, cache_bytes=LIMIT_BYTES, memstore_bytes=LIMIT_BYTES) as db:
        done = TASKS[task](db, int(cells))
    seconds = time.perf_counter() - start
    print(json.dumps({"done": done, "seconds": round(seconds, 2), "peak_bytes": peak_bytes()}))


if __name__ == "__main__":
    main()
