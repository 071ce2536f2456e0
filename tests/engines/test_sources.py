"""Sources and sinks on everything that `rowstone.connect` opens, and from other processes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, In, IsNull, Not, RowSchema, Sink, Source, StartsWith
from rowstone.errors import InvalidArgument, InvalidType, TableNotFound
from rowstone.keys import Key, int64, salt, text

pyarrow = pytest.importorskip("pyarrow")

SCHEMA = RowSchema("text", {"age": ("f:age", "int32"), "town": ("g:town", "text")})
ROWS = [{"row": f"{letter}{number:02}", "age": number, "town": letter} for letter in "abc" for number in range(40)]


def read(source: Source, predicate: Any = None, columns: Any = None, limit: int | None = None) -> list[dict[str, Any]]:
    """All rows of a query."""
    plan = source.plan(predicate, columns, limit)
    batches = [batch for split in source.splits(plan) for batch in source.read(plan, split)]
    return [row for batch in batches for row in batch.to_pylist()]


def fill(db: rs.Database) -> None:
    """Create the table `t` of three regions."""
    db.create_table("t", ["f", "g"], splits=["b", "c"])
    assert Sink(db, "t", SCHEMA).write(pyarrow.Table.from_pylist(ROWS, schema=SCHEMA.arrow()).to_batches(50)) == 120


@pytest.fixture(params=["memory", "directory", "served", "root"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Source]:
    """The table of `fill`, in memory, in a directory, on a server, and in the files of a root."""
    if request.param == "memory":
        with rs.connect(":memory:") as db:
            fill(db)
            yield Source(db, "t", SCHEMA)
        return
    with rs.connect(tmp_path / "db") as db:
        fill(db)
        if request.param == "served":
            with rs.serve(db, port=0, zk_port=None) as server:
                yield Source(server.url, "t", SCHEMA)
        elif request.param == "root":
            db.admin.snapshot("nightly", "t")
            db.admin.snapshots.export("nightly", tmp_path / "root")
            yield Source(f"root+file://{tmp_path / 'root'}?snapshot=nightly", "t", SCHEMA)
    if request.param == "directory":
        yield Source(tmp_path / "db", "t", SCHEMA)


def test_a_source_reads_what_a_sink_wrote(source: Source) -> None:
    assert read(source) == ROWS
    assert read(source, StartsWith("row", "b") & Compare("age", "<", 3)) == [
        row for row in ROWS[40:80] if row["age"] < 3
    ]
    assert read(source, In("row", ("a01", "c39", "x")), ["town"]) == [{"town": "a"}, {"town": "c"}]


def test_splits_follow_regions_and_ranges(source: Source) -> None:
    plan = source.plan(Compare("row", ">=", "b5"))
    assert [split.ranges for split in source.splits(plan)] == [((b"b5", b"c"),), ((b"c", b""),)]
    assert source.splits(source.plan(Compare("age", "==", 0.5))) == []


def test_the_size_of_the_regions_that_are_read(source: Source) -> None:
    """Files and recent writes count; a server reports both in whole MiB, so its small table has no size."""
    whole, part, none = (
        source.estimate_bytes(source.plan(predicate))
        for predicate in (None, Compare("row", ">=", "c"), Compare("age", "==", 0.5))
    )
    assert none == 0
    if "hbase://" in repr(source):
        assert (part, whole) == (0, 0)
    else:
        cells = sum(len(row["row"]) + 4 + len(row["town"]) for row in ROWS)
        assert cells < whole < 50_000
        assert whole / 4 < part < whole / 2


def test_a_limit_ends_each_split(source: Source) -> None:
    plan = source.plan(Compare("age", ">", 10), limit=3)
    counts = [[batch.num_rows for batch in source.read(plan, split)] for split in source.splits(plan)]
    assert counts == [[3], [3], [3]]


def test_sources_plans_and_splits_travel(source: Source) -> None:
    if "memory" in repr(source):
        with pytest.raises(InvalidArgument, match="in memory, which other processes cannot read"):
            pickle.dumps(source)
        return
    plan = source.plan(Compare("age", "==", 7))
    sent, sent_plan, splits = pickle.loads(pickle.dumps((source, plan, source.splits(plan))))
    found = [row for split in splits for batch in sent.read(sent_plan, split) for row in batch.to_pylist()]
    assert found == [row for row in ROWS if row["age"] == 7]


def test_another_process_reads_a_directory_that_is_open_here(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        fill(db)
        sent = pickle.dumps(Source(db, "t", SCHEMA))
        script = (
            "import pickle, sys; s = pickle.loads(sys.stdin.buffer.read()); p = s.plan(columns=['age']);"
            "print(sum(len(b) for one in s.splits(p) for b in s.read(p, one)))"
        )
        found = subprocess.run([sys.executable, "-c", script], input=sent, capture_output=True, check=True)
    assert found.stdout.strip() == b"120"


def test_a_split_stays_right_when_its_region_splits(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        fill(db)
        source = Source(db, "t", SCHEMA)
        plan = source.plan(columns=["row"])
        splits = source.splits(plan)
        db.admin.regions.split("t", "a20")
        db.admin.regions.merge(db.admin.regions.list("t")[2:])
        found = [row for split in splits for batch in source.read(plan, split) for row in batch.to_pylist()]
    assert [row["row"] for row in found] == [row["row"] for row in ROWS]


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db, pytest.raises(TableNotFound, match="nothing"):
        read(Source(db, "nothing", SCHEMA))


def test_puts_of_a_repeated_task_are_the_same_cells() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", {"f": rs.Family(max_versions=5), "g": {}})
        sink = Sink(db, "t", SCHEMA, timestamp=7)
        for _ in range(2):
            sink.write([pyarrow.RecordBatch.from_pylist(ROWS[:2], schema=SCHEMA.arrow())])
        row = db.table("t").get("a00", versions=None)
        assert [(cell.column, cell.timestamp) for cell in row.cells] == [(b"f:age", 7), (b"g:town", 7)]


def test_nulls_write_nothing_and_parts_form_the_key() -> None:
    schema = RowSchema(
        Key(text("host"), int64("at")), {"load": ("f:load", "float64"), "cost": ("f:c", "decimal(9, 2)")}
    )
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        values = pyarrow.Table.from_pylist(
            [{"host": "a", "at": 1, "load": 0.5}, {"host": "b", "at": -1, "load": None}], schema=schema.arrow()
        )
        assert Sink(db, "t", schema).write(values.to_batches()) == 1
        assert read(Source(db, "t", schema)) == [{"host": "a", "at": 1, "load": 0.5, "cost": None}]


def test_rows_outside_the_buckets_of_a_salt_are_not_left_out() -> None:
    stored, wrong = (RowSchema(Key(salt(count), text("a")), {"b": ("f:b", "text")}) for count in (4, 2))
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        rows = [{"a": f"u{number}", "b": "x"} for number in range(20)]
        Sink(db, "t", stored).write(pyarrow.Table.from_pylist(rows))
        for predicate in (None, Not(IsNull("a")), Compare("b", "==", "x")):
            assert len(read(Source(db, "t", stored), predicate)) == 20
            with pytest.raises(InvalidArgument, match=r"salt\(2\) is b'\\x0[23]' in the key"):
                read(Source(db, "t", wrong), predicate)
        lenient = Source(db, "t", wrong, on_error="null")
        assert len(read(lenient)) == len(read(lenient, IsNull("a"))) + len(read(lenient, Not(IsNull("a")))) == 20


def test_a_sink_deletes_and_increments() -> None:
    schema = RowSchema("text", {"n": ("f:n", "int64"), "x": ("f:x", "text")})
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = db.table("t")
        add = Sink(db, "t", schema, mode="increment")
        for amount in (5, -2):
            add.write([pyarrow.record_batch({"row": ["a", "b"], "n": pyarrow.array([amount, None], "int64")})])
        table.put("a", {"f:x": "x", "f:other": "kept"})
        assert read(Source(db, "t", schema)) == [{"row": "a", "n": 3, "x": "x"}]
        with pytest.raises(InvalidArgument, match="'x' has the codec text: increments need int64"):
            add.write([pyarrow.record_batch({"row": ["a"], "x": ["1"]})])
        Sink(db, "t", schema, mode="delete", timestamp=2**62).write([pyarrow.record_batch({"row": ["a", "z"]})])
        assert list(table.get("a")) == [b"f:other"]


def test_a_sink_refuses_rows_without_a_key() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        with pytest.raises(InvalidArgument, match="no column 'row'"):
            Sink(db, "t", SCHEMA).write([pyarrow.record_batch({"age": pyarrow.array([1], "int32")})])


@pytest.mark.parametrize("is_staged", [False, True])
def test_a_sink_refuses_text_keys_that_are_no_text(tmp_path: Path, is_staged: bool) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        for keys, problem in (([b"a", b"b"], None), ([b"c", b"\xff"], "row 1, column ':row': it is not UTF-8")):
            sink = Sink(db, "t", SCHEMA, staging_dir=tmp_path if is_staged else None)
            rows = pyarrow.table({"row": keys, "town": ["x", "y"]})
            if problem is None:
                assert sink.write(rows) == 2
                continue
            with pytest.raises(InvalidArgument, match=problem):
                sink.write(rows)
        assert {"a", "b"} <= {row["row"] for row in read(Source(db, "t", SCHEMA))}


def test_a_sink_takes_one_batch_and_names_what_is_none() -> None:
    rows = pyarrow.table({"row": ["a", "b"], "age": pyarrow.array([1, 2], "int32")})
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        sink = Sink(db, "t", SCHEMA)
        assert [sink.write(one) for one in (rows, rows.to_batches()[0], rows.to_reader(), [rows, rows])] == [2, 2, 2, 4]
        for wrong in (
            rows.to_pylist(),
            rows.to_pydict(),
            "ab",
            5,
            pytest.importorskip("pandas").DataFrame({"row": []}),
        ):
            with pytest.raises(InvalidType, match=r"a Sink writes a pyarrow\.Table"):
                sink.write(wrong)
