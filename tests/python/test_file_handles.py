"""Handles of store files: a process reads more of them than it may have files open."""

from __future__ import annotations

import errno
from pathlib import Path

import rowstone as rs
from tests.python.process import run

FILES, MOST = 150, 100

WRITES = f"""
import os, resource, sys
import rowstone as rs
resource.setrlimit(resource.RLIMIT_NOFILE, ({MOST}, {MOST}))
with rs.connect(sys.argv[1], configuration={{"rowstone.compaction.background": False}}) as db:
    db.create_table("t", ["f"])
    table = db.table("t")
    for row in range({FILES}):
        table.put(f"{{row:03}}", {{"f:q": str(row)}})
        db.admin.flush("t")
with rs.connect(sys.argv[1], configuration={{"rowstone.compaction.background": False}}) as db:
    table, rows = db.table("t"), [f"{{row:03}}".encode() for row in range({FILES})]
    scan = iter(table.scan())
    first = next(scan).key
    assert [row.key for row in table.scan()] == rows
    assert all(table.get(row)["f:q"] == str(number).encode() for number, row in enumerate(rows))
    stats = db.admin.metrics.stats()
    assert stats["store_files"] == {FILES}, stats
    print(stats["file_handles"], stats["file_handle_limit"], stats["file_handles_reopened"] > 0)
    db.admin.major_compact("t")
    assert [first, *(row.key for row in scan)] == rows, "the scan still reads the files that were replaced"
    assert [row.key for row in table.scan()] == rows
"""
"""Writes and reads more files than the process may have open."""

READS = """
import resource, sys
import rowstone as rs
resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
try:
    rs.connect(sys.argv[1], read_only=True)
except rs.errors.StorageError as error:
    print(error.errno, error)
"""


def test_more_files_than_the_process_may_have_open(tmp_path: Path) -> None:
    assert run(WRITES, tmp_path / "db").split() == [str(MOST // 2), str(MOST // 2), "True"]
    with rs.connect(tmp_path / "db") as db:
        assert sum(1 for _ in db.table("t").scan()) == FILES
        assert db.admin.metrics.stats()["store_files"] == 1


def test_a_reader_with_too_few_handles_says_what_to_do(tmp_path: Path) -> None:
    """A reader keeps its files open, because a writer may delete them."""
    with rs.connect(tmp_path / "db", configuration={"rowstone.compaction.background": False}) as db:
        db.create_table("t", ["f"])
        for row in range(80):
            db.table("t").put(f"{row:03}", {"f:q": "v"})
            db.admin.flush("t")
    message = run(READS, tmp_path / "db")
    assert message.startswith(f"{errno.EMFILE} cannot open "), message
    assert "ulimit -n" in message
