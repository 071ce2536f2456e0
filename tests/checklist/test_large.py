"""Wide rows and long scans need little memory (checklist 019). `make checklist-full` runs them in full size.

The store is written by one process and read by another, whose memory is measured. The data is several times what the
reader may take.
"""

from __future__ import annotations

from pathlib import Path

from tests.checklist import checklist
from tests.checklist.helpers import FULL_SIZE, run_script

CACHE_BYTES = 8 << 20
MOST_GROWTH = 24 << 20

WRITE_WIDE = """
import sys, rowstone as rs
with rs.connect(sys.argv[1], durability="SKIP_WAL") as db:
    db.create_table("t", ["f"])
    t, count = db.table("t"), int(sys.argv[2])
    for first in range(0, count, 1_000):
        t.put("wide", {f"f:{number:08}": b"v" * 200 for number in range(first, first + 1_000)})
    db.admin.flush()
"""

WRITE_LONG = """
import sys, rowstone as rs
with rs.connect(sys.argv[1], durability="SKIP_WAL") as db:
    db.create_table("t", ["f"])
    with db.table("t").batch() as batch:
        for number in range(int(sys.argv[2])):
            batch.put(f"{number:010}", {"f:q": b"v" * 200})
    db.admin.flush()
"""

READ = """
import pathlib, sys, rowstone as rs

def memory(name):
    [line] = [line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith(name)]
    return int(line.split()[1]) * 1024

with rs.connect(sys.argv[1], cache_bytes=int(sys.argv[2])) as db:
    t = db.table("t")
    next(t.scan(batch=1_000))
    before, cells, rows = memory("VmRSS"), 0, 0
    with t.scan(batch=1_000) as scanner:
        for row in scanner:
            assert len(row.cells) <= 1_000
            cells += len(row)
            rows += 1
    print(cells, rows, memory("VmHWM") - before)
"""


def _read(directory: Path) -> tuple[int, int, int]:
    cells, rows, growth = map(int, run_script(READ, directory, CACHE_BYTES).split())
    return cells, rows, growth


@checklist("019", clause="a wide row is read in pages with bounded memory")
def test_a_wide_row_is_read_in_pages(tmp_path: Path) -> None:
    count = 1_000_000 if FULL_SIZE else 250_000
    run_script(WRITE_WIDE, tmp_path / "db", count)
    cells, pages, growth = _read(tmp_path / "db")
    assert (cells, pages) == (count, count // 1_000)
    assert growth < MOST_GROWTH


@checklist("019", clause="a long scan streams with flat memory")
def test_a_long_scan_streams(tmp_path: Path) -> None:
    count = 10_000_000 if FULL_SIZE else 250_000
    run_script(WRITE_LONG, tmp_path / "db", count)
    cells, rows, growth = _read(tmp_path / "db")
    assert (cells, rows) == (count, count)
    assert growth < MOST_GROWTH
