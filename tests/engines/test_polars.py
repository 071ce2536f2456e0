"""Polars: what of an expression is pushed down, slices, errors."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import And, Compare, In, IsNull, Not, Opaque, Or, RowSchema, Sink, Source, StartsWith, scan_polars
from rowstone.engines.polars import translate
from rowstone.errors import InvalidArgument

pl: Any = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

SCHEMA = RowSchema(
    "text",
    {
        "n": ("f:n", "int32"),
        "big": ("f:big", "int64"),
        "x": ("f:x", "float64"),
        "small": ("f:small", "float32"),
        "data": ("f:data", "bytes"),
        "is": ("f:is", "bool"),
        "at": ("f:at", "datetime"),
        "cost": ("f:cost", "decimal(12, 2)"),
    },
)
MOMENT = datetime(2024, 5, 1, tzinfo=UTC)
FLOAT32 = 0.10000000149011612


def expressions() -> list[tuple[Any, Any]]:
    """Expressions of Polars, with their predicates; None if Polars checks them alone."""
    col = pl.col
    return [
        (col("n") > 5, Compare("n", ">", 5)),
        (col("n") < 5, Compare("n", "<", 5)),
        (pl.lit(5) == col("n"), Compare("n", "==", 5)),
        (col("n") == 5.5, Compare("n", "==", 5.5)),
        (col("n").cast(pl.Int64) > 5, Compare("n", ">", 5)),
        (col("small") > 0.1, Compare("small", ">", FLOAT32)),
        (col("row").str.starts_with("a"), StartsWith("row", "a")),
        (col("data").bin.starts_with(b"\xff"), StartsWith("data", b"\xff")),
        (col("data") == b"\xff\0", Compare("data", "==", b"\xff\0")),
        (col("n").is_in([1, None]), In("n", (1,))),
        (col("n").is_in([1], nulls_equal=True), And((Not(IsNull("n")), In("n", (1,))))),
        (col("n").is_in([1, None], nulls_equal=True), Or((IsNull("n"), In("n", (1,))))),
        (col("n").is_between(1, 5, closed="left"), And((Compare("n", ">=", 1), Compare("n", "<", 5)))),
        (col("n").is_null(), IsNull("n")),
        (col("n").is_not_null(), Not(IsNull("n"))),
        (col("n").eq_missing(5), And((Not(IsNull("n")), Compare("n", "==", 5)))),
        (col("n").ne_missing(5), Not(And((Not(IsNull("n")), Compare("n", "==", 5))))),
        (col("is"), Compare("is", "==", True)),
        (~col("is"), Not(Compare("is", "==", True))),
        (col("at") >= MOMENT, Compare("at", ">=", MOMENT)),
        (col("cost") < Decimal("1.50"), Compare("cost", "<", Decimal("1.50"))),
        (col("n") + 1 > 5, None),
        (col("n") > col("big"), None),
        (col("big").cast(pl.Float64) > 5.0, None),
        (col("at").dt.year() == 2024, None),
        (col("row").str.contains("a"), None),
        (col("x") > float("inf"), None),
    ]


@pytest.mark.parametrize("place", range(len(expressions())))
def test_expressions_have_equivalents(place: int) -> None:
    expression, expected = expressions()[place]
    seen: list[Any] = []

    def read(names: Any, predicate: Any, count: Any, size: Any) -> Any:
        # Polars simplifies expressions and gives constants the types of columns.
        seen.append(translate(predicate, SCHEMA))
        return iter(())

    schema = pl.from_arrow(SCHEMA.arrow().empty_table()).schema
    pl.io.plugins.register_io_source(read, schema=schema).filter(expression).collect()
    [found] = seen
    assert found == expected if expected is not None else isinstance(found, Opaque)


def test_predicates_without_pushdown_still_apply(db: rs.Database) -> None:
    source = _filled(db)
    frame = scan_polars(source)
    found = frame.filter(pl.col("row") >= "r2", pl.col("n") * 2 >= 12).select("row").collect()
    assert found.to_series().to_list() == ["r6", "r7", "r8", "r9"]
    assert frame.filter((pl.col("n") * 2 > 12) | (pl.col("row") == "r1")).collect().height == 4


def test_a_slice_is_taken_before_a_filter(db: rs.Database) -> None:
    frame = scan_polars(_filled(db))
    assert frame.head(3).filter(pl.col("n") >= 2).collect()["n"].to_list() == [2]
    assert frame.filter(pl.col("n") >= 2).head(3).collect()["n"].to_list() == [2, 3, 4]
    assert frame.slice(4, 2).collect()["n"].to_list() == [4, 5]
    assert frame.select(pl.len()).collect().item() == 10
    assert db.admin.metrics.stats()["open_scanners"] == 0


def test_only_ranges_are_read(db: rs.Database) -> None:
    frame = scan_polars(_filled(db))
    before = db.admin.metrics.stats()["read_requests"]
    assert frame.filter(pl.col("row").is_between(pl.lit("r3"), pl.lit("r5"))).collect().height == 3
    assert db.admin.metrics.stats()["read_requests"] - before == 3


def test_a_table_that_changes_is_read_again(db: rs.Database) -> None:
    frame = scan_polars(_filled(db))
    assert frame.collect().height == 10
    db.table("t").put("s", {"f:n": b"\0\0\0\1"})
    assert frame.collect().height == 11


def test_a_bad_value_is_named(db: rs.Database) -> None:
    source = _filled(db)
    db.table("t").put("r4", {"f:n": b"four!"})
    with pytest.raises(InvalidArgument, match=r"row 'r4', column 'f:n'.*four!"):
        scan_polars(source).select("n").collect()
    nulls = Source(db, "t", SCHEMA, on_error="null")
    assert scan_polars(nulls).filter(pl.col("n").is_null()).select("row").collect().item() == "r4"


def _filled(db: rs.Database) -> Source:
    """A table of ten rows in two regions."""
    db.create_table("t", ["f"], splits=["r5"])
    rows = pl.DataFrame({"row": [f"r{number}" for number in range(10)], "n": pl.Series(range(10), dtype=pl.Int32)})
    assert Sink(db, "t", SCHEMA).write(rows.to_arrow().to_batches()) == 10
    return Source(db, "t", SCHEMA)
