"""Mistakes of a first session: each error names what was given, and what to do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs, errors, jobs, keys
from rowstone.cli._main import COMMANDS, GROUPS
from tests.python.structure import ROOT


def run(folder: Path, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "rowstone", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "crawl") as db:
        db.create_table("web", ["a"])
        db.table("web").put("com.cnn", {"a:title": "CNN"})
    return tmp_path


@pytest.mark.parametrize("group", ["", *GROUPS])
def test_no_summary_of_a_command_is_cut(tmp_path: Path, group: str) -> None:
    status, output = run(tmp_path, *group.split(), "--help")
    assert status == 0
    assert "..." not in output.partition("Commands:")[2]


def test_the_page_lists_every_command() -> None:
    page = (ROOT / "docs/reference/command-line.md").read_text().partition("## Exit codes")[0]
    assert not [name for name in (*COMMANDS, *GROUPS) if f"`{name} " not in page and f"`{name}`" not in page]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("get crawl web com.cnn -c a:none", 1, "row 'com.cnn' of table 'web' has no cell that matches the options"),
        ("get crawl web com.bbc", 1, "no row 'com.bbc' in table 'web'"),
        ("copy crawl other", 2, "'crawl' is a database: name its table too, as 'crawl/TABLE'"),
        ("hfile crawl", 2, "'crawl' is a directory: pass one store file"),
        ("user list crawl", 2, "there is no users file 'crawl/users.toml': `rowstone user add` creates it"),
        ("put crawl web", 2, 'rowstone exec DIR "put ..."'),
    ],
)
def test_commands_name_the_next_step(crawl: Path, words: str, status: int, message: str) -> None:
    found, output = run(crawl, *words.split())
    assert message in output
    assert found == status


@pytest.mark.parametrize(
    "call",
    [
        lambda: jobs.count_rows("data", "t"),  # type: ignore[arg-type]
        lambda: jobs.export_table("data", "t", "out.csv"),  # type: ignore[arg-type]
        lambda: jobs.import_file("data", "t", "in.csv", {"f:q": "q"}, key="k"),  # type: ignore[arg-type]
        lambda: codecs.declare("data", "t", {}),  # type: ignore[arg-type]
    ],
)
def test_a_path_in_place_of_a_database(call: Callable[[], Any]) -> None:
    with pytest.raises(errors.InvalidType, match=r"db is 'data': pass a Database: rowstone\.connect\(path\)"):
        call()


def test_a_name_in_place_of_a_table() -> None:
    with pytest.raises(errors.InvalidType, match=r"table is 't': pass a Table: db\.table\(name\)"):
        keys.KeyedTable("t", keys.Key(keys.text("host")))  # type: ignore[arg-type]


def test_a_file_in_place_of_a_directory(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").touch()
    with pytest.raises(errors.NotADatabase, match="is a file, not a directory"):
        rs.connect(tmp_path / "rows.csv")


def test_a_misspelt_setting_of_a_family() -> None:
    with rs.connect(":memory:") as db, pytest.raises(errors.InvalidArgument, match="did you mean 'max_versions'"):
        db.create_table("t", {"f": {"max_version": 3}})


def test_a_misspelt_option_of_happybase_is_shown_as_it_was_given() -> None:
    with rs.connect(":memory:") as db:
        connection = rs.happybase.Connection(database=db)
        with pytest.raises(TypeError, match=r"'max_version' is unknown; there are: max_versions, compression"):
            connection.create_table("t", {"f": {"max_version": 3}})


def test_a_directory_has_no_servers() -> None:
    with rs.connect(":memory:") as db, pytest.raises(errors.UnsupportedOperation, match="only a cluster has servers"):
        db.admin.metrics.servers()


def test_objects_describe_themselves() -> None:
    key = keys.Key(keys.salt(8), keys.text("host"), keys.time("at"))
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        assert repr(db.coprocessors) == "<db.coprocessors: no observers attached>"
        with keys.KeyedTable(db.table("t"), key).scan({"host": "web1"}) as scan:
            assert repr(scan).endswith("b'\\x03web1\\x00' to b'\\x03web1\\x01' and 4 more>")
        server = rs.serve(db, port=0, zk_port=None)
        assert "stopped" not in repr(server)
        server.stop()
        assert repr(server).endswith(" of :memory:, stopped>")


def test_completion_offers_public_names_only() -> None:
    names = [name for name in dir(rs) if not name.startswith("__")]
    assert not [name for name in names if name.startswith("_") or name == "TYPE_CHECKING"]
    assert {"connect", "jobs", "keys", "aio"} <= set(names)


def test_mutations_and_reads_print_their_arguments() -> None:
    """Regression: ``Put(b'r', 1 cells)``, ``Scanner(start=b'', stop=b'')``."""
    delete = rs.Delete("r").add_columns("f:a").add_column("f:b", 5).add_family("g")
    shown = [
        (rs.Put("r", {"f:a": "1"}), "Put(b'r', {b'f:a': b'1'})"),
        (rs.Put("r", [("f:a", "1", 5), ("f:b", "2")]), "Put(b'r', [(b'f:a', b'1', 5), (b'f:b', b'2')])"),
        (
            rs.Put("r", {"f:a": "1"}, timestamp=5, ttl_ms=9, durability="SKIP_WAL", acl={"ann": "R"}),
            "Put(b'r', {b'f:a': b'1'}, timestamp=5, ttl_ms=9, durability='SKIP_WAL', acl=...)",
        ),
        (rs.Increment("r", {"f:n": -2}), "Increment(b'r', {b'f:n': -2})"),
        (rs.Append("r", {"f:a": "x"}, time_range=(1, None)), "Append(b'r', {b'f:a': b'x'}, time_range=(1, None))"),
        (rs.Delete("r", timestamp=7), "Delete(b'r', timestamp=7)"),
        (delete, "Delete(b'r', [DeleteColumn(b'f:a'), Delete(b'f:b', 5), DeleteFamily(b'g:')])"),
        (rs.Get("r", ["f:a", "g"], versions=None), "Get(b'r', columns=[b'f:a', b'g'], versions=None)"),
        (
            rs.Scan("a", columns="f:a", limit=3, reverse=True, filter="PrefixFilter('secret')"),
            "Scan(start=b'a', columns=[b'f:a'], filter=PrefixFilter(...), limit=3, reverse=True)",
        ),
    ]
    assert [repr(made) for made, _ in shown] == [text for _, text in shown]
    with rs.connect(":memory:") as db:
        db.create_table("t", {"f": {"max_versions": 3}})
        scanner = db.table("t").scan(stop="z")
        assert repr(scanner) == "Scanner('t', stop=b'z')"
        assert repr(scanner.pairs("f:a")) == "<pairs of b'f:a' of Scanner('t', stop=b'z')>"
        scanner.close()
        assert repr(scanner) == "Scanner('t', stop=b'z', closed)"
        assert repr(db.table("t").schema).startswith("TableSchema('t', {b'f': Family(max_versions=3")
        assert repr(codecs.typed(db.table("t")).scan()) == "TypedScan(Scanner('t'), Codecs({}))"
        index = db.create_index("t", "by_a", "f:a", strategy="coprocessor")
        assert repr(index.query("a", "c", limit=2)) == "<query of index 'by_a' of 't': 'a' to 'c', limit=2>"


@pytest.mark.parametrize(
    "made",
    [
        rs.Put("k" * 9_000, {f"f:{'q' * 900}{number}": "v" * 9_000 for number in range(99)}),
        rs.Delete("k" * 9_000, [f"f:{'q' * 900}{number}" for number in range(99)]),
        rs.Scan("k" * 9_000, "l" * 9_000, columns=[f"f:{'q' * 900}{number}" for number in range(99)]),
        rs.Get("k" * 9_000, [f"f:{'q' * 900}{number}" for number in range(99)]),
    ],
)
def test_representations_have_a_bound(made: object) -> None:
    assert len(repr(made)) < 1_600


@pytest.mark.parametrize("path", [r"C:\data\db", "c:/data/db"])
def test_a_windows_path_creates_no_directory(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: it created a directory of that name."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(errors.InvalidArgument, match=r"looks like a Windows path.*did you mean '/mnt/c/data/db'"):
        rs.connect(path)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_database_in_memory_has_no_path() -> None:
    """Regression: "the database at /memory is closed"."""
    db = rs.connect(":memory:")
    db.close()
    with pytest.raises(errors.DatabaseClosed, match=r"^the database in memory is closed$"):
        db.table("t")
