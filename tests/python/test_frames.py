"""Scans as Arrow streams and frames, and frames written to tables."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowstone as rs
from rowstone import codecs
from rowstone.errors import InvalidArgument, InvalidType, ScannerClosed
from tests.memory import resident_bytes

CODECS = {
    "f:int": "int32",
    "f:float": "float64",
    "f:text": "text",
    "f:yes": "bool",
    "f:time": "datetime",
    "f:sum": "decimal",
}


def table_of(stream: Any) -> pa.Table:
    """Read all of a stream as a consumer in C does, and validate every batch."""
    table = pa.RecordBatchReader.from_stream(stream).read_all()
    table.validate(full=True)
    return table


@pytest.fixture
def people(t: rs.Table) -> rs.Table:
    typed = codecs.typed(t, CODECS)
    typed.put(
        "ada", {"f:int": 36, "f:text": "Ada", "f:yes": True, "f:sum": Decimal("1.50"), "f:float": 0.5}, timestamp=1
    )
    typed.put("bob", {"f:int": -1, "f:time": datetime(2026, 1, 2, tzinfo=UTC), "f:yes": False}, timestamp=2)
    t.put("cid", {"g:raw": b"\xff\x00"}, timestamp=3)
    return t


def test_rows_have_typed_columns(people: rs.Table) -> None:
    found = table_of(people.scan().arrow(codecs=CODECS, key="text"))
    assert {field.name: str(field.type) for field in found.schema} == {
        "row": "string",
        "f:float": "double",
        "f:int": "int32",
        "f:sum": "string",
        "f:text": "string",
        "f:time": "timestamp[ms, tz=UTC]",
        "f:yes": "bool",
        "g:raw": "binary",
    }
    assert found.to_pydict() == {
        "row": ["ada", "bob", "cid"],
        "f:float": [0.5, None, None],
        "f:int": [36, -1, None],
        "f:sum": ["1.50", None, None],
        "f:text": ["Ada", None, None],
        "f:time": [None, datetime(2026, 1, 2, tzinfo=UTC), None],
        "f:yes": [True, False, None],
        "g:raw": [None, None, b"\xff\x00"],
    }


def test_declared_codecs_are_taken(db: rs.Database, people: rs.Table) -> None:
    codecs.declare(db, "t", {"f:int": "int32", "f": "bytes"})
    scan = people.scan(columns=["f:int", "f:text"])
    assert [str(kind) for kind in table_of(scan.arrow()).schema.types] == ["binary", "int32", "binary"]
    typed = codecs.typed(people, CODECS).scan(columns=["f:int", "f:text"])
    assert typed.polars().rows() == [(b"ada", 36, "Ada"), (b"bob", -1, None)]
    assert str(people.scan().pandas()["f:int"].dtype) == "Int32"
    assert people.scan().pandas(codecs={})["f:int"].tolist() == [(36).to_bytes(4, "big"), b"\xff" * 4, None]


def test_cells_are_records(people: rs.Table) -> None:
    people.put("ada", {"f:text": "Ada L"}, timestamp=5)
    found = table_of(people.scan("ada", "bob", columns=["f:text"], versions=None).arrow("cells"))
    assert found.to_pylist() == [
        {"row": b"ada", "family": b"f", "qualifier": b"text", "timestamp": 5, "value": b"Ada L"},
        {"row": b"ada", "family": b"f", "qualifier": b"text", "timestamp": 1, "value": b"Ada"},
    ]
    people.delete("ada", "f:text", timestamp=1)
    raw = table_of(people.scan(raw=True, versions=None).arrow("cells"))
    cells = [cell for row in people.scan(raw=True, versions=None) for cell in row.cells]
    assert "DeleteColumn" in raw["type"].to_pylist()
    assert [tuple(one.values()) for one in raw.to_pylist()] == [
        (cell.row, cell.family, cell.qualifier, cell.timestamp, cell.value, cell.type) for cell in cells
    ]


def test_versions_are_records(t: rs.Table) -> None:
    t.put("r", [("f:a", "1", 10), ("f:a", "2", 20), ("f:b", "x", 10), ("g:c", "y", 30)])
    stream = t.scan(versions=None).arrow(versions=True, codecs={"f": "text", "g": "text"})
    wanted = {
        "row": [b"r"] * 3,
        "timestamp": [30, 20, 10],
        "f:a": [None, "2", "1"],
        "f:b": [None, None, "x"],
        "g:c": ["y", None, None],
    }
    assert table_of(stream).to_pydict() == wanted
    frame = t.scan(versions=None).pandas(versions=True, decode="utf-8")
    assert frame.reset_index().to_dict("list") == {**wanted, "row": ["r"] * 3}
    newest = table_of(t.scan(versions=None).arrow()).to_pydict()
    assert newest == {"row": [b"r"], "f:a": [b"2"], "f:b": [b"x"], "g:c": [b"y"]}


@pytest.mark.parametrize("form", ["rows", "cells"])
def test_a_table_without_rows_has_columns(t: rs.Table, form: str) -> None:
    found = table_of(t.scan(columns=["f:a"]).arrow(form))
    assert found.num_rows == 0
    assert found.column_names == (
        ["row", "f:a"] if form == "rows" else ["row", "family", "qualifier", "timestamp", "value"]
    )
    assert t.scan().polars(form).height == 0
    assert table_of(t.scan().arrow()).column_names == ["row"]
    assert list(t.scan().arrow(form)) == []


def test_batches_keep_to_their_limits(t: rs.Table) -> None:
    with t.batch() as batch:
        for number in range(5_000):
            batch.put(f"{number:05}", {"f:a": b"x" * 100, "f:b": b"y"})
    lengths = [len(batch) for batch in t.scan().arrow(batch_rows=1_000)]
    assert lengths == [1_000] * 5
    cells = [len(batch) for batch in t.scan().arrow("cells", batch_rows=999)]
    assert cells == [1_000] * 10
    by_bytes = [len(batch) for batch in t.scan().arrow(batch_bytes=10_000)]
    assert sum(by_bytes) == 5_000
    assert max(by_bytes) <= 10_000 // 100
    assert table_of(t.scan().arrow(batch_rows=7)) == table_of(t.scan().arrow()).combine_chunks()
    assert table_of(t.scan(limit=3).arrow()).num_rows == 3
    assert table_of(t.scan(reverse=True).arrow())["row"][0].as_py() == b"04999"


def test_a_scan_that_has_begun_goes_on(t: rs.Table) -> None:
    for key in ("a", "b", "c"):
        t.put(key, {"f:q": key})
    scanner = t.scan()
    next(scanner)
    stream = scanner.arrow()
    assert scanner.closed
    with pytest.raises(ScannerClosed):
        next(scanner)
    with pytest.raises(ScannerClosed):
        scanner.arrow()
    assert table_of(stream)["row"].to_pylist() == [b"b", b"c"]
    with pytest.raises(ScannerClosed, match="read already"):
        stream.__arrow_c_stream__()


def test_finished_streams_close_their_scanners(t: rs.Table, db: rs.Database) -> None:
    for number in range(100):
        t.put(f"{number}", {"f:q": "v"})

    def open_scanners() -> int:
        gc.collect()
        return db.admin.metrics.stats().get("open_scanners", 0)

    before = open_scanners()
    stream = t.scan().arrow(batch_rows=10)
    reader = pa.RecordBatchReader.from_stream(stream)
    assert reader.read_next_batch().num_rows == 10
    del reader
    assert open_scanners() == before
    with t.scan().arrow(batch_rows=10) as stream:
        assert len(next(stream)) == 10
    assert open_scanners() == before
    with pytest.raises(ScannerClosed, match="closed"):
        next(stream)
    stream = t.scan().arrow()
    assert len(list(stream)) == 1
    assert list(stream) == []
    capsule = t.scan().arrow().__arrow_c_stream__()
    del capsule
    assert open_scanners() == before
    batch = next(t.scan().arrow())
    first, second = pa.record_batch(batch), pa.record_batch(batch)
    column = second.column(0)
    del batch, second
    assert column.to_pylist() == first.column(0).to_pylist()


def test_a_value_that_is_none_of_its_codec_is_named(t: rs.Table) -> None:
    t.put("a", {"f:q": (1).to_bytes(8, "big")})
    t.put("b", {"f:q": "old"})
    with pytest.raises(InvalidArgument, match="row 'b', column 'f:q': its codec reads 8 bytes, not 'old' of 3 bytes"):
        list(t.scan().arrow(codecs={"f:q": "int64"}))
    reader = pa.RecordBatchReader.from_stream(t.scan().arrow(codecs={"f:q": "int64"}))
    with pytest.raises(pa.ArrowInvalid, match="row 'b', column 'f:q'"):
        reader.read_all()
    t.put(b"\xff", {"f:q": "v"})
    with pytest.raises(InvalidArgument, match="column 'row': its codec reads UTF-8"):
        list(t.scan(b"\xff").arrow(key="text"))


@pytest.mark.parametrize(
    ("options", "scan", "problem"),
    [
        ({"form": "row"}, {}, "form 'row' is unknown"),
        ({"form": "cells", "versions": True}, {}, "versions= is for form='rows'"),
        ({}, {"raw": True}, "use form='cells'"),
        ({}, {"batch": 2}, "leave batch out"),
        ({"batch_rows": 0}, {}, "batch_rows 0 is outside"),
        ({"threads": 257}, {}, "threads 257 is outside 1 to 256"),
        ({"codecs": {"f:a": "int"}}, {}, "codec 'int' is unknown"),
        ({"key": "utf8"}, {}, "codec 'utf8' is unknown"),
    ],
)
def test_invalid_options_are_refused(t: rs.Table, options: dict[str, Any], scan: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        t.scan(**scan).arrow(**options)


def test_too_many_columns_are_no_frame(t: rs.Table) -> None:
    t.put("r", {f"f:{number}": "v" for number in range(1_001)})
    with pytest.raises(InvalidArgument, match="more than 1000 columns"):
        t.scan().arrow()
    assert table_of(t.scan().arrow("cells")).num_rows == 1_001


def test_a_store_closed_on_the_way_ends_the_stream(tmp_path: Path) -> None:
    db = rs.connect(tmp_path / "db")
    db.create_table("t", ["f"])
    with db.table("t").batch() as batch:
        for number in range(20_000):
            batch.put(f"{number:05}", {"f:q": "v"})
    streams = [db.table("t").scan(columns=["f:q"]).arrow(batch_rows=10) for _ in range(2)]
    reader = pa.RecordBatchReader.from_stream(streams[0])
    assert reader.read_next_batch().num_rows == 10
    assert len(next(streams[1])) == 10
    db.close()
    with pytest.raises(OSError, match="closed"):
        reader.read_all()
    with pytest.raises(rs.errors.DatabaseClosed):
        list(streams[1])
    assert list(streams[1]) == []


def test_a_table_may_change_while_it_is_read(db: rs.Database, t: rs.Table) -> None:
    with t.batch() as batch:
        for number in range(10_000):
            batch.put(f"{number:05}", {"f:q": "v"})
    discovered, named = t.scan().arrow(batch_rows=100), t.scan(columns=["f:q"]).arrow(batch_rows=100)
    next(discovered), next(named)
    for key in ("09999", "99999"):
        t.put(key, {"f:other": "v"})
    db.admin.flush("t")
    assert sum(len(batch) for batch in named) >= 9_900
    # The stream's schema was fixed when it was opened, unless a later region or server already knows the change.
    with contextlib.suppress(InvalidArgument):
        assert sum(map(len, list(discovered))) == 9_900
    streams = [t.scan(columns=["f:q"]).arrow(batch_rows=100) for _ in range(2)]
    next(streams[0])
    db.drop_table("t", force=True)
    for stream in streams:
        with pytest.raises(rs.errors.RowstoneError):
            list(stream)


def test_a_read_only_store_gives_frames(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.table("t").put("a", {"f:q": "v"})
        with rs.connect(tmp_path / "db", read_only=True) as other:
            assert other.table("t").scan().polars(codecs={"f": "text"}).rows() == [(b"a", "v")]
            with pytest.raises(rs.errors.ReadOnly):
                other.table("t").put_frame(pl.DataFrame({"row": ["a"], "f:q": ["w"]}))


def test_views_of_the_past_give_frames(t: rs.Table) -> None:
    t.put("a", [("f:q", "1", 10), ("f:q", "2", 20)])
    assert t.as_of(15).scan().polars(codecs={"f": "text"}, key="text").rows() == [("a", "1")]


def test_duckdb_reads_a_scan_each_time(people: rs.Table) -> None:
    with duckdb.connect() as connection:
        found = people.scan().duckdb(connection, codecs=CODECS, key="text")
        assert found.filter('"f:int" > 0').project('row, "f:text"').fetchall() == [("ada", "Ada")]
        people.put("dan", {"f:int": (7).to_bytes(4, "big"), "f:later": "v"})
        assert found.aggregate('sum("f:int")').fetchall() == [(42,)]
        cells = people.scan().duckdb(connection, form="cells")
        assert cells.aggregate("count(*)").fetchall()[0][0] == len(table_of(people.scan().arrow("cells")))
    relation = people.scan(columns=["f:int"]).duckdb(codecs=CODECS)
    assert relation.fetchall()[0] == (b"ada", 36)


def test_parquet_is_written_at_once(people: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    assert people.scan().to_parquet(path, codecs=CODECS, key="text") == 3
    assert pq.read_table(path).to_pylist() == table_of(people.scan().arrow(codecs=CODECS, key="text")).to_pylist()
    with pytest.raises(InvalidArgument):
        people.scan().to_parquet(path, codecs={"f": "int64"})
    assert pq.read_table(path).num_rows == 3
    assert list(tmp_path.iterdir()) == [path]
    assert people.scan("x").to_parquet(tmp_path / "none.parquet") == 0
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0


def test_an_unknown_compression_of_parquet_keeps_the_old_file(people: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    wanted: Any
    for wanted in ("ZSTD", "none", None):
        people.scan().to_parquet(path, compression=wanted)
    old = path.read_bytes()
    for wanted in ("nope", 5):
        with pytest.raises(InvalidArgument, match="there are none, snappy, gzip, brotli, lz4, zstd"):
            people.scan().to_parquet(path, compression=wanted)
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("module", ["polars", "duckdb", "pyarrow", "pandas"])
def test_a_missing_library_is_named(t: rs.Table, module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = importlib.import_module

    def missing(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == module:
            raise ImportError(f"No module named {name!r}")
        return found(name, *rest)

    monkeypatch.setattr(importlib, "import_module", missing)
    calls = {
        "polars": t.scan().polars,
        "duckdb": t.scan().duckdb,
        "pyarrow": lambda: t.scan().to_parquet(tmp_path / "x"),
        "pandas": t.scan().pandas,
    }
    with pytest.raises(ImportError, match="pip install 'rowstone"):
        calls[module]()


@pytest.mark.parametrize("form", ["rows", "cells"])
def test_threads_read_ranges_beside_each_other(db: rs.Database, form: str) -> None:
    db.create_table("wide", ["f"], splits=["02000", "05000", "05001"])
    wide = db.table("wide")
    with wide.batch() as batch:
        for number in range(8_000):
            batch.put(f"{number:05}", {"f:q": f"{number}"})
    for start, stop, include_stop in ((None, None, False), ("01000", "05000", False), ("01000", "05000", True)):
        scans = [wide.scan(start, stop, include_stop=include_stop) for _ in range(2)]
        one, many = (table_of(scans[at].arrow(form, batch_rows=100, threads=(1, 3)[at])) for at in (0, 1))
        assert many.sort_by("row").to_pylist() == one.to_pylist()
    for prefix in ("0", "01", "0123", "x"):
        found = table_of(wide.scan(prefix=prefix).arrow(form, threads=2)).sort_by("row")
        assert found["row"].to_pylist() == [row.key for row in wide.scan(prefix=prefix)]
    assert table_of(wide.scan(limit=3).arrow(form, threads=3))["row"].to_pylist() == [b"00000", b"00001", b"00002"]
    stream = wide.scan().arrow(form, batch_rows=100, threads=3)
    assert len(next(stream)) == 100
    stream.close()
    gc.collect()
    assert db.admin.metrics.stats().get("open_scanners", 0) == 0
    wide.put("07999", {"f:q": b"\xff"})
    with pytest.raises(InvalidArgument, match="row '07999'"):
        list(wide.scan().arrow(codecs={"f": "text"}, threads=2))
    begun = wide.scan()
    next(begun)
    with pytest.raises(InvalidArgument, match="nothing was read"):
        begun.arrow(form, threads=2)


def test_other_threads_go_on_while_a_batch_is_made(t: rs.Table) -> None:
    """Several concurrent streams of one table; each returns the whole table."""
    with t.batch() as batch:
        for number in range(20_000):
            batch.put(f"{number:05}", {"f:q": "v" * 50})
    found: list[int] = []

    def read(form: str) -> None:
        found.append(table_of(t.scan().arrow(form)).num_rows)

    threads = [threading.Thread(target=read, args=(form,)) for form in ("rows", "cells") * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [20_000] * 6


def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    """64 MiB are written to a table and read again in batches of 1 MiB."""
    rows, batches, most = 1_000, 64, 0
    schema = pa.schema({"row": pa.string(), "f:q": pa.binary()})

    def produce() -> Iterator[pa.RecordBatch]:
        nonlocal most
        for number in range(batches):
            most = max(most, pa.total_allocated_bytes())
            keys = [f"{number:03}-{row:05}" for row in range(rows)]
            yield pa.record_batch({"row": keys, "f:q": [os.urandom(1_000)] * rows}, schema)

    with rs.connect(tmp_path, memstore_bytes=16 << 20, cache_bytes=8 << 20) as db:
        db.create_table("t", ["f"])
        t = db.table("t")
        before = pa.total_allocated_bytes()
        assert t.put_frame(pa.RecordBatchReader.from_batches(schema, produce())) == rows * batches
        assert most - before < 8 << 20
        # No flush or compaction runs while memory is measured.
        db.admin.major_compact("t")
        for _ in range(2):
            began, highest, found = resident_bytes(), 0, 0
            reader = pa.RecordBatchReader.from_stream(t.scan(columns=["f:q"]).arrow(batch_bytes=1 << 20))
            for batch in reader:
                found += batch.num_rows
                highest = max(highest, resident_bytes())
            assert found == rows * batches
        # Measured in the second pass, when the cache is already full.
        assert highest - began < 32 << 20


# Writing.


def source() -> pa.Table:
    return pa.table(
        {
            "row": ["a", "b", "c"],
            "f:int": pa.array([1, None, 3], pa.int16()),
            "f:text": pa.array(["x", "y", None], pa.string_view()),
            "g:time": pa.array([0, 1, None], pa.timestamp("us", "UTC")),
            "g:day": pa.array([0, None, 2], pa.date32()),
            "g:kind": pa.array(["u", None, "v"]).dictionary_encode(),
        }
    )


@pytest.mark.parametrize("versions", [False, True])
@pytest.mark.parametrize("start", ["a", "z"])
def test_pandas_has_named_columns_without_values(people: rs.Table, start: str, versions: bool) -> None:
    def scan(**options: Any) -> Any:
        return people.scan(start, versions=None if versions else 1, **options)

    named = ["f:text", "f:none", "f:int"]
    kinds = {**CODECS, "f:none": "int64"}
    frame = scan(columns=named).pandas(codecs=kinds, versions=versions)
    assert ["row", *frame.columns] == table_of(scan(columns=named).arrow(codecs=kinds, versions=versions)).column_names
    assert (str(frame["f:none"].dtype), str(frame["f:int"].dtype)) == ("Int64", "Int32")
    assert frame["f:none"].isna().all()
    assert len(frame) == (2 if start == "a" else 0)
    everything = table_of(scan().arrow(codecs=kinds, versions=versions)).column_names
    assert ["row", *scan().pandas(codecs=kinds, versions=versions).columns] == everything


def test_pandas_of_a_raw_scan_has_no_columns_of_delete_markers(t: rs.Table) -> None:
    t.put("r", {"f:a": "1"})
    t.delete("r")
    assert "f:" not in t.scan(raw=True, versions=None).pandas(versions=True).columns


@pytest.mark.parametrize("form", ["table", "batch", "reader", "polars", "pandas", "stream"])
def test_frames_are_written(t: rs.Table, db: rs.Database, form: str) -> None:
    table = source()
    sources = {
        "table": lambda: table,
        "batch": lambda: table.to_batches()[0],
        "reader": lambda: table.slice(0, 3).to_reader(max_chunksize=1),
        "polars": lambda: pl.from_arrow(table),
        "pandas": lambda: table.to_pandas(date_as_object=False, ignore_metadata=True).astype(
            {"g:day": "datetime64[s]"}
        ),
        "stream": lambda: pa.RecordBatchReader.from_stream(table),
    }
    types = {"f:int": "int64", "g:day": "datetime"}
    columns = None
    if form == "pandas":
        columns = ["f:int", "f:text", "g:time", "g:kind"]
    assert t.put_frame(sources[form](), columns=columns, codecs=types) == 3
    row = t.get("a")
    assert row["f:int"] == (1).to_bytes(8, "big")
    assert row["f:text"] == b"x"
    assert row["g:time"] == bytes(8)
    assert row["g:kind"] == b"u"
    assert b"f:int" not in t.get("b")
    if columns is None:
        assert codecs.codec("datetime").decode(t.get("c")["g:day"]) == datetime(1970, 1, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("columns", "codecs", "problem"),
    [
        ({"row": ["a"], "x": [1]}, {}, "column 'x' has no family"),
        ({"key": ["a"], "f:x": [1]}, {}, "the source has no column 'row'; it has key, f:x"),
        ({"row": ["a"]}, {}, "nothing to write"),
        ({"row": ["a"], "f:x": [[1]]}, {}, "column 'f:x' is of a type that cannot be written"),
        (
            {"row": ["a"], "f:x": [True]},
            {"f:x": "int64"},
            "column 'f:x' cannot be written: codec 'int64' takes no bool",
        ),
        ({"row": ["a"], "f:x": [datetime(2026, 1, 1)]}, {}, "without time zone"),
    ],
)
def test_invalid_frames_are_refused_with_the_reason(
    t: rs.Table, columns: dict[str, Any], codecs: dict[str, str], problem: str
) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        t.put_frame(pa.table(columns), codecs=codecs)
    assert list(t) == []


def test_the_bad_row_is_named_and_those_before_are_written(t: rs.Table) -> None:
    frame = pa.table({"row": ["a", "b", "c"], "f:x": [1, 300, 2]})
    with pytest.raises(InvalidArgument, match=r"row 1, column 'f:x': 300 is outside -128 to 127") as raised:
        t.put_frame(frame.to_reader(max_chunksize=1), codecs={"f:x": "int8"})
    assert raised.value.rows_written == 1  # type: ignore[attr-defined]
    assert list(t) == [b"a"]
    for keys, problem in ((["a", None], "row 1, column 'row': it is missing"), (["a", ""], "row key is empty")):
        with pytest.raises(InvalidArgument, match=problem):
            t.put_frame(pa.table({"row": keys, "f:x": [1, 2]}))
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        t.put_frame(pa.table({"row": ["a"], "h:x": [1]}))
    with pytest.raises(InvalidType, match="__arrow_c_stream__"):
        t.put_frame([("a", 1)])
    with pytest.raises(InvalidType, match="collect"):
        t.put_frame(pl.LazyFrame({"row": ["a"], "f:x": [1]}))


def test_row_keys_come_from_a_column_and_are_encoded_by_a_codec(t: rs.Table) -> None:
    assert t.put_frame(pa.table({"id": [7, 8], "f:x": ["a", "b"]}), "id", key="int64", codecs={"f": "text"}) == 2
    assert list(t) == [(7).to_bytes(8, "big"), (8).to_bytes(8, "big")]
    assert t.scan().polars(key="int64", codecs={"f": "text"}).rows() == [(7, "a"), (8, "b")]


def test_a_source_that_fails_ends_the_writing(t: rs.Table) -> None:
    schema = pa.schema({"row": pa.string(), "f:x": pa.string()})

    def batches() -> Any:
        yield pa.record_batch({"row": ["a"], "f:x": ["v"]}, schema)
        raise RuntimeError("out of batches")

    with pytest.raises(InvalidArgument, match=r"the source failed: .*out of batches") as raised:
        t.put_frame(pa.RecordBatchReader.from_batches(schema, batches()))
    assert raised.value.rows_written == 1  # type: ignore[attr-defined]
    assert list(t) == [b"a"]


def test_versions_go_there_and_back(t: rs.Table) -> None:
    t.put("r", [("f:a", "1", 10), ("f:a", "2", 20), ("f:b", "x", 10)])
    stream = t.scan(versions=None).arrow(versions=True)
    t.put_frame(stream, columns={"f:a": "f:c", "f:b": "f:d"}, timestamp="timestamp")
    assert [(cell.timestamp, cell.value) for cell in t.get("r", versions=3).versions("f:c")] == [(20, b"2"), (10, b"1")]
    assert t.get("r").timestamp("f:d") == 10
    t.put_frame(pa.table({"row": ["s"], "f:a": ["v"]}), timestamp=7)
    assert t.get("s").timestamp("f:a") == 7


def test_a_table_is_copied_without_being_in_memory(t: rs.Table, db: rs.Database) -> None:
    db.create_table("copy", ["f"])
    with t.batch() as batch:
        for number in range(30_000):
            batch.put(f"{number:05}", {"f:q": b"v" * 20})
    assert db.table("copy").put_frame(t.scan().arrow(batch_rows=1_000)) == 30_000
    assert sum(1 for _ in db.table("copy").scan()) == 30_000


NUMBERS = st.integers(-(2**63), 2**63 - 1)
ROWS = st.dictionaries(
    st.text(min_size=1, max_size=8).filter(lambda key: key.encode("utf-8", "surrogatepass").isascii()),
    st.fixed_dictionaries(
        {
            "f:int": st.none() | st.integers(-(2**31), 2**31 - 1),
            "f:float": st.none() | st.floats(allow_nan=False),
            "f:text": st.none() | st.text(st.characters(codec="utf-8"), max_size=20),
            "f:yes": st.none() | st.booleans(),
            "f:time": st.none()
            | st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(
                lambda when: when.replace(microsecond=when.microsecond // 1000 * 1000, tzinfo=UTC)
            ),
            "g:raw": st.none() | st.binary(max_size=20),
        }
    ),
    max_size=20,
)
SCHEMA = pa.schema(
    {
        "row": pa.string(),
        "f:float": pa.float64(),
        "f:int": pa.int32(),
        "f:text": pa.string(),
        "f:time": pa.timestamp("ms", "UTC"),
        "f:yes": pa.bool_(),
        "g:raw": pa.binary(),
    }
)


@given(rows=ROWS, chunk=st.integers(1, 7), through=st.sampled_from(["pyarrow", "polars"]))
def test_a_frame_comes_back_as_it_went(rows: dict[str, dict[str, Any]], chunk: int, through: str) -> None:
    kept = {key: row for key, row in rows.items() if any(value is not None for value in row.values())}
    frame = pa.Table.from_pylist([{"row": key, **row} for key, row in rows.items()], SCHEMA)
    wanted = pa.Table.from_pylist([{"row": key, **kept[key]} for key in sorted(kept)], SCHEMA)
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        t = db.table("t")
        source: Any = pl.from_arrow(frame) if through == "polars" else frame.to_reader(max_chunksize=chunk)
        assert t.put_frame(source, codecs=CODECS) == len(kept)
        scan = t.scan(columns=[name for name in SCHEMA.names if name != "row"])
        found = table_of(scan.arrow(codecs=CODECS, key="text", batch_rows=chunk))
    assert found.to_pylist() == wanted.to_pylist()
    assert found.schema.types == wanted.schema.types


LONG = "a text that is longer than the twelve bytes of a view"
WRITTEN: dict[str, tuple[pa.Array, str | None, list[bytes | None]]] = {
    "text": (pa.array(["a", None, LONG, "é"]), None, [b"a", None, LONG.encode(), "é".encode()]),
    "large text": (pa.array(["a", None, LONG, ""], pa.large_string()), "text", [b"a", None, LONG.encode(), b""]),
    "views": (pa.array([LONG, None, "abc", LONG + "!"], pa.string_view()), None, [LONG.encode(), None, b"abc"]),
    "views of bytes": (pa.array([b"\xff", None, b"x" * 13], pa.binary_view()), "bytes", [b"\xff", None, b"x" * 13]),
    "large bytes": (pa.array([b"\xff", None, b""], pa.large_binary()), None, [b"\xff", None, b""]),
    "fixed": (pa.array([b"abc", None, b"def"], pa.binary(3)), None, [b"abc", None, b"def"]),
    "bool": (pa.array([True, False, None] * 5), None, [b"\xff", b"\x00", None] * 5),
    "bytes of JSON": (pa.array(['{"a": 1}', None]), "json", [b'{"a": 1}', None]),
    "int8": (pa.array([-1, None, 5], pa.int8()), None, [b"\xff", None, b"\x05"]),
    "uint64": (pa.array([2**64 - 1, None], pa.uint64()), None, [b"\xff" * 8, None]),
    "whole floats": (pa.array([3.0, None, -2.0]), "int16", [b"\x00\x03", None, b"\xff\xfe"]),
    "float32": (pa.array([0.5, None], pa.float32()), None, [b"\x3f\x00\x00\x00", None]),
    "numbers as floats": (pa.array([1, None]), "float64", [b"\x3f\xf0" + bytes(6), None]),
    "seconds": (pa.array([-1, None], pa.timestamp("s", "UTC")), None, [(-1000).to_bytes(8, "big", signed=True), None]),
    "nanoseconds": (pa.array([-1], pa.timestamp("ns", "Asia/Tokyo")), None, [b"\xff" * 8]),
    "date64": (pa.array([86_400_000], pa.date64()), "datetime", [(86_400_000).to_bytes(8, "big")]),
    "decimal": (pa.array([Decimal("-0.01"), None]), None, [b"\x00\x00\x00\x02\xff", None]),
    "text of decimals": (pa.array(["1.5", None]), "decimal", [b"\x00\x00\x00\x01\x0f", None]),
    "dictionary": (pa.array(["u", None, "v", "u"]).dictionary_encode(), "text", [b"u", None, b"v", b"u"]),
    "nothing": (pa.nulls(3), "int64", [None, None, None]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_columns_are_written_as_their_codec_says(name: str) -> None:
    """As a whole, and as a slice of a longer source."""
    column, codec, wanted = WRITTEN[name]
    count = len(wanted)
    longer = pa.concat_arrays([column[:count], column[:count], column[:count]])
    codecs = {} if codec is None else {"f": codec}
    for values_, first in ((column[:count], 0), (longer[1 : 1 + count], 1)):
        keys = [f"{number:02}" for number in range(count)]
        batch = pa.record_batch({"row": keys, "f:q": values_, "f:always": keys})
        inside = pa.RecordBatch.from_struct_array(pa.concat_arrays([batch.to_struct_array()] * 2)[count:])
        for source in (batch, inside, pl.from_arrow(batch)):
            if isinstance(source, pl.DataFrame) and name in ("date64", "fixed"):
                continue
            with rs.connect(":memory:") as db:
                db.create_table("t", ["f"])
                t = db.table("t")
                assert t.put_frame(source, codecs={**codecs, "f:always": "text"}) == count
                found = [row.get("f:q") for row in t.get_many(keys)]
            assert found == [wanted[(first + number) % count] for number in range(count)]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([{"a": 1}]),
        pa.array([[1]]),
        pa.array([1], pa.duration("s")),
        pa.array([1.5], pa.float16()),
        pa.array([Decimal(1)], pa.decimal256(50, 2)),
        pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["a"])),
        pa.array([1], pa.time32("s")),
    ],
    ids=str,
)
def test_types_that_cannot_be_written_are_named(t: rs.Table, column: pa.Array) -> None:
    with pytest.raises(InvalidArgument, match="column 'f:q' is of a type that cannot be written"):
        t.put_frame(pa.table({"row": ["a"], "f:q": column}))
    t.put_frame(pa.table({"row": ["a"], "f:q": column, "f:x": ["x"]}), columns=["f:x"])
    assert t.get("a").to_dict() == {b"f:x": b"x"}


def test_a_bad_view_of_json_or_utf8_is_named(t: rs.Table) -> None:
    for codec, value, problem in (("json", b"{", "it is not JSON"), ("text", b"\xff", "it is not UTF-8")):
        with pytest.raises(InvalidArgument, match=f"row 0, column 'f:q': {problem}"):
            t.put_frame(pa.table({"row": ["a"], "f:q": [value]}), codecs={"f": codec})
    with pytest.raises(InvalidArgument, match="'1,5' is no decimal number"):
        t.put_frame(pa.table({"row": ["a"], "f:q": ["1,5"]}), codecs={"f": "decimal"})
    with pytest.raises(InvalidArgument, match="timestamp -1 is negative"):
        t.put_frame(pa.table({"row": ["a"], "f:q": ["v"], "when": [-1]}), columns=["f:q"], timestamp="when")
