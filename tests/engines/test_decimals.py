"""Decimals that do not fit the precision or the scale of their column follow ``on_error``."""

from __future__ import annotations

from decimal import Decimal

import pytest

import rowstone as rs
from rowstone.codecs import codec
from rowstone.engines import RowSchema, Sink, Source
from rowstone.errors import InvalidArgument
from rowstone.keys import Key, int8, text
from tests.engines.test_sources import read

pyarrow = pytest.importorskip("pyarrow")

VALUES = {"a": "1.500", "b": "1.005", "c": "1E+2", "d": "99999999999.00", "e": "-7"}
FITTING = {"a": Decimal("1.50"), "c": Decimal("100.00"), "e": Decimal("-7.00")}


@pytest.fixture
def prices(db: rs.Database) -> rs.Database:
    """Rows with a decimal each; two do not fit decimal(12, 2)."""
    db.create_table("t", ["f"])
    for row, value in VALUES.items():
        db.table("t").put(row, {"f:p": codec("decimal").encode(Decimal(value))})
    return db


@pytest.mark.parametrize("timestamp", [None, "at"])
def test_the_row_and_the_column_are_named(prices: rs.Database, timestamp: str | None) -> None:
    source = Source(prices, "t", RowSchema("text", {"p": ("f:p", "decimal(12, 2)")}, timestamp=timestamp))
    with pytest.raises(InvalidArgument, match=r"row 'b', column 'f:p'.*1\.005 does not fit decimal\(12, 2\)"):
        read(source)


def test_a_row_of_several_parts_is_named(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    key = Key(text("a"), int8("b"))
    db.table("t").put(key.encode(a="x", b=5), {"f:p": codec("decimal").encode(Decimal("0.1"))})
    with pytest.raises(InvalidArgument, match=r"row 'x', 5, column 'f:p'"):
        read(Source(db, "t", RowSchema(key, {"p": ("f:p", "decimal(3, 0)")})))


def test_they_are_null_or_dropped(prices: rs.Database) -> None:
    schema = RowSchema("text", {"p": ("f:p", "decimal(12, 2)")})
    found = {row["row"]: row["p"] for row in read(Source(prices, "t", schema, on_error="null"))}
    assert found == {row: FITTING.get(row) for row in VALUES}
    assert {row["row"]: row["p"] for row in read(Source(prices, "t", schema, on_error="drop"))} == FITTING


def test_values_that_fit_are_read(prices: rs.Database) -> None:
    found = read(Source(prices, "t", RowSchema("text", {"p": ("f:p", "decimal(20, 4)")})))
    assert [row["p"] for row in found] == list(map(Decimal, VALUES.values()))


@pytest.mark.parametrize(
    ("value", "message"),
    [(Decimal("1.105"), "1.105 does not fit"), ("123.5", "123.5 does not fit"), ("few", "'few' is no decimal")],
)
def test_no_value_is_written_that_cannot_be_read(db: rs.Database, value: Decimal | str, message: str) -> None:
    db.create_table("t", ["f"])
    schema = RowSchema("text", {"p": ("f:p", "decimal(4, 2)")})
    with pytest.raises(InvalidArgument, match=rf"row 'b', column 'f:p': {message}"):
        Sink(db, "t", schema).write(pyarrow.table({"row": ["a", "b"], "p": [type(value)("1.1"), value]}))
    assert list(db.table("t")) == []
    assert Sink(db, "t", schema).write(pyarrow.table({"row": ["a", "b"], "p": ["1.1", None]})) == 1
    assert [row["p"] for row in read(Source(db, "t", schema))] == [Decimal("1.10")]


@pytest.mark.parametrize("kind", ["decimal(90,2)", "decimal(40, 2)", "decimal(5,9)", "decimal(0,0)"])
def test_a_type_that_arrow_does_not_have_is_refused(kind: str) -> None:
    with pytest.raises(InvalidArgument, match="needs 1 to 38 digits"):
        RowSchema("text", {"p": ("f:p", kind)})
