"""Decimals that do not fit the precision or the scale of their column follow ``on_error``."""

from __future__ import annotations

from decimal import Decimal

import pytest

import rowstone as rs
from rowstone.codecs import codec
from rowstone.engines import RowSchema, Source
from rowstone.errors import InvalidArgument
from rowstone.keys import Key, int8, text
from tests.engines.test_sources import read

pytest.importorskip("pyarrow")

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
