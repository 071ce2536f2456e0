"""Parquet of a table, as pyarrow, DuckDB and Polars read it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars
import pytest
from pyarrow import parquet

import rowstone as rs
from rowstone import jobs

ROWS = 3_000
TYPES = {"row": "string", "n": "int64", "name": "string"}
COLUMNS = {"f:n": "n", "f:name": "name", "g:b": "b"}
EXPECTED = [(f"r{n:05}", n, None if n % 7 == 0 else f"name {n}", bytes([n % 256])) for n in range(ROWS)]


@pytest.fixture
def filled(db: rs.Database, t: rs.Table) -> rs.Table:
    with t.batch() as batch:
        for row, n, name, data in EXPECTED:
            batch.put(row, {"f:n": str(n), "g:b": data, **({} if name is None else {"f:name": name})})
    return t


@pytest.fixture(params=["out.parquet", "folder"])
def files(request: pytest.FixtureRequest, db: rs.Database, filled: rs.Table, tmp_path: Path) -> list[Path]:
    """The table in one file, and in many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rowstone.jobs._export_split._PIECE_LINES", 400)
        out = tmp_path / request.param
        done = jobs.export_table(
            db, "t", out, COLUMNS, types=TYPES, decode={"f:n": int}, format="parquet", part_bytes=40_000
        )
    assert (len(done.files) > 3) == (request.param == "folder")
    return list(done.files)


def test_pyarrow_reads_it(files: list[Path]) -> None:
    tables = [parquet.read_table(file) for file in files]
    assert [tuple(row.values()) for table in tables for row in table.to_pylist()] == EXPECTED
    assert str(tables[0].schema.field("n").type) == "int64"
    assert str(tables[0].schema.field("b").type) == "binary"


def test_duckdb_reads_it(files: list[Path]) -> None:
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet($1) ORDER BY row", [list(map(str, files))]).fetchall()
    assert found == EXPECTED


def test_polars_reads_it(files: list[Path]) -> None:
    assert polars.read_parquet(files).sort("row").rows() == EXPECTED


def test_it_can_be_imported(db: rs.Database, filled: rs.Table, files: list[Path]) -> None:
    db.create_table("u", ["f", "g"])
    for file in files:
        jobs.import_file(db, "u", file, COLUMNS, key="row")
    assert [(row.key, dict(row)) for row in db.table("u").scan()] == [(row.key, dict(row)) for row in filled.scan()]


def test_a_value_that_is_not_of_its_type_is_named(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    with pytest.raises(
        rs.errors.InvalidArgument, match=r"^row 'r00128', field 'b': '\\x80' cannot be converted to string: "
    ):
        jobs.export_table(db, "t", tmp_path / "out.parquet", COLUMNS, types={"b": "string"})
    with pytest.raises(rs.errors.InvalidArgument, match="'text', which Arrow does not know"):
        jobs.export_table(db, "t", tmp_path / "o.parquet", COLUMNS, types={"b": "text"})


@pytest.mark.parametrize("executor", [None, "processes"])
def test_numbers_in_text_become_numbers(db: rs.Database, t: rs.Table, tmp_path: Path, executor: str | None) -> None:
    for n in (-7, 0, 41):
        t.put(f"{n}", {"f:i": f"{n}", "f:r": f"{n}.5e1", "f:s": f"s{n}"})
    t.put("5", {"f:s": "only"})
    columns, types = {"f:i": "i", "f:r": "r", "f:s": "s"}, {"row": "int32", "i": "int64", "r": "float64"}
    jobs.export_table(db, "t", tmp_path / "o.parquet", columns, types=types, text=True, executor=executor)
    assert parquet.read_table(tmp_path / "o.parquet").to_pylist() == [
        {"row": -7, "i": -7, "r": -75.0, "s": "s-7"},
        {"row": 0, "i": 0, "r": 5.0, "s": "s0"},
        {"row": 41, "i": 41, "r": 415.0, "s": "s41"},
        {"row": 5, "i": None, "r": None, "s": "only"},
    ]


@pytest.mark.parametrize(
    ("value", "kind", "says"),
    [
        ("4_1", "int64", r"row 'r1', column 'f:n': '4_1' cannot be decoded: it is not a decimal integer"),
        ("1_0.5", "float64", r"row 'r1', column 'f:n': '1_0.5' cannot be decoded: it is not a decimal number"),
        ("old", "float32", r"row 'r1', column 'f:n': 'old' cannot be decoded: it is not a decimal number"),
        ("300", "int8", r"row 'r1', field 'n': 300 cannot be converted to int8: "),
    ],
)
def test_a_text_that_is_no_number_is_named(
    db: rs.Database, t: rs.Table, tmp_path: Path, value: str, kind: str, says: str
) -> None:
    t.put("r0", {"f:n": "1"})
    t.put("r1", {"f:n": value})
    out = tmp_path / "o.parquet"
    with pytest.raises(rs.errors.InvalidArgument, match=says):
        jobs.export_table(db, "t", out, {"f:n": "n"}, types={"n": kind}, text=True)
    assert list(tmp_path.iterdir()) == []
    assert jobs.export_table(db, "t", out, {"f:n": "n"}, text=True).rows == 2


def test_cells_as_text(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    t.put("r", {"f:q": "v"}, timestamp=3)
    jobs.export_table(db, "t", tmp_path / "o.parquet", layout="cells", text=True)
    assert parquet.read_table(tmp_path / "o.parquet").to_pylist() == [
        {"row": "r", "family": "f", "qualifier": "q", "timestamp": 3, "value": "v"}
    ]


def test_the_empty_qualifier_is_a_column(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    """A scan of the columns "f:" and "f:a" was one of "f:a": the values of "f:" were lost."""
    t.put("r", {"f:": "1", "f:a": "2", "f:é": "3"})
    jobs.export_table(db, "t", tmp_path / "o.parquet", text=True)
    assert parquet.read_table(tmp_path / "o.parquet").to_pylist() == [{"row": "r", "f:": "1", "f:a": "2", "f:é": "3"}]
    jobs.export_table(db, "t", tmp_path / "o.jsonl")
    assert '"f:": "1"' in (tmp_path / "o.jsonl").read_text()


def test_an_export_has_the_row_groups_and_codec_of_a_scan(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    """There were two writers of Parquet: one compressed as asked, the other not, and each had row groups of its own."""
    with t.batch() as batch:
        for n in range(40_000):
            batch.put(f"r0{n:05}", {"f:a": "x"})
    jobs.export_table(db, "t", tmp_path / "export.parquet")
    assert t.scan().to_parquet(tmp_path / "scan.parquet") == 40_000
    groups = []
    for name in ("export", "scan"):
        data = parquet.ParquetFile(tmp_path / f"{name}.parquet").metadata
        groups.append([(data.num_rows, data.num_row_groups, data.row_group(0).column(1).compression)])
    assert groups[0] == groups[1] == [(40_000, 1, "ZSTD")]


def test_stored_bytes_are_exported_in_parts(db: rs.Database, filled: rs.Table, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rowstone.jobs._export_split._PIECE_BYTES", 20_000)
        types = dict.fromkeys(("row", "n", "name"), "string")
        done = jobs.export_table(db, "t", tmp_path / "out", COLUMNS, types=types, format="parquet", part_bytes=40_000)
    assert len(done.files) > 2
    assert done.rows == done.lines == ROWS
    rows = [row for file in done.files for row in parquet.read_table(file).select(["row", "n", "name"]).to_pylist()]
    assert [(row["row"], row["n"], row["name"]) for row in rows] == [
        (key, str(n), name) for key, n, name, _ in EXPECTED
    ]
