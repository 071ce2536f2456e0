"""Aggregates are what working them out in Python gives."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal, localcontext
from itertools import permutations
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs, coprocessors, errors


@pytest.mark.parametrize(
    ("codec", "numbers"),
    [
        ("int64", [5, -3, 7, 7, 0, 2**62, 2**62, 2**62]),
        ("float64", [1.5, -2.25, 1e9, 1e9 + 1, 1e9 + 2]),
        ("uint8", [1, 255, 17]),
        ("decimal", [Decimal("1.10"), Decimal("-2.2"), Decimal("3")]),
    ],
)
def test_they_are_what_statistics_says(codec: str, numbers: list[int]) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["r3"])
        table = db.table("t")
        encode = codecs.codec(codec).encode
        for place, number in enumerate(numbers):
            table.put(f"r{place}", {"f:n": encode(number), "f:other": "x"})
        table.put("without", {"f:other": "x"})
        found = coprocessors.aggregate(table, "f:n", codec)
        assert (found.rows, found.count) == (len(numbers), len(numbers))
        assert (found.min, found.max, found.sum) == (min(numbers), max(numbers), sum(numbers))
        assert float(found.avg or 0) == pytest.approx(statistics.fmean(numbers))
        assert found.std == pytest.approx(statistics.pstdev(map(float, numbers)))
        assert found.path == "scan of t"
        assert coprocessors.median(table, "f:n", codec) == statistics.median_low(numbers)
        assert coprocessors.count_rows(table) == len(numbers) + 1
        part = coprocessors.aggregate(table, "f:n", codec, start="r1", stop="r3")
        assert part.sum == numbers[1] + numbers[2]


def test_rows_that_pass_a_filter_on_any_column_are_counted() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        for number in range(6):
            db.table("t").put(f"r{number}", {"f:a": "x", "f:z": str(number % 3), "g:b": "y"})
        column = rs.column("f:z")
        for filter, count in ((column == "1", 2), (column != "1", 4), (~column.exists(), 0)):
            assert coprocessors.count_rows(db.table("t"), filter=filter) == count
        assert coprocessors.count_rows(db.table("t"), batch=2) == len(list(db.table("t").scan(batch=2)))


def test_a_median_of_weights() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for number, weight in [(1, 1), (5, 10), (9, 2)]:
            data = {"f:n": number.to_bytes(8, "big"), "f:w": weight.to_bytes(8, "big")}
            db.table("t").put(f"r{number}", data)
        assert coprocessors.median(db.table("t"), "f:n", weight="f:w") == 5


def test_sums_of_decimals_are_not_rounded() -> None:
    numbers = [Decimal("123456789012345678901234567890.123456789"), Decimal("1E+40"), Decimal("-1E-40")]
    encode = codecs.codec("decimal").encode
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for place, number in enumerate(numbers):
            db.table("t").put(f"r{place}", {"f:n": encode(number)})
        first = coprocessors.aggregate(db.table("t"), "f:n", "decimal", limit=1)
        assert (first.sum, first.avg) == (numbers[0], numbers[0])
        found = coprocessors.aggregate(db.table("t"), "f:n", "decimal")
        with localcontext(prec=200):
            assert found.sum == sum(numbers)


def test_a_median_of_equal_decimal_weights_is_the_lower_one() -> None:
    encode = codecs.codec("decimal").encode
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for number in (1, 2):
            db.table("t").put(f"r{number}", {"f:n": encode(number), "f:w": encode(Decimal("0.1"))})
        assert coprocessors.median(db.table("t"), "f:n", "decimal", weight="f:w") == 1


@pytest.mark.parametrize("numbers", list(permutations([math.nan, 2.0, 1.0])))
def test_the_order_of_rows_does_not_matter_with_nan(numbers: tuple[float, ...]) -> None:
    """Minimum and maximum ignore NaN. They were NaN if it was in the first row."""
    encode = codecs.codec("float64").encode
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for place, number in enumerate(numbers):
            db.table("t").put(f"r{place}", {"f:n": encode(number)})
        found = coprocessors.aggregate(db.table("t"), "f:n", "float64")
        assert (found.count, found.min, found.max) == (3, 1.0, 2.0)
        assert all(math.isnan(number or 0) for number in (found.sum, found.avg, found.std))
        assert coprocessors.median(db.table("t"), "f:n", "float64") == 1.0
        db.create_table("u", ["f"])
        db.table("u").put("r", {"f:n": encode(math.nan)})
        assert math.isnan(coprocessors.aggregate(db.table("u"), "f:n", "float64").min or 0)


def test_none_and_wrong_values() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = db.table("t")
        assert coprocessors.aggregate(table, "f:n") == coprocessors.Aggregates(0, 0, *[None] * 5, "scan of t")
        assert coprocessors.median(table, "f:n") is None
        table.put("row", {"f:n": "short", "f:t": "text"})
        with pytest.raises(errors.InvalidArgument, match=r"row 'row', column 'f:n'"):
            coprocessors.aggregate(table, "f:n")
        with pytest.raises(errors.InvalidArgument, match="'text' is no number"):
            coprocessors.aggregate(table, "f:t", "text")
        with pytest.raises(errors.InvalidArgument, match="is a family"):
            coprocessors.aggregate(table, "f")


@pytest.mark.parametrize("compute", [coprocessors.aggregate, coprocessors.median])
def test_the_columns_of_a_scan_are_not_those_of_an_aggregate(compute: Any) -> None:
    with rs.connect(":memory:") as db:
        table = rs.testing.user_activity(db)
        with pytest.raises(errors.InvalidType, match=rf"{compute.__name__}\(\).*'columns'; did you mean 'column'"):
            compute(table, "f:amount", columns=["f"])
        with pytest.raises(errors.InvalidType, match=r"count_rows\(\).*'cells_per_family'"):
            coprocessors.count_rows(table, cells_per_family=4)


def test_a_served_table_gives_the_same() -> None:
    with rs.connect(":memory:") as db, rs.serve(db, port=0, zk_port=None) as server:
        table = rs.testing.user_activity(db)
        with rs.connect(server.url) as client:
            there = client.table("user_activity")
            assert coprocessors.aggregate(there, "f:amount") == coprocessors.aggregate(table, "f:amount")
