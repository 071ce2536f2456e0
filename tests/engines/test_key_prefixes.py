"""Prefixes of a part of a row key end with the part: they do not match its terminator, or what follows it."""

from __future__ import annotations

from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, RowSchema, Source, StartsWith
from rowstone.errors import InvalidArgument
from rowstone.keys import Key, blob, descending, fixed, float64, int8, ordered, text
from rowstone.keys.parts._floats import from_sortable
from tests.engines.test_sources import read

pytest.importorskip("pyarrow")


def source_of(db: rs.Database, key: Key, rows: list[dict[str, Any]]) -> Source:
    """A table `t` with these row keys."""
    db.create_table("t", ["f"])
    for row in rows:
        db.table("t").put(key.encode(**row), {"f:c": "x"})
    return Source(db, "t", RowSchema(key, {"c": ("f:c", "text")}))


@pytest.mark.parametrize(
    ("key", "prefix"),
    [
        (Key(text("dev", end="-"), text("sub")), "rack1-"),
        (Key(text("dev", end="-"), text("sub")), "rack1-s"),
        (Key(text("dev"), text("sub")), "rack1\0"),
        (Key(descending(text("dev")), text("sub")), "rack1\0"),
        (Key(fixed("dev", 5), text("sub")), "rack1s"),
    ],
    ids=["end", "end and more", "zero byte", "descending", "fixed"],
)
def test_no_value_begins_with_the_end_of_its_part(db: rs.Database, key: Key, prefix: str) -> None:
    source = source_of(db, key, [{"dev": "rack1", "sub": "s"}, {"dev": "rack2", "sub": "s"}])
    assert read(source, StartsWith("dev", prefix)) == []
    assert len(read(source, ~StartsWith("dev", prefix))) == 2
    assert [row["dev"] for row in read(source, StartsWith("dev", "rack1"))] == ["rack1"]


def test_nan_with_a_sign_is_the_greatest_number(db: rs.Database) -> None:
    key = Key(float64("x"))
    source = source_of(db, key, [{"x": float("-inf")}, {"x": 1.0}])
    negative = b"\0\0\0\0\0\0\0\1"
    assert from_sortable(negative) != from_sortable(negative)
    db.table("t").put(negative, {"f:c": "x"})
    nan = float("nan")
    assert [len(read(source, found)) for found in (Compare("x", "==", nan), Compare("x", "!=", nan))] == [1, 2]
    assert [len(read(source, found)) for found in (Compare("x", "<", nan), Compare("x", ">", nan))] == [2, 0]
    assert len(read(source, Compare("x", ">=", nan))) == 1
    assert len(read(source, Compare("x", ">", float("inf")))) == 1
    assert len(read(source, Compare("x", "<=", 1.0))) == 2


def test_descending_blobs_that_do_not_end_are_last(db: rs.Database) -> None:
    part = descending(ordered("a", "blob_copy"))
    with pytest.raises(InvalidArgument, match="has no end marker"):
        Key(part, int8("b"))
    source = source_of(db, Key(part), [{"a": b"a"}, {"a": b"ab"}, {"a": b"b"}])
    assert [row["a"] for row in read(source, Compare("a", "==", b"a"))] == [b"a"]
    assert {row["a"] for row in read(source, Compare("a", ">", b"a"))} == {b"ab", b"b"}
    assert {row["a"] for row in read(source, Compare("a", "<", b"ab"))} == {b"a"}
    assert Key(descending(blob("a")), int8("b")).encode(a=b"x", b=1)
