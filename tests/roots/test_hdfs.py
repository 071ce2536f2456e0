"""A root in HDFS: snapshots, flushed tables, and the logs of a cluster that was killed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.errors import UnsupportedOperation
from tests.hbase.cluster.processes import HBaseProcesses
from tests.pages import run_page
from tests.roots import text
from tests.roots.conftest import CELLS

ROWS = min(CELLS // 4, 50_000)
"""HBase must not flush the rows of the second half by itself."""
EVERYTHING = "scan raw versions=all"
FAMILIES = {"f": rs.Family(max_versions=3, data_block_encoding="DIFF"), "g": rs.Family(compression="GZ")}
MOST_LOGS = 8


@pytest.fixture(scope="module")
def cluster() -> Iterator[HBaseProcesses]:
    """One region server, and everything in HDFS."""
    with HBaseProcesses(servers=1, hdfs=True) as cluster:
        yield cluster


def write(table: rs.Table, start: int, stop: int) -> None:
    with table.batch() as batch:
        for row in range(start, stop):
            batch.put(f"{row:08}"[::-1], {"f:q": str(row), "g:q": b"x" * (row % 100)})
    table.delete(f"{start:08}"[::-1])


def lines_of(db: rs.Database, table: str = "web") -> list[str]:
    return list(text.lines_of(db.table(table), EVERYTHING))


def test_a_root_in_hdfs(
    cluster: HBaseProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with rs.connect(cluster.url) as db:
        db.create_table("web", FAMILIES, splits=["3", "6"])
        write(db.table("web"), 0, ROWS)
        db.admin.snapshot("nightly", "web")
        db.admin.flush("web")
        flushed = lines_of(db)
        write(db.table("web"), ROWS // 2, 2 * ROWS)
        everything = lines_of(db)
    cluster.kill_hbase()
    with rs.open_root(cluster.root_url, snapshot="nightly") as db:
        assert lines_of(db) == flushed
    with rs.open_root(cluster.root_url) as db:
        assert lines_of(db) == flushed
    close_logs(cluster)
    with rs.open_root(cluster.root_url, with_logs=True) as db:
        assert lines_of(db) == everything
    monkeypatch.chdir(tmp_path)
    run_page("how-to/leave-hbase.md", "tests/roots", {"hdfs://namenode:8020/hbase": cluster.root_url})
    assert re.search(r"^web \d+ True$", capsys.readouterr().out, re.MULTILINE)
    with rs.connect("archive") as archive:
        assert lines_of(archive) == everything


def close_logs(cluster: HBaseProcesses) -> None:
    """Close the logs that are refused because they are open."""
    for _ in range(MOST_LOGS):
        try:
            rs.open_root(cluster.root_url, with_logs=True).close()
        except UnsupportedOperation as error:
            path = re.search(r"log (hdfs://\S+) is empty or open", str(error))
            if path is None:
                raise
            cluster.recover_lease(path[1])
        else:
            return
    raise AssertionError(f"more than {MOST_LOGS} logs were open")
