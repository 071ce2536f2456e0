"""`rowstone.jobs.export_table`: files contain each row of the table once; an export can be resumed at any point."""

from __future__ import annotations

import csv
import errno
import json
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import jobs

ROWS = 900


@pytest.fixture
def filled(db: rs.Database, t: rs.Table) -> rs.Table:
    with t.batch() as batch:
        for n in range(ROWS):
            batch.put(f"r{n:03}", {"f:n": f"{n}", "f:b": bytes([n % 256, 10])}, timestamp=5)
            batch.put(f"r{n:03}", {"f:n": "newest"} if n % 3 == 0 else {"g:q": 'a,"b'}, timestamp=9)
    return t


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def expected(table: rs.Table) -> list[tuple[bytes, ...]]:
    names = [b"f:b", b"f:n", b"g:q"]
    return [(row.key, *(row.get(name, b"") for name in names)) for row in table.scan()]


def test_csv_keeps_every_byte(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    done = jobs.export_table(db, "t", out)
    assert (done.rows, done.lines, done.splits, done.splits_done) == (ROWS, ROWS, 3, 3)
    assert done.files == (out,)
    with out.open(encoding="latin-1", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["row", "f:b", "f:n", "g:q"]
    assert [tuple(value.encode("latin-1") for value in row) for row in rows] == expected(filled)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    with pytest.raises(rs.errors.ExistsError, match="exists already"):
        jobs.export_table(db, "t", out)


AWKWARD = ["\r", "a\rb", "a\r\nb", "\n", '"', '"\r"', ",", "\r,\n", " a ", "\0", "ü", "", "plain"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_line_ends_and_quotes_in_values_come_back(db: rs.Database, t: rs.Table, tmp_path: Path, form: str) -> None:
    """A carriage return was written without quotes, and the import refused its line."""
    for number, text in enumerate(AWKWARD):
        t.put(f"r{number:02}{text}", {"f:b": text.encode() + b"\xff", "f:n": text or "empty"})
    out = tmp_path / f"out.{form}"
    jobs.export_table(db, "t", out, {"f:b": "b", "f:n": "n"})
    db.create_table("u", ["f"])
    jobs.import_file(db, "u", out, {"f:b": "b", "f:n": "n"}, key="row")
    assert [(row.key, dict(row)) for row in db.table("u").scan()] == [(row.key, dict(row)) for row in t.scan()]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_exported_files_can_be_imported(db: rs.Database, filled: rs.Table, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"out.{form}"
    jobs.export_table(db, "t", out, ["f:b", "f:n"])
    db.create_table("u", ["f"])
    jobs.import_file(db, "u", out, {"f:b": "f:b", "f:n": "f:n"}, key="row")
    assert [(row.key, dict(row)) for row in db.table("u").scan()] == [
        (row.key, {name: row[name] for name in (b"f:b", b"f:n")}) for row in filled.scan()
    ]


def test_json_lines_of_a_range_with_decoders(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    decode = {"f:b": lambda value: value[0]}
    jobs.export_table(
        db, "t", out, {"f:b": "b", "g:q": "q"}, decode=decode, key="id", start="r299", stop="r302"
    )  # fmt: skip
    assert lines(out) == [
        {"id": "r299", "b": 43, "q": 'a,"b'}, {"id": "r300", "b": 44}, {"id": "r301", "b": 45, "q": 'a,"b'}
    ]  # fmt: skip


def test_a_line_for_each_cell(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = jobs.export_table(db, "t", out, layout="cells", versions=None, workers=3)
    cells = [cell for row in filled.scan(versions=None) for cell in row.cells]
    assert done.lines == len(cells) == ROWS * 3
    assert [(line["row"], line["qualifier"], line["timestamp"]) for line in lines(out)] == [
        (cell.row.decode(), cell.qualifier.decode(), cell.timestamp) for cell in cells
    ]
    only = jobs.export_table(db, "t", tmp_path / "new.jsonl", layout="cells", versions=None, time_range=(6, None))
    assert only.lines == ROWS


class Stop(BaseException):
    """Like Ctrl-C, at any point of the export."""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["out.jsonl", "folder"])
def test_an_interrupted_export_goes_on(
    db: rs.Database, filled: rs.Table, tmp_path: Path, name: str, workers: int
) -> None:
    out, calls = tmp_path / name, 0
    options = {"format": "jsonl", "part_bytes": 5_000, "workers": workers}

    def stop(done: jobs.Exported) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise Stop

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rowstone.jobs._export_split._PIECE_BYTES", 4_000)
        with pytest.raises(Stop):
            jobs.export_table(db, "t", out, progress=stop, **options)  # type: ignore[arg-type]
        parts = {path: path.stat().st_ino for path in tmp_path.rglob("part-*.jsonl")}
        assert parts
        with pytest.raises(rs.errors.InvalidArgument, match=r'stop was "" and is "r5".*--restart'):
            jobs.export_table(db, "t", out, stop="r5", **options)  # type: ignore[arg-type]
        done = jobs.export_table(db, "t", out, **options)  # type: ignore[arg-type]
    assert done.resumed
    assert done.rows == done.lines == ROWS
    assert [line["row"] for file in done.files for line in lines(file)] == [f"r{n:03}" for n in range(ROWS)]
    if name == "folder":
        assert {path: path.stat().st_ino for path in parts} == parts
        assert sorted(out.iterdir()) == sorted(done.files)
    else:
        assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_an_export_begins_again(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    def stop(done: jobs.Exported) -> None:
        raise Stop

    with pytest.raises(Stop):
        jobs.export_table(db, "t", tmp_path / "out", format="csv", progress=stop)
    assert not jobs.export_table(db, "t", tmp_path / "out", format="csv", restart=True).resumed


@pytest.mark.parametrize("name", ["out.jsonl", "folder"])
def test_two_exports_to_one_target_do_not_remove_each_others_files(
    db: rs.Database, filled: rs.Table, tmp_path: Path, name: str
) -> None:
    refused: list[str] = []

    def again(done: jobs.Exported) -> None:
        for restart in (False, True):
            with pytest.raises(rs.errors.ExistsError, match="is running already: wait until it ends") as error:
                jobs.export_table(db, "t", tmp_path / name, format="jsonl", restart=restart)
            refused.append(str(error.value))

    done = jobs.export_table(db, "t", tmp_path / name, format="jsonl", progress=again)
    assert refused
    assert [line["row"] for file in done.files for line in lines(Path(file))] == [f"r{n:03}" for n in range(ROWS)]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_processes_export_the_same(tmp_path: Path) -> None:
    """They open their own connections, also to a database in memory; data for splits is pickled."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["r3", "r6"])
        with db.table("t").batch() as batch:
            for n in range(ROWS):
                batch.put(f"r{n:03}", {"f:n": f"{n}"})
        with ProcessPoolExecutor(2) as pool:
            done = jobs.export_table(db, "t", tmp_path / "out.csv", executor=jobs.Futures(pool))
    assert done.rows == ROWS
    assert (tmp_path / "out.csv").read_text() == "row,f:n\n" + "".join(f"r{n:03},{n}\n" for n in range(ROWS))


def test_a_dry_run_writes_nothing(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    done = jobs.export_table(db, "t", tmp_path / "out.csv", dry_run=True)
    assert (done.splits, done.fields) == (3, ("row", "f:b", "f:n", "g:q"))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_table(db: rs.Database, tmp_path: Path) -> None:
    assert jobs.export_table(db, "t", tmp_path / "out.csv").rows == 0
    assert (tmp_path / "out.csv").read_text() == "row\n"


def test_wrong_calls_write_nothing(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    for name, columns, options, message in [
        ("out.xml", None, {}, "xml"),
        ("out", None, {}, "not known"),
        ("out.csv", None, {"layout": "wide"}, "layout"),
        ("out.csv", None, {"versions": 3}, "versions"),
        ("out.csv", ["f:a"], {"layout": "cells"}, "columns"),
        ("out.csv", {"f:a": "row"}, {}, "twice"),
        ("out.csv", ["f:a"], {"types": {"x": "int64"}}, "'x'"),
        ("out.csv", "f:a", {}, r"write \['f:a'\]"),
        ("out.csv", ["f:a", "x:a"], {}, "'x:a': table 't' has no such family; it has f, g"),
        ("out.csv", ["f"], {}, "'f' is not FAMILY:QUALIFIER"),
        ("out.csv", ["f:a"], {"time_range": (5, 1)}, "ends before"),
        ("out.csv", ["f:a"], {"part_bytes": 0}, "part_bytes is 0"),
        ("out.csv", ["f:a"], {"workers": 0}, "workers is 0: at least 1"),
        ("out.csv", ["f:a"], {"workers": -1, "executor": "processes"}, "workers is -1: at least 1"),
        ("out.parquet", ["f:a"], {"types": {"f:a": "text"}}, "'text', which Arrow does not know"),
        ("no/such/out.csv", None, {}, "no folder '.*/no/such'"),
    ]:
        with pytest.raises(rs.errors.UsageError, match=message):
            jobs.export_table(db, "t", tmp_path / name, columns, **options)  # type: ignore[arg-type]
    t.put("r1", {b"f:\xff": "x"})
    with pytest.raises(rs.errors.InvalidArgument, match="is no text"):
        jobs.export_table(db, "t", tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []
    t.put("r1", {"f:a": "x"})
    with pytest.raises(rs.errors.InvalidArgument, match=r"row 'r1', column 'f:a': 'x' cannot be decoded: invalid"):
        jobs.export_table(db, "t", tmp_path / "out.csv", ["f:a"], decode={"f:a": int})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["out.csv", "folder"])
@pytest.mark.parametrize("workers", [1, 3])
def test_a_refused_export_does_not_block_the_corrected_call(
    db: rs.Database, t: rs.Table, tmp_path: Path, name: str, workers: int
) -> None:
    # The first region is empty, and done before the second one fails.
    t.put("r4", {"f:a": "x"})
    out, options = tmp_path / name, {"format": "csv", "workers": workers}
    with pytest.raises(rs.errors.InvalidArgument, match="cannot be decoded"):
        jobs.export_table(db, "t", out, ["f:a"], decode={"f:a": int}, **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    done = jobs.export_table(db, "t", out, {"f:a": "a"}, **options)  # type: ignore[arg-type]
    assert (done.rows, done.resumed) == (1, False)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("out.jsonl", float("nan"), "nan cannot be written as JSON: Out of range float values are not JSON compliant"),
        ("out.jsonl", [1, float("inf")], r"\[1, inf\] cannot be written as JSON: Out of range"),
        ("out.jsonl", {b"a": 1}, r"\{b'a': 1\} cannot be written as JSON: keys must be str"),
        ("out.jsonl", "\ud800", r"\\ud800 cannot be written as JSON: 'utf-8' codec"),
        ("out.csv", "\ud800", r"\\ud800 cannot be written as CSV: 'utf-8' codec"),
    ],
)
def test_a_decoded_value_that_the_format_cannot_have_is_refused_with_its_row(
    db: rs.Database, t: rs.Table, tmp_path: Path, name: str, value: Any, reason: str
) -> None:
    t.put("r1", {"f:a": "x"})
    with pytest.raises(rs.errors.InvalidArgument, match=f"^row 'r1', field 'f:a': {reason}"):
        jobs.export_table(db, "t", tmp_path / name, ["f:a"], decode={"f:a": lambda data: value})
    assert list(tmp_path.iterdir()) == []


def test_decoded_bytes_within_values_are_exported_as_bytes(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    t.put("r1", {"f:a": b"\xff", "f:b": b"text"})
    decode = {"f:a": lambda data: [data], "f:b": bytearray}
    jobs.export_table(db, "t", tmp_path / "out.jsonl", ["f:a", "f:b"], decode=decode)  # type: ignore[arg-type]
    assert (tmp_path / "out.jsonl").read_text() == '{"row": "r1", "f:a": [{"base64": "/w=="}], "f:b": "text"}\n'
    jobs.export_table(db, "t", tmp_path / "out.csv", ["f:b"], decode={"f:b": memoryview})
    assert (tmp_path / "out.csv").read_text() == "row,f:b\nr1,text\n"


def test_other_files_in_the_folder_of_the_parts_stay(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    other = tmp_path / "out.csv.export" / "part-mine.csv"
    other.parent.mkdir()
    other.write_text("mine")
    jobs.export_table(db, "t", tmp_path / "out.csv")
    assert other.read_text() == "mine"


def test_other_files_in_the_folder_of_the_parts_do_not_count_as_parts(
    db: rs.Database, filled: rs.Table, tmp_path: Path
) -> None:
    other = tmp_path / "out.csv.export" / "part-mine.csv"
    other.parent.mkdir()
    other.write_text("mine")
    with pytest.raises(rs.errors.InvalidArgument, match="cannot be decoded"):
        jobs.export_table(db, "t", tmp_path / "out.csv", ["f:b"], decode={"f:b": int})
    assert not jobs.export_table(db, "t", tmp_path / "out.csv").resumed
    assert other.read_text() == "mine"


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet"])
def test_columns_that_are_no_text_are_exported_with_the_names_of_their_fields(
    db: rs.Database, t: rs.Table, tmp_path: Path, name: str
) -> None:
    t.put("r1", {b"f:\xff": "x", "f:b": "y"})
    done = jobs.export_table(db, "t", tmp_path / name, {b"f:\xff": "a", b"f:b": "b"})
    assert (done.lines, done.fields) == (1, ("row", "a", "b"))
    db.create_table("copy", ["f"])
    jobs.import_file(db, "copy", tmp_path / name, {b"f:\xff": "a", b"f:b": "b"}, key="row")  # type: ignore[dict-item]
    assert dict(db.table("copy").get("r1")) == {b"f:\xff": b"x", b"f:b": b"y"}
    with pytest.raises(rs.errors.InvalidArgument, match=r"column 'f:\\xFF' is no text: name its field"):
        jobs.export_table(db, "t", tmp_path / "other.csv", [b"f:\xff"])


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet", "scan.parquet"])
def test_a_full_disk_is_named_with_the_file(
    db: rs.Database, filled: rs.Table, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def export() -> object:
        is_scan = name == "scan.parquet"
        return filled.scan().to_parquet(tmp_path / name) if is_scan else jobs.export_table(db, "t", tmp_path / name)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(rs.errors.DiskFull, match=rf"^cannot write .*/{name}.*: No space left on device$") as caught:
        export()
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_callers_function_is_not_named_after_the_file(
    db: rs.Database, filled: rs.Table, tmp_path: Path
) -> None:
    def fail(_: jobs.Exported) -> None:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    with pytest.raises(BrokenPipeError):
        jobs.export_table(db, "t", tmp_path / "out.csv", progress=fail)
