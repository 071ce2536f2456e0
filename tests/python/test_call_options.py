"""Functions that pass options on to `Table` and `Scanner`: their groups have the same names, and refuse others."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs, coprocessors, errors, jobs, keys
from rowstone._base.options import calls
from rowstone.engines import RowSchema, spark

TIMES = calls.TimeOptions.__optional_keys__
ROWS = {"start", "stop", "prefix", "limit", "batch", "reverse", "include_start", "include_stop"}

GROUPS: list[tuple[Any, Any, set[str]]] = [
    (rs.Table.get, calls.GetOptions, set()),
    (rs.Table.get_many, calls.GetOptions, set()),
    (rs.Table.exists, calls.GetOptions, set()),
    (rs.Table.exists_many, calls.GetOptions, set()),
    (rs.Table.get, calls.ReadOptions, set(TIMES)),
    (rs.Table.scan, calls.ScanOptions, set()),
    (rs.Table.scan, calls.ViewScanOptions, set(TIMES)),
    (rs.Table.scan, calls.KeyedScanOptions, ROWS),
    (rs.Table.scan, calls.RowsOptions, {"columns"}),
    (rs.Table.put, calls.PutOptions, set()),
    (rs.BufferedWriter.put, calls.PutOptions, set()),
    (rs.Table.delete, calls.DeleteOptions, set()),
    (rs.BufferedWriter.delete, calls.DeleteOptions, set()),
    (rs.Table.increment, calls.ChangeOptions, set()),
    (rs.Table.append, calls.ChangeOptions, set()),
    (rs.Table.check_and_mutate, calls.CheckOptions, set()),
    (rs.Table.batch, calls.BatchOptions, set()),
    (rs.Table.put_frame, calls.FrameWriteOptions, {"codecs", "key"}),
    (rs.Scanner.arrow, calls.ArrowOptions, {"codecs"}),
    (rs.Scanner.polars, calls.FrameOptions, {"codecs"}),
    (rs.Scanner.duckdb, calls.FrameOptions, {"codecs", "form"}),
]
"""Functions with the options of a group, and the options that the group leaves out."""


@pytest.mark.parametrize(("function", "group", "left_out"), GROUPS)
def test_a_group_has_the_options_of_the_function(function: Any, group: Any, left_out: set[str]) -> None:
    parameters = inspect.signature(function).parameters.values()
    keywords = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
    assert group.__optional_keys__ - {"start", "stop"} == keywords - left_out


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        codecs.declare(db, "t", {"f:n": "int64"})
        db.create_index("t", "by_n", "f:n", strategy="dual", codec="int64")
        yield db


Call = Callable[[rs.Database], Any]
CALLS: dict[str, Call] = {
    "view.get": lambda db: db.table("t").as_of(5).get("r", timestmp=1),  # type: ignore[call-arg]
    "view.scan": lambda db: db.table("t").as_of(5).scan(timestmp=1),  # type: ignore[call-arg]
    "typed.put": lambda db: codecs.typed(db.table("t")).put("r", {"f:n": 1}, timestmp=1),  # type: ignore[call-arg]
    "typed.scan": lambda db: codecs.typed(db.table("t")).scan(timestmp=1),  # type: ignore[call-arg]
    "typed.batch": lambda db: codecs.typed(db.table("t")).batch(timestmp=1),  # type: ignore[call-arg]
    "typed.arrow": lambda db: codecs.typed(db.table("t")).scan().arrow(timestmp=1),  # type: ignore[call-arg]
    "keyed.get": lambda db: keys.KeyedTable(db.table("t"), keys.Key(keys.text("a"))).get(("r",), timestmp=1),  # type: ignore[call-arg]
    "keyed.scan": lambda db: keys.KeyedTable(db.table("t"), keys.Key(keys.text("a"))).scan(timestmp=1),  # type: ignore[call-arg]
    "index.put": lambda db: db.index("t", "by_n").put("r", {"f:n": b"\0" * 8}, timestmp=1),  # type: ignore[call-arg]
    "index.delete": lambda db: db.index("t", "by_n").delete("r", timestmp=1),  # type: ignore[call-arg]
    "aggregate": lambda db: coprocessors.aggregate(db.table("t"), "f:n", timestmp=1),  # type: ignore[call-arg]
    "count_rows": lambda db: coprocessors.count_rows(db.table("t"), timestmp=1),  # type: ignore[call-arg]
    "join": lambda db: jobs.join(db, "t", "t", on="f:n", timestmp=1),  # type: ignore[call-arg]
    "schema": lambda db: RowSchema.declared(db.table("t"), timestmp=1),  # type: ignore[call-arg]
    "spark": lambda _: spark.options("hbase://host", "t", timestmp=1),  # type: ignore[call-arg]
}
"""Calls with a misspelt option."""


HINTS: list[tuple[Call, str]] = [
    (lambda db: db.table("t").put("r", {"f:q": "v"}, ts=1), "Table.put() … 'ts'; did you mean 'timestamp'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").put("r", {"f:q": "v"}, ttl=1), "Table.put() … 'ttl'; did you mean 'ttl_ms'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").get("r", version=2), "Table.get() … 'version'; did you mean 'versions'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").get_many(["r"], vers=2), "Table.get_many() … 'vers'; did you mean 'versions'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").delete("r", column="f:q"), "Table.delete() … 'column'; did you mean 'columns'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").scan(row_prefix="r"), "Table.scan() … 'row_prefix'; did you mean 'prefix'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").increment("r", "f:n", ts=1), "Table.increment() … 'ts'; did you mean 'timestamp'?"),  # type: ignore[call-arg]
    (lambda db: db.table("t").append("r", "f:q", "v", tags=[]), "Table.append() … 'tags'"),  # type: ignore[call-arg]
    (lambda db: db.table("t").batch(batch_size=9), "Table.batch() … 'batch_size'; did you mean 'buffer_bytes'?"),  # type: ignore[call-arg]
    (
        lambda db: db.table("t").batch().put("r", {"f:q": "v"}, ts=1),
        "BufferedWriter.put() … 'ts'; did you mean 'timestamp'?",
    ),  # type: ignore[call-arg]
    (lambda db: db.table("t").batch().delete("r", ts=1), "BufferedWriter.delete() … 'ts'; did you mean 'timestamp'?"),  # type: ignore[call-arg]
    (lambda db: rs.Put("r", {"f:q": "v"}, ts=1), "Put() … 'ts'; did you mean 'timestamp'?"),  # type: ignore[call-arg]
    (lambda db: rs.Delete("r").add_column("f:q", timestamp=1), "Delete.add_column() … 'timestamp'; did you mean 'ts'?"),  # type: ignore[call-arg]
    (lambda db: rs.Get("r", version=1), "Get() … 'version'; did you mean 'versions'?"),  # type: ignore[call-arg]
    (lambda db: rs.Scan(reversed=True), "Scan() … 'reversed'; did you mean 'reverse'?"),  # type: ignore[call-arg]
]
"""Calls of native functions with a keyword that they do not have, and the message."""


@pytest.mark.parametrize(("call", "message"), HINTS)
def test_a_native_function_names_the_keyword_that_was_meant(db: rs.Database, call: Call, message: str) -> None:
    """Regression: the native functions raised Python's own error, without a hint."""
    with pytest.raises(errors.InvalidType) as raised:
        call(db)
    assert str(raised.value) == message.replace("…", "got an unexpected keyword argument")
    assert list(db.table("t")) == [], "nothing is written"


@pytest.mark.parametrize("name", CALLS)
def test_an_unknown_option_is_a_type_error_that_names_it(db: rs.Database, name: str) -> None:
    entries = list(db.table("t_by_n"))
    with pytest.raises(TypeError, match="timestmp"):
        CALLS[name](db)
    assert list(db.table("t")) == [], "nothing is written"
    assert list(db.table("t_by_n")) == entries
