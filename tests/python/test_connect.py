"""Targets of `rowstone.connect`: likely mistakes, and directories that are already open."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.testing import ManualClock
from tests.python.process import run

MISTYPED = {
    "localhost:16000": "hbase://localhost:16000",
    "127.0.0.1:16000,hbase-2:16000": "hbase://127.0.0.1:16000,hbase-2:16000",
    "[::1]:16000": "hbase://[::1]:16000",
    "zk1:2181": "hbase+zk://zk1:2181",
    "zk1:2181/hbase": "hbase+zk://zk1:2181/hbase",
    "hbase:localhost:16000": "hbase://localhost:16000",
    "hbase:/localhost:16000": "hbase://localhost:16000",
    "memory": ":memory:",
    ":mem:": ":memory:",
    "in-memory": ":memory:",
    "~/x": "/people/ada/x",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/people/ada")


@pytest.mark.parametrize("target", MISTYPED)
def test_a_mistyped_target_makes_no_directory(target: str, tmp_path: Path) -> None:
    """Regression: a directory of that name was silently created."""
    for create in (True, False):
        with pytest.raises(errors.InvalidArgument) as raised:
            rs.connect(target, create=create)
        assert f"did you mean '{MISTYPED[target]}'? For a directory of that name pass './{target}'" in str(raised.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["crawl", "hbase", "a:b", "memory.db", "a~b", "16000", "~nobody-of-that-name"])
def test_other_names_are_directories(target: str, tmp_path: Path) -> None:
    rs.connect(target).close()
    assert [path.name for path in tmp_path.iterdir()] == [target]


@pytest.mark.parametrize("target", ["localhost:16000", "memory", "~"])
def test_a_directory_that_is_there_is_opened(target: str) -> None:
    rs.connect(f"./{target}").close()
    rs.connect(target).close()


def test_a_path_object_is_a_path(tmp_path: Path) -> None:
    rs.connect(Path("memory")).close()
    assert (tmp_path / "memory" / "MANIFEST").exists()
    with pytest.raises(errors.InvalidArgument, match="did you mean '/people/ada/x'"):
        rs.connect(Path("~/x"))


def test_copies_are_not_made_in_a_directory_named_tilde(tmp_path: Path) -> None:
    with rs.connect("db") as db:
        db.create_table("t", ["f"])
        for call in (
            lambda: db.admin.backup("~/b"),
            lambda: db.admin.tables.export_hfiles("t", "~/b"),
            lambda: db.admin.snapshots.export("s", "~/b"),
        ):
            with pytest.raises(errors.InvalidArgument, match="did you mean '/people/ada/b'"):
                call()
    for copy in (rs.backup, rs.restore, rs.repair):
        with pytest.raises(errors.InvalidArgument, match="did you mean '/people/ada/b'"):
            copy("db", "~/b")
    assert [path.name for path in tmp_path.iterdir()] == ["db"]


def test_a_second_connect_in_one_process_names_this_process() -> None:
    """Regression: the error said that the database was open in process 8761, which was the process itself."""
    with rs.connect("db") as db:
        for path in ("db", "../" + Path.cwd().name + "/db"):
            with pytest.raises(errors.DatabaseLocked, match="already open in this process") as raised:
                rs.connect(path)
            assert "reuse=True" in str(raised.value)
            assert "process " + str(__import__("os").getpid()) not in str(raised.value)
        for call in (lambda: rs.check("db"), lambda: rs.backup("db", "copy")):
            with pytest.raises(errors.DatabaseLocked, match=r"open in this process: .* db\.admin\.backup"):
                call()
        rs.connect("db", read_only=True).close()
        assert db.tables() == []
    rs.connect("db").close()


def test_reuse_returns_the_open_database() -> None:
    clock = ManualClock(5)
    first = rs.connect("db", clock=clock, configuration={"hbase.column.max.version": 3}, reuse=True)
    again = rs.connect("./db", clock=clock, configuration={"hbase.column.max.version": 3}, reuse=True)
    assert again is first
    with pytest.raises(errors.InvalidArgument, match="already open in this process, with another clock, configuration"):
        rs.connect("db", reuse=True)
    first.close()
    with rs.connect("db", reuse=True) as other:
        assert other is not first
    with rs.connect(":memory:", reuse=True) as one, rs.connect(":memory:", reuse=True) as two:
        assert one is not two
    with pytest.raises(errors.UnsupportedOperation, match="reuse=True"):
        rs.connect("hbase://localhost:1", reuse=True)


def test_threads_that_reuse_a_directory_at_the_same_time_get_one_database() -> None:
    with ThreadPoolExecutor(4) as threads:
        for _ in range(5):
            found = list(threads.map(lambda _: rs.connect("db", reuse=True), range(4)))
            assert len(set(map(id, found))) == 1
            found[0].close()


def test_a_database_that_was_not_closed_is_found_again() -> None:
    rs.connect("db").create_table("t", ["f"])
    gc.collect()
    with rs.connect("db", reuse=True) as db:
        assert db.tables() == ["t"]
    rs.connect("db").close()


CHILD = """
import os, sys
import rowstone as rs
db = rs.connect(sys.argv[1])
if (pid := os.fork()) == 0:
    try:
        rs.connect(sys.argv[1], reuse=True)
    except rs.errors.DatabaseLocked as error:
        print("this process" not in str(error) and f"process {os.getppid()}" in str(error), flush=True)
    os._exit(0)
os.waitpid(pid, 0)
"""


def test_the_child_of_a_fork_reuses_nothing(tmp_path: Path) -> None:
    assert run(CHILD, tmp_path / "db") == "True\n"
