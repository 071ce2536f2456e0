"""Schemas: declared, inferred, wrong; values that do not decode; which rows exist; timestamps."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.engines import Compare, In, IsNull, Not, Plan, RowSchema, Source, plan
from rowstone.errors import InvalidArgument, InvalidType, NotFoundError
from rowstone.keys import Key, ordered, salt, text, uint8
from tests.engines.test_sources import read

pytest.importorskip("pyarrow")

AGES = RowSchema("text", {"age": ("f:age", "int32"), "name": ("f:name", "text")})


def table_of(db: rs.Database, rows: dict[str, dict[str, bytes]], splits: list[str] | None = None) -> rs.Table:
    """A table `t` with these cells."""
    db.create_table("t", ["f", "g"], splits=splits)
    for row, cells in rows.items():
        db.table("t").put(row, cells)
    return db.table("t")


@pytest.fixture
def mixed(db: rs.Database) -> rs.Database:
    """A table with a number of the wrong length, and a name that is not UTF-8."""
    table_of(
        db,
        {
            "a": {"f:age": b"\0\0\0\5", "f:name": b"Ann"},
            "b": {"f:age": b"five", "f:name": b"Bob"},
            "c": {"f:age": b"\0\0\5", "f:name": b"Cid"},
            "d": {"f:name": b"\xff"},
        },
    )
    return db


def test_a_value_that_does_not_decode_is_named(mixed: rs.Database) -> None:
    with pytest.raises(InvalidArgument, match=r"row 'c'.*f:age.*\\x00\\x00\\x05"):
        read(Source(mixed, "t", AGES), columns=["row", "age"])
    with pytest.raises(InvalidArgument, match=r"row 'd'.*f:name.*\\xFF"):
        read(Source(mixed, "t", AGES), columns=["name"])


def test_it_may_be_null_instead(mixed: rs.Database) -> None:
    source = Source(mixed, "t", AGES, on_error="null")
    assert [row["age"] for row in read(source)] == [5, int.from_bytes(b"five", "big"), None, None]
    assert [row["name"] for row in read(source)] == ["Ann", "Bob", "Cid", None]
    assert [row["row"] for row in read(source, IsNull("age"))] == ["c", "d"]
    assert [row["row"] for row in read(source, Compare("age", "!=", 5), ["row"])] == ["b"]
    assert [row["row"] for row in read(source, ~In("age", (5,)), ["row"])] == ["b"]


def test_its_row_may_be_left_out_instead(mixed: rs.Database) -> None:
    source = Source(mixed, "t", AGES, on_error="drop")
    assert [row["row"] for row in read(source)] == ["a", "b"]
    # Only the columns that are read count.
    assert [row["row"] for row in read(source, columns=["row", "age"])] == ["a", "b", "d"]


@pytest.mark.parametrize(("on_error", "found"), [("null", ["", "x"]), ("drop", ["x"])])
def test_a_row_key_that_does_not_decode_follows_the_same_rule(db: rs.Database, on_error: Any, found: list[str]) -> None:
    key = Key(text("a"), uint8("b"))
    table = table_of(db, {})
    table.put(key.encode("x", 1), {"f:age": b"\0\0\0\1"})
    table.put(b"no end", {"f:age": b"\0\0\0\2"})
    schema = RowSchema(key, {"age": ("f:age", "int32")})
    assert [row["a"] or "" for row in read(Source(db, "t", schema, on_error=on_error))] == found
    with pytest.raises(InvalidArgument, match="no end"):
        read(Source(db, "t", schema))
    nulls = Source(db, "t", schema, on_error="null")
    assert [row["age"] for row in read(nulls, IsNull("b"))] == [2]
    assert [row["age"] for row in read(nulls, Not(IsNull("b")))] == [1]


def test_a_type_that_does_not_compare_is_refused(mixed: rs.Database) -> None:
    with pytest.raises(InvalidType, match="column 'name' has str, which does not compare with 5"):
        read(Source(mixed, "t", AGES), Compare("name", ">", 5) & Compare("row", "<", "d"), ["row"])


def test_a_null_in_a_row_key_stays_null_in_rows_decoded_in_python(db: rs.Database) -> None:
    """It became the text "None"."""
    key = Key(ordered("a", "text"), uint8("b"))
    table_of(db, {}).put(key.encode(None, 1), {"f:age": b"\0\0\0\1"})
    schema = RowSchema(key, {"age": ("f:age", "int32")}, timestamp="at")
    assert read(Source(db, "t", schema), IsNull("a"), ["a", "b"]) == [{"a": None, "b": 1}]
    assert read(Source(db, "t", schema), columns=["a", "at"])[0]["a"] is None
    assert read(Source(db, "t", schema), Compare("age", ">", 0), ["a"]) == [{"a": None}]


def test_unknown_columns_are_refused_with_the_nearest_names(mixed: rs.Database) -> None:
    with pytest.raises(NotFoundError, match="no column 'nme'; did you mean 'name'"):
        Source(mixed, "t", AGES).plan(columns=["nme"])
    with pytest.raises(NotFoundError, match="no column 'row_key'"):
        Source(mixed, "t", AGES).plan(Compare("row_key", "==", "a"))


def test_a_row_exists_if_any_column_of_the_schema_does(db: rs.Database) -> None:
    table_of(
        db,
        {
            "a": {"f:age": b"\0\0\0\1", "g:other": b"x"},
            "b": {"f:name": b"Bob"},
            "c": {"g:other": b"not in the schema"},
            "d": {"g:town": b"Oslo"},
        },
        splits=["b"],
    )
    schema = RowSchema("text", {"age": ("f:age", "int32"), "name": ("f:name", "text"), "g:town": "text"})
    source = Source(db, "t", schema)
    for columns in (["row"], ["row", "age"], ["row", "name"], ["g:town", "row"], None):
        assert [row["row"] for row in read(source, columns=columns)] == ["a", "b", "d"], columns
    assert [row["row"] for row in read(source, IsNull("age"), ["row"])] == ["b", "d"]
    assert [row["row"] for row in read(source, Compare("age", "<", 2), ["row"])] == ["a"]


def test_a_required_column_stands_for_the_row() -> None:
    schema = RowSchema("text", {"age": ("f:age", "int32"), "name": ("f:name", "text")}, required=["age"])
    assert plan(None, schema, ["row"]).scanned == ("age",)
    assert plan(None, schema, ["age"]).scanned == ("age",)
    assert plan(None, schema, ["name"]).scanned == ("age", "name")
    assert plan(None, AGES, ["name"]).scanned == ("age", "name")
    assert plan(Compare("age", ">", 3), AGES, ["row"]).scanned == ("age",)


def test_the_timestamp_is_that_of_the_newest_cell(db: rs.Database) -> None:
    table = table_of(db, {})
    table.put("a", {"f:age": b"\0\0\0\1"}, timestamp=5)
    table.put("a", {"f:name": b"Ann"}, timestamp=9)
    table.put("a", {"g:other": b"x"}, timestamp=99)
    table.put("b", {"f:age": b"\0\0\0\2"}, timestamp=7)
    schema = RowSchema("text", {"age": ("f:age", "int32"), "name": ("f:name", "text")}, timestamp="at")
    source = Source(db, "t", schema)
    assert read(source, columns=["row", "at"]) == [{"row": "a", "at": 9}, {"row": "b", "at": 7}]
    assert read(source, Compare("at", "<", 9) & Compare("age", ">", 0), ["age"]) == [{"age": 2}]


def test_a_bad_value_is_named_beside_timestamps_too(mixed: rs.Database) -> None:
    schema = RowSchema("text", {"age": ("f:age", "int32"), "name": ("f:name", "text")}, timestamp="at")
    with pytest.raises(InvalidArgument, match=r"row 'c', column 'f:age': '\\x00\\x00\\x05' cannot be decoded"):
        read(Source(mixed, "t", schema), columns=["age", "at"])


def test_declared_codecs_are_a_schema(db: rs.Database) -> None:
    table_of(db, {})
    with pytest.raises(InvalidArgument, match="declares no codecs"):
        RowSchema.declared(db.table("t"))
    codecs.declare(db, "t", {"f:age": "int32", "f:name": "text"})
    assert RowSchema.declared(db.table("t")) == RowSchema("text", {"f:age": "int32", "f:name": "text"})
    codecs.declare(db, "t", {"g": "text"})
    with pytest.raises(InvalidArgument, match="for the family 'g'"):
        RowSchema.declared(db.table("t"))


def test_types_are_inferred_with_a_report(db: rs.Database) -> None:
    table_of(
        db,
        {
            f"r{number}": {
                "f:n": number.to_bytes(8, "big"),
                "f:name": b"Ann",
                "f:mixed": b"text" if number % 2 else number.to_bytes(8, "big"),
                "f:flag": b"\xff" if number % 2 else b"\0",
            }
            for number in range(20)
        },
    )
    codecs.declare(db, "t", {"f:name": "json"})
    found = RowSchema.infer(db.table("t"))
    kinds = {field.name: field.kind for field in found.schema.cells}
    assert kinds == {"f:n": "int64", "f:name": "json", "f:mixed": "bytes", "f:flag": "bool"}
    assert "f:mixed" in str(found)
    assert "declared" in str(found)
    db.create_table("empty", ["f"])
    empty = db.table("empty")
    with pytest.raises(InvalidArgument, match="has 0 columns"):
        RowSchema.infer(empty)


def test_schemas_and_plans_are_values() -> None:
    schema = RowSchema(Key(salt(4), text("a"), uint8("b")), {"x": ("f:x", "decimal(9, 2)")}, timestamp="at")
    assert pickle.loads(pickle.dumps(schema)) == schema
    found = plan(Compare("a", "==", "x"), schema)
    sent: Plan = pickle.loads(pickle.dumps(found))
    assert (sent.ranges, sent.schema) == (found.ranges, schema)
    assert "ranges" in found.explain()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "at least one column"),
        ({"age": "int32"}, "needs a cell"),
        ({"row": ("f:row", "text")}, "two columns are called 'row'"),
        ({"f:age": "int31"}, "codec 'int31' is unknown"),
    ],
)
def test_wrong_schemas_are_refused(columns: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        RowSchema("text", columns)


def test_a_wrong_required_column_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="'row' is part of the row"):
        RowSchema("text", {"f:age": "int32"}, required=["row"])
