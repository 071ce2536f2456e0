"""Parquet imports: types of values, and an import that is resumed within a row group."""

from __future__ import annotations

import datetime
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import rowstone as rs
from rowstone import jobs


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rowstone.jobs._import._PIECE_LINES", 20_000)


class Stop(BaseException):
    """Like Ctrl-C, at any point of the import."""


def test_values_of_every_kind(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    columns = {
        "id": ["r1", "r2"],
        "bytes": [b"\xff", None],
        "number": [1, 2],
        "real": [0.5, None],
        "day": [datetime.date(2026, 1, 2), None],
        "list": [[1, 2], []],
    }
    parquet.write_table(pyarrow.table(columns), path)
    fields = {f"f:{name}": name for name in columns if name != "id"}
    assert jobs.import_file(db, "t", path, fields, key="id").cells == 7
    assert dict(t["r1"]) == {
        b"f:bytes": b"\xff", b"f:number": b"1", b"f:real": b"0.5", b"f:day": b"2026-01-02", b"f:list": b"[1,2]"
    }  # fmt: skip
    assert dict(t["r2"]) == {b"f:number": b"2", b"f:list": b"[]"}
    with pytest.raises(rs.errors.InvalidArgument, match=r"no column 'x'; it has id, bytes"):
        jobs.import_file(db, "t", path, {"f:x": "x"}, key="id")
    with pytest.raises(rs.errors.InvalidArgument, match="mapping"):
        jobs.import_file(db, "t", path, ["HBASE_ROW_KEY", "f:x"])


def test_bytes_in_lists_are_base64(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    kind = pyarrow.struct([("b", pyarrow.binary()), ("d", pyarrow.date32())])
    lists = pyarrow.array([[b"\xff", b"text", None]], pyarrow.list_(pyarrow.binary()))
    structs = pyarrow.array([{"b": b"\xfe", "d": datetime.date(2026, 1, 2)}], kind)
    maps = pyarrow.array([[("k", 1.5)]], pyarrow.map_(pyarrow.string(), pyarrow.float64()))
    parquet.write_table(pyarrow.table({"id": ["r"], "list": lists, "struct": structs, "map": maps}), path)
    jobs.import_file(db, "t", path, {"f:l": "list", "f:s": "struct", "f:m": "map"}, key="id")
    assert dict(t["r"]) == {
        b"f:l": b'[{"base64":"/w=="},"text",null]',
        b"f:s": b'{"b":{"base64":"/g=="},"d":"2026-01-02"}',
        b"f:m": b'[["k",1.5]]',
    }


def test_an_interrupted_import_goes_on(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pyarrow.table({"id": [f"r{n:05}" for n in range(30_000)], "n": list(range(30_000))})
    parquet.write_table(table, path, row_group_size=7_000)

    def stop(done: jobs.Imported) -> None:
        raise Stop

    with pytest.raises(Stop):
        jobs.import_file(db, "t", path, {"f:n": "n"}, key="id", progress=stop)
    assert len(list(t)) == 20_000
    done = jobs.import_file(db, "t", path, {"f:n": "n"}, key="id")
    assert (done.rows, done.offset, done.total, done.resumed) == (30_000, 30_000, 30_000, True)
    found = [(cell.row, cell.value) for row in t.scan(versions=None) for cell in row.cells]
    assert found == [(b"r%05d" % n, b"%d" % n) for n in range(30_000)]


@pytest.mark.parametrize("content", [b"", b"id,age\nann,41\n" * 9, b"PAR1" + b"junk" * 30 + b"\x10\0\0\0PAR1"])
def test_a_file_that_is_no_parquet_is_named(db: rs.Database, tmp_path: Path, content: bytes) -> None:
    (path := tmp_path / "j.parquet").write_bytes(content)
    with pytest.raises(rs.errors.InvalidArgument, match=r"j\.parquet' is not a Parquet file: \w"):
        jobs.import_file(db, "t", path, {"f:a": "age"}, key="id")
    with pytest.raises(FileNotFoundError, match=r"none\.parquet"):
        jobs.import_file(db, "t", tmp_path / "none.parquet", {"f:a": "age"}, key="id")


def test_a_parquet_file_with_a_broken_page_is_named(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "j.parquet"
    parquet.write_table(pyarrow.table({"id": [f"r{n * n:09}" for n in range(9_000)]}), path, compression="zstd")
    data = bytearray(path.read_bytes())
    data[100:5_000] = bytes(4_900)
    path.write_bytes(data)
    with pytest.raises(rs.errors.InvalidArgument, match=r"j\.parquet' cannot be read: \w"):
        jobs.import_file(db, "t", path, {"f:a": "id"}, key="id")
    assert list(t) == []
