"""Job commands: output, and resuming after Ctrl-C and after kill -9."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

import rowstone as rs
from rowstone import jobs
from rowstone.keys import Key, KeyedTable, salt, text, time
from tests.python.test_tools import rowstone

# Background jobs of a shell inherit an ignored Ctrl-C.
PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from rowstone.cli import main; main()"
)
ROWS = 150_000


def interrupted(sign: signal.Signals, ready: Path, *arguments: str | Path) -> tuple[int, str]:
    """Status and output of a command that receives a signal once the state in ``ready`` reports finished rows."""
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not (ready.exists() and json.loads(ready.read_bytes())["progress"]["rows"] > 0):
        assert running.poll() is None, running.communicate()
    running.send_signal(sign)
    _, said = running.communicate(timeout=120)
    return running.returncode, said


def test_import_says_what_it_did_and_what_it_refused(tmp_path: Path) -> None:
    file, database = tmp_path / "people.csv", tmp_path / "db"
    file.write_text("id,age\nann,41\n,1\nbob,27\n")
    arguments = ("import", database, "people", file, "--column", "f:a=age", "--key", "id")
    rowstone("import", database, "people", file, "--fields", "HBASE_ROW_KEY,f:a", "--create", "--bad-lines", "skip")
    assert "line 3, column 'id': '': the row key is empty" in rowstone(*arguments, status=3)
    output = rowstone(*arguments, "--bad-lines", "skip", "--restart")
    assert "2 rows, 2 cells imported into people" in output
    assert "1 line refused" in output
    assert (tmp_path / "people.csv.bad").read_text() == ",1\n"
    assert "would be imported" in rowstone(*arguments, "--bad-lines", "skip", "--dry-run")
    assert "COLUMN=FIELD" in rowstone("import", database, "people", file, status=2)
    assert "COLUMN=FIELD" in rowstone("import", database, "people", file, "--column", "f:a", status=2)


def test_import_checks_before_it_creates_the_table(tmp_path: Path) -> None:
    """--create created the table, and the database, even if nothing could be imported."""
    file, database = tmp_path / "people.csv", tmp_path / "db"
    file.write_text("id,age\nann,41\nbob,27\n")
    arguments = ("import", database, "people", file, "--create", "--column", "f:a=age", "--key")
    rowstone("import", database, "people", tmp_path / "none.csv", *arguments[4:], "id", status=3)
    assert "2 rows, 2 cells would be imported" in rowstone(*arguments, "id", "--dry-run")
    assert not database.exists()
    with rs.connect(database) as db:
        db.create_table("other", ["f"])
    assert "has no field 'nick'" in rowstone(*arguments, "nick", status=2)
    assert "no table 'people'" in rowstone(*arguments[:4], *arguments[5:], "id", status=3)
    assert "2 rows, 2 cells would be imported" in rowstone(*arguments, "id", "--dry-run")
    state = tmp_path / "people.csv.import.json"
    state.write_text("{}")
    assert "is not the state of a job" in rowstone(*arguments, "id", status=2)
    state.unlink()
    assert rowstone("tables", database, "--names").split() == ["other"]
    assert "2 rows, 2 cells imported" in rowstone(*arguments, "id")
    assert rowstone("tables", database, "--names").split() == ["other", "people"]


def test_export_says_what_it_did(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=["b"])
        for row in "abc":
            db.table("t").put(row, {"f:n": row * 2, "f:m": "m"}, timestamp=1)
    out = tmp_path / "out.csv"
    assert "2 regions with the fields row, f:m, f:n" in rowstone("export", tmp_path / "db", "t", out, "--dry-run")
    assert not out.exists()
    output = rowstone("export", tmp_path / "db", "t", out, "--column", "f:n=n", "--key", "id", "--workers", "2")
    assert f"3 rows exported as 3 lines to {out}" in output
    assert out.read_text() == "id,n\na,aa\nb,bb\nc,cc\n"
    assert "exists already" in rowstone("export", tmp_path / "db", "t", out, status=3)
    output = rowstone("export", tmp_path / "db", "t", tmp_path / "o", "--format", "jsonl", "--cells", "--start", "b")
    assert "2 rows exported as 4 lines" in output


def lines_of_the_page(heading: str) -> list[list[str]]:
    """The commands below a heading of docs/how-to/jobs.md, each as its words."""
    text = (Path(__file__).parents[2] / "docs/how-to/jobs.md").read_text().split(f"\n## {heading}\n")[1]
    block = text.split("```sh\n")[1].split("```")[0]
    return [shlex.split(line, comments=True)[1:] for line in block.splitlines()]


def test_the_exports_of_the_page_run_after_its_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("id,age,name\nann,41,Ann\nbob,27,Bob\n")
    rowstone(*lines_of_the_page("Import")[0])
    Path("people.csv").unlink()
    for words in lines_of_the_page("Export"):
        assert "2 rows exported" in rowstone(*words)
    rows = parquet.read_table("people.parquet").to_pylist()
    assert rows == [{"row": "ann", "f:age": 41, "f:name": "Ann"}, {"row": "bob", "f:age": 27, "f:name": "Bob"}]
    rowstone("exec", "./data", "put 'people', 'cy', 'f:age', 'old'")
    output = rowstone("export", "./data", "people", "p.parquet", "--text", "--type", "f:age=int64", status=2)
    assert "error: row 'cy', column 'f:age': 'old' cannot be decoded: it is not a decimal integer" in output
    assert "hint: `rowstone export --help`" in output


def test_import_makes_keys_of_several_fields(tmp_path: Path) -> None:
    """--key took the name of one field."""
    file, database, parts = tmp_path / "visits.csv", tmp_path / "db", "salt(4), text('host'), time('at')"
    file.write_text("host,at,page\nweb1,1000,/a\nweb2,1970-01-01T00:00:02,/b\n")
    assert "2 rows" in rowstone("import", database, "v", file, "--key", parts, "--column", "f:page=page", "--create")
    with rs.connect(database) as db:
        visits = KeyedTable(db.table("v"), Key(salt(4), text("host"), time("at")))
        assert visits.get({"host": "web1", "at": 1000})["f:page"] == b"/a"
        assert visits.get({"host": "web2", "at": 2000})["f:page"] == b"/b"
    wrong = rowstone("import", database, "v", file, "--key", "text('none')", "--column", "f:page=page", status=2)
    assert "none" in wrong
    wrong = rowstone(
        "import", database, "v", file, "--key", "round_robin(4), text('host')", "--column", "f:p=page", status=2
    )
    assert "makes another key each time" in wrong
    file.write_text("host,at,page\nweb1,soon,/a\n")
    refused = rowstone("import", database, "v", file, "--key", parts, "--column", "f:page=page", status=3)
    assert "visits.csv line 2, column 'at': 'soon': " in refused


def test_a_refused_key_of_several_fields_names_them(tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("host,at\nweb1,5\n")
    with rs.connect(":memory:") as db:
        db.create_table("v", ["f"])

        def encode(host: bytes, at: bytes) -> bytes:
            raise ValueError("too early")

        with pytest.raises(jobs.BadInput, match=r"line 2, column 'host, at': 'web1, 5': too early$"):
            jobs.import_file(db, "v", file, {"f:a": "at"}, key=["host", "at"], encode_key=encode)


def test_hints_name_the_option_or_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,age\nann\n")
    arguments = ("import", tmp_path / "db", "t", tmp_path / "a.csv", "--create", "--key", "id", "--column", "f:a=age")
    assert "hint: fix the line, or use `--bad-lines skip`" in rowstone(*arguments, status=3)
    output = rowstone(*arguments, "--bad-lines", "skip", "--restart")
    assert "a.csv line 2: it has 1 field, fewer than 2" in output
    (tmp_path / "a.csv").write_text("id,age\nann,\nbob,1\n")
    assert "1 row, 1 cell imported into t, 1 line without a cell" in rowstone(*arguments, "--skip-empty")
    assert "hint: `rowstone import --help`" in rowstone(*arguments, "--column", "f", status=2)


@pytest.mark.parametrize("workers", ["0", "-1"])
@pytest.mark.parametrize("command", [("export", "db", "t", "o.csv"), ("count", "db", "t"), ("compare", "db/t", "db/u")])
def test_fewer_than_one_worker_are_refused(command: tuple[str, ...], workers: str) -> None:
    assert "--workers" in rowstone(*command, "--workers", workers, status=2)


def test_a_count_begins_again(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
    state = {"form": 1, "job": "count", "settings": {"start": "x"}, "progress": {"ranges": [], "values": {}}}
    (tmp_path / "state").write_text(json.dumps(state))
    arguments = ("count", tmp_path / "db", "t", "--state", tmp_path / "state")
    assert 'start was "x" and is ""' in rowstone(*arguments, status=2)
    assert rowstone(*arguments, "--restart") == "0 rows\n"


def test_count_and_compare(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        for name, value in (("t", "x"), ("u", "y")):
            db.create_table(name, ["f"], splits=["b"])
            for row in "abc":
                db.table(name).put(row, {"f:n": value if row == "b" else "v", "f:m": "mm"}, timestamp=1)
    assert rowstone("count", tmp_path / "db", "t", "--stop", "c") == "2 rows\n"
    output = rowstone("count", tmp_path / "db", "t", "--cells", "--workers", "2")
    assert "f:m  3 rows, 3 cells, 6 B, values of 2 to 2 bytes, timestamps 1 to 1" in output
    assert "keys from a to c, up to 1 bytes; up to 2 cells" in output
    assert "3 rows, 6 cells, 9 B of values" in output
    one, two, hashes = f"{tmp_path}/db/t", f"{tmp_path}/db/u", tmp_path / "hashes"
    assert "different: b f:n 1 Put" in rowstone("compare", one, two, status=1)
    assert "6 equal cells" in rowstone("compare", one, one, "--workers", "2")
    assert "3 rows in 2 ranges" in rowstone("compare", one, "--write-hashes", hashes)
    assert "2 ranges are the same, 0 differ" in rowstone("compare", one, "--hashes", hashes)
    assert "--start 'b' --stop ''" in rowstone("compare", two, "--hashes", hashes, status=1)
    assert "pass one of" in rowstone("compare", one, status=2)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_an_export_goes_on(sign: signal.Signals, tmp_path: Path) -> None:
    splits = [f"r{n:02}" for n in range(1, 15)]
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=splits)
        with db.table("t").batch() as batch:
            for n in range(ROWS):
                batch.put(f"r{n:06}", {"f:n": str(n)})
    out = tmp_path / "out.jsonl"
    arguments = ("export", tmp_path / "db", "t", out, "--column", "f:n=n")
    status, said = interrupted(sign, tmp_path / "out.jsonl.export/split-00000.json", *arguments)
    assert status == (130 if sign == signal.SIGINT else -signal.SIGKILL), said
    assert not out.exists()
    assert "continuing an interrupted run" in rowstone(*arguments)
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert found == [{"row": f"r{n:06}", "n": str(n)} for n in range(ROWS)]
    assert not (tmp_path / "out.jsonl.export").exists()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_an_import_goes_on(sign: signal.Signals, tmp_path: Path) -> None:
    file, database = tmp_path / "a.tsv", tmp_path / "db"
    file.write_text("".join(f"r{n:06}\t{n}\n" for n in range(ROWS)))
    arguments = ("import", database, "t", file, "--fields", "HBASE_ROW_KEY,f:a", "--create")
    status, said = interrupted(sign, tmp_path / "a.tsv.import.json", *arguments)
    assert status == (130 if sign == signal.SIGINT else -signal.SIGKILL), said
    output = rowstone(*arguments)
    assert "continuing an interrupted run" in output
    assert f"{ROWS:,} rows" in output
    with rs.connect(database) as db:
        rows = [(cell.row, cell.value) for row in db.table("t").scan(versions=None) for cell in row.cells]
        assert rows == [(b"r%06d" % n, b"%d" % n) for n in range(ROWS)]
