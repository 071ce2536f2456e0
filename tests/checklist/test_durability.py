"""Durability: logs cut at any byte, killed processes (checklist 152, 157)."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import keys, make, run_script


def _newest_log(directory: Path) -> Path:
    return max((directory / "WALs").glob("*.wal"))


@checklist("152", clause="a log cut at any byte shows all or nothing")
def test_a_log_cut_at_any_byte_shows_all_or_nothing(tmp_path: Path, clock: ManualClock) -> None:
    whole = tmp_path / "whole"
    put = {"f:a": "1", "f:b": "2", "g:a": "3", "g:b": "4"}
    with rs.connect(tmp_path / "db", clock=clock) as db:
        t = make(db, f={}, g={})
        t.put("before", put)
        start = _newest_log(tmp_path / "db").stat().st_size
        t.put("cut", put)
        end = _newest_log(tmp_path / "db").stat().st_size
        shutil.copytree(tmp_path / "db", whole)
    assert end - start > 100
    shown = []
    for length in range(start, end + 1):
        copy = tmp_path / "copy"
        shutil.copytree(whole, copy)
        with _newest_log(copy).open("r+b") as log:
            log.truncate(length)
        with rs.connect(copy, clock=clock) as db:
            rows = {row.key: dict(row) for row in db.table("t").scan()}
        shutil.rmtree(copy)
        expected = {column.encode(): value.encode() for column, value in put.items()}
        assert rows.pop(b"before") == expected, length
        assert rows in ({}, {b"cut": expected}), length
        shown.append(bool(rows))
    assert shown == [False] * (end - start) + [True]


WRITE_UNTIL_KILLED = """
import sys, rowstone as rs
directory, durability = sys.argv[1:]
with rs.connect(directory) as db:
    db.create_table("t", ["f", "g"])
    t = db.table("t")
    for number in range(1_000_000):
        t.put(f"{number:08}", {"f:q": str(number), "g:q": str(number)}, durability=durability)
        print(number, flush=True)
"""


def _rows_after_kill(directory: Path, durability: str, acknowledged: int) -> tuple[int, list[int]]:
    """(the last write that the process reported before it was killed, the numbers of the rows in the table)"""
    command = [sys.executable, "-c", WRITE_UNTIL_KILLED, str(directory), durability]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= acknowledged:
                break
        process.kill()
        told = [int(line), *(int(rest) for rest in process.stdout if rest.endswith("\n"))]
    assert process.returncode == -signal.SIGKILL
    with rs.connect(directory) as db:
        rows = [(int(row.key), {int(value) for value in row.values()}, len(row)) for row in db.table("t").scan()]
    assert all(values == {key} and columns == 2 for key, values, columns in rows)
    return max(told), [key for key, _, _ in rows]


@checklist("157", clause="SYNC_WAL survives kill -9")
def test_sync_wal_survives_a_kill(tmp_path: Path) -> None:
    last, rows = _rows_after_kill(tmp_path / "db", "SYNC_WAL", 500)
    assert rows[: last + 1] == list(range(last + 1))


@checklist("157", clause="FSYNC_WAL survives kill -9")
def test_fsync_wal_survives_a_kill(tmp_path: Path) -> None:
    last, rows = _rows_after_kill(tmp_path / "db", "FSYNC_WAL", 100)
    assert rows[: last + 1] == list(range(last + 1))


@checklist("157", clause="ASYNC_WAL survives a clean exit")
def test_async_wal_keeps_the_order_of_writes(tmp_path: Path) -> None:
    """After a kill what is left is a beginning of what was written."""
    _, rows = _rows_after_kill(tmp_path / "db", "ASYNC_WAL", 500)
    assert rows == list(range(len(rows)))


@checklist("157", clause="ASYNC_WAL survives a clean exit")
def test_async_wal_survives_a_clean_exit(tmp_path: Path) -> None:
    script = """
import sys, rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"])
t = db.table("t")
for number in range(100):
    t.put(f"{number:04}", {"f:q": "v"}, durability="ASYNC_WAL")
"""
    run_script(script, tmp_path / "db")
    with rs.connect(tmp_path / "db") as db:
        assert len(keys(db.table("t"))) == 100


@checklist("157", clause="SKIP_WAL promises nothing before a flush")
def test_skip_wal_is_lost_before_a_flush(tmp_path: Path) -> None:
    script = """
import os, signal, sys, rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"])
t = db.table("t")
t.put("flushed", {"f:q": "v"}, durability="SKIP_WAL")
db.admin.flush("t")
t.put("skipped", {"f:q": "v"}, durability="SKIP_WAL")
t.put("logged", {"f:q": "v"}, durability="SYNC_WAL")
assert len(list(t)) == 3
os.kill(os.getpid(), signal.SIGKILL)
"""
    run_script(script, tmp_path / "db", status=-signal.SIGKILL)
    with rs.connect(tmp_path / "db") as db:
        assert keys(db.table("t")) == [b"flushed", b"logged"]


@checklist("157", clause="a failed write leaves nothing")
def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        t = make(db, f={})
        too_large: dict[str, bytes] = {"f:a": b"small", "f:q": b"v" * 11_000_000}
        t.put("r", {"f:q": "kept"})
        with pytest.raises(rs.errors.CellTooLarge):
            t.put("r", too_large)
        with pytest.raises(rs.errors.NoSuchColumnFamily):
            t.mutate_row("r", [rs.Put("r", {"f:q": "changed"}), rs.Put("r", {"g:q": "v"})])
        with pytest.raises(rs.errors.NotALong):
            t.mutate_row("r", [rs.Put("r", {"f:b": "v"}), rs.Increment("r", {"f:q": 1})])
        assert dict(t.get("r")) == {b"f:q": b"kept"}
        shutil.copytree(tmp_path / "db", tmp_path / "crashed")
    for directory in ("db", "crashed"):
        with rs.connect(tmp_path / directory) as db:
            assert dict(db.table("t").get("r")) == {b"f:q": b"kept"}
