"""The command line, the demo, the pytest plugin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone._base.printable import printable, size_text
from rowstone.cli.commands import database
from rowstone.cli.common.arguments import key_of

FLIGHTS = 2_000


def rowstone(*arguments: str | Path, status: int = 0) -> str:
    """Run the command and return its output."""
    command = [sys.executable, "-c", "from rowstone.cli import main; main()", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The demo's directory and its output."""
    folder = tmp_path_factory.mktemp("demo") / "data"
    return folder, rowstone("demo", "--at", folder, "--flights", FLIGHTS)


def answers(output: str) -> list[str]:
    """The lines without times and file names."""
    lines = output[output.index("\n1. ") :].splitlines()
    return [line for line in lines if "rows touched" not in line and "rowstone hfile" not in line]


def test_the_demo_asks_eight_questions_and_shows_the_webtable(demo: tuple[Path, str]) -> None:
    _, output = demo
    for number in range(1, 9):
        assert f"\n{number}. " in output
    assert output.count("rows touched") == 8
    assert "ColumnFamily anchor" in output
    assert 'anchor:my.look.ca = "CNN.com"' in output
    assert "Try next" in output
    assert "Error" not in output


def test_a_second_demo_loads_nothing_and_answers_the_same(demo: tuple[Path, str]) -> None:
    """issue 3, acceptance 1"""
    folder, first = demo
    second = rowstone("demo", "--at", folder, "--flights", FLIGHTS)
    assert "from an earlier run" in second
    assert answers(second) == answers(first)


def test_the_commands_that_the_demo_proposes_work(demo: tuple[Path, str]) -> None:
    output = rowstone("demo", "--at", demo[0], "--flights", FLIGHTS)
    commands = [line.strip() for line in output.splitlines() if line.strip().startswith("rowstone ")]
    assert len(commands) >= 5
    for command in commands:
        assert rowstone(*command.split()[1:])


def test_the_demo_refuses_numbers_it_does_not_have(tmp_path: Path) -> None:
    assert "100 to 336,776" in rowstone("demo", "--at", tmp_path / "x", "--flights", 5, status=2)
    assert not (tmp_path / "x").exists()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": rs.Family(max_versions=3)})
        for number in range(3):
            db.table("t").put(f"row{number}".encode() + b"\x00\xff", {"f:q": f"v{number}"}, timestamp=number)
        db.table("t").delete(b"row1\x00\xff", "f:q", timestamp=5)
    return tmp_path / "db"


def test_scan_prints_cells_as_hbase_does(folder: Path) -> None:
    output = rowstone("scan", folder, "t", "--raw", "--versions", "3")
    assert "row1\\x00\\xFF  column=f:q, timestamp=5, type=DeleteColumn, value=\n" in output
    assert "row2\\x00\\xFF  column=f:q, timestamp=2, value=v2\n" in output
    assert "3 rows" in output


def test_scan_takes_ranges_and_formats(folder: Path) -> None:
    assert rowstone("scan", folder, "t", "--start", "row1", "--limit", "1").count("column=") == 1
    assert rowstone("scan", folder, "t", "--stop", "row2").count("column=") == 1
    assert rowstone("scan", folder, "t", "--reverse").startswith("row2")
    line = rowstone("scan", folder, "t", "--prefix", r"row2\x00", "--format", "json").splitlines()[0]
    assert json.loads(line) == {
        "row": "row2\\x00\\xFF",
        "cells": [{"column": "f:q", "timestamp": 2, "type": "Put", "value": "v2"}],
    }
    assert "timestamp" in rowstone("scan", folder, "t", "--format", "table")
    assert "column=f:q" in rowstone("get", folder, "t", r"row0\x00\xff")
    assert "no row" in rowstone("get", folder, "t", "none", status=1)


def test_looking_works_beside_a_writer(folder: Path) -> None:
    with rs.connect(folder) as db:
        db.table("t").put("fresh", {"f:q": "v"})
        assert "fresh" in rowstone("scan", folder, "t")
        assert "t\n" in rowstone("tables", folder, "--names")


def test_other_commands_print_their_results(folder: Path) -> None:
    assert "recent writes  4 cells" in rowstone("info", folder)
    with rs.connect(folder) as db:
        db.admin.flush()
    assert "NAME => 'f'" in rowstone("tables", folder)
    assert "store files    1" in rowstone("info", folder)
    assert "store_files" in rowstone("stats", folder)
    assert "store_files" in rowstone("stats", folder, "t")
    with rs.connect(folder, read_only=True) as db:
        [file] = db.admin.tables.store_files("t")
    output = rowstone("hfile", file.path, "--blocks", "--verify")
    assert "first key            row0\\x00\\xFF/f:q/0/Put" in output
    assert "DATABLK*" in output
    assert "verified" in output
    assert "K: row0\\x00\\xFF/f:q/0/Put/vlen=2/seqid=" in rowstone("hfile", file.path, "--cells")
    assert rowstone("--version") == f"rowstone {rs.__version__}\n"


def test_errors_have_a_hint_and_no_traceback(folder: Path, tmp_path: Path) -> None:
    assert "hint: `rowstone tables DIR`" in rowstone("scan", folder, "none", status=3)
    assert "hint: `rowstone demo`" in rowstone("info", tmp_path / "nowhere", status=3)
    assert "error: " in rowstone("hfile", __file__, status=5)
    assert "hint: " in rowstone("scan", folder, "t", "--columns", "zz", status=2)
    assert "Usage: " in rowstone("scan", status=2)


def test_a_closed_pipe_ends_in_silence(folder: Path) -> None:
    script = f"{sys.executable} -c 'from rowstone.cli import main; main()' scan {folder} t --limit 0 | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert "Traceback" not in done.stderr


def test_keys_on_the_command_line() -> None:
    assert key_of(r"a\x00\xffb") == b"a\x00\xffb"
    assert key_of(printable(bytes(range(256)))) == bytes(range(256))
    assert [size_text(size) for size in (0, 1023, 1024, 1 << 20, 3 << 40, 5 << 50)] == [
        "0 B",
        "1,023 B",
        "1.0 KiB",
        "1.0 MiB",
        "3.0 TiB",
        "5,120.0 TiB",
    ]


PLUGIN_TEST = """
import rowstone as rs

def test_first(rowstone_db, rowstone_clock):
    rowstone_db.create_table("t", {"f": {"ttl_seconds": 1}})
    rowstone_db.table("t").put("r", {"f:q": "v"})
    rowstone_clock.advance(1001)
    assert not rowstone_db.table("t").get("r")

def test_second(rowstone_db):
    assert rowstone_db.tables() == []
    assert rowstone_db.path == ":memory:"
"""


def test_the_pytest_plugin_gives_each_test_a_database(tmp_path: Path) -> None:
    (tmp_path / "test_with_plugin.py").write_text(PLUGIN_TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_a_database_in_memory_takes_milliseconds() -> None:
    began = time.perf_counter()
    for _ in range(20):
        with rs.testing.temporary_database() as db:
            db.create_table("t", ["f"])
            db.table("t").put("r", {"f:q": "v"})
    assert (time.perf_counter() - began) / 20 < 0.1


def test_scan_and_get_take_filters_of_hbases_language(folder: Path) -> None:
    """Regression: they had no filters."""
    kept = rowstone("scan", folder, "t", "--filter", "PrefixFilter('row2')", "--json")
    assert [json.loads(line)["row"] for line in kept.splitlines()[:-1]] == ["row2\\x00\\xFF"]
    assert kept.splitlines()[-1] == "1 row"
    assert "has no cell that matches the options" in rowstone(
        "get", folder, "t", r"row2\x00\xFF", "--filter", "ValueFilter(=, 'binary:none')", status=1
    )
    wrong = rowstone("scan", folder, "t", "--filter", "NoFilter('x')", status=2)
    assert "NoFilter" in wrong


@pytest.mark.parametrize(
    ("line", "offered"), [("rowstone sc", ["scan", "schema"]), ("rowstone scan d t --re", ["--reverse"])]
)
def test_shells_can_complete_the_command_line(line: str, offered: list[str]) -> None:
    """Regression: the command line had no completion."""
    words = {"_ROWSTONE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    command = [sys.executable, "-c", "import sys; sys.argv = ['rowstone']; from rowstone.cli import main; main()"]
    done = subprocess.run(command, env={**os.environ, **words}, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == offered


@pytest.mark.parametrize(
    "command",
    [
        ("import", "db", "t", "none", "--format", "csv", "--key", "a", "--column", "f:a=a"),
        ("shell", "db", "none"),
        ("schema", "diff", "none", "db"),
        ("schema", "lint", "none"),
    ],
)
def test_a_missing_file_is_named(command: tuple[str, ...], tmp_path: Path) -> None:
    rowstone("exec", tmp_path / "db", "create 't', 'f'")
    words = [tmp_path / word if word in ("db", "none") else word for word in command]
    assert f"error: no such file: {tmp_path / 'none'}\n" in rowstone(*words, status=3)


def test_a_missing_directory_of_an_output_is_named(tmp_path: Path) -> None:
    rowstone("exec", tmp_path / "db", "create 't', 'f'")
    output = rowstone("schema", "dump", tmp_path / "db", tmp_path / "none" / "s.toml", status=3)
    assert f"error: no such file: {tmp_path}/none/s.toml (there is no directory {tmp_path}/none)\n" in output


def test_a_negative_limit_is_refused(tmp_path: Path) -> None:
    rowstone("exec", tmp_path / "db", "create 't', 'f'")
    assert "'-1' is below the minimum, 0" in rowstone("scan", tmp_path / "db", "t", "--limit", "-1", status=2)


def test_info_of_a_cluster_has_each_label_once(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    facts = {"namespaces": [], "tables": [], "regions": 3, "statistics": {"regions": 4, "requests": 5}}
    monkeypatch.setattr(database, "open_database", nullcontext)
    monkeypatch.setattr(database, "facts_of", lambda db, target: facts)
    database.info("hbase://localhost:16000")
    labels = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert labels == ["database", "namespaces", "tables", "regions", "requests"]
