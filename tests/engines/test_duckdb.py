"""DuckDB and datasets of pyarrow: what is pushed down, joins, errors, the end of a query."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import (
    And,
    Compare,
    In,
    IsNull,
    Not,
    Opaque,
    RowSchema,
    Sink,
    Source,
    StartsWith,
    arrow_dataset,
    duckdb_view,
)
from rowstone.engines.arrow import translate

duckdb = pytest.importorskip("duckdb")
pa: Any = pytest.importorskip("pyarrow")
pc: Any = pytest.importorskip("pyarrow.compute")

SCHEMA = RowSchema(
    "text", {"n": ("f:n", "int32"), "x": ("f:x", "float64"), "data": ("f:data", "bytes"), "town": ("f:town", "text")}
)


@pytest.fixture
def source(db: rs.Database) -> Source:
    """A table of ten rows in two regions."""
    db.create_table("t", ["f"], splits=["r5"])
    columns = {
        "row": [f"r{number}" for number in range(10)],
        "n": pa.array(range(10), "int32"),
        "x": [None, float("nan"), *(number / 2 for number in range(8))],
        "data": [bytes([250 + number % 6]) for number in range(10)],
        "town": ["Oslo", "Bern"] * 5,
    }
    Sink(db, "t", SCHEMA).write(pa.table(columns).to_batches())
    return Source(db, "t", SCHEMA)


@pytest.fixture
def connection(source: Source) -> Iterator[Any]:
    """A connection with the table as the view `t`."""
    with duckdb.connect() as opened:
        duckdb_view(opened, "t", source)
        yield opened


def rows_read(db: rs.Database, connection: Any, query: str) -> tuple[list[Any], int]:
    """The answer to a query, and the number of rows that the store returned for it."""
    before = db.admin.metrics.stats()["read_requests"]
    found = connection.execute(query).fetchall()
    return found, db.admin.metrics.stats()["read_requests"] - before


def test_only_ranges_are_read(db: rs.Database, connection: Any) -> None:
    assert rows_read(db, connection, "SELECT n FROM t WHERE row = 'r7'") == ([(7,)], 1)
    assert rows_read(db, connection, "SELECT count(*) FROM t WHERE row >= 'r3' AND row < 'r6'") == ([(3,)], 3)
    assert rows_read(db, connection, "SELECT sum(n) FROM t WHERE row IN ('r1', 'r8', 'r99')") == ([(9,)], 2)
    assert rows_read(db, connection, "SELECT count(*) FROM t") == ([(10,)], 10)


def test_views_join_and_group(connection: Any) -> None:
    connection.execute(
        "CREATE TABLE towns AS SELECT * FROM (VALUES ('Oslo', 'no'), ('Bern', 'ch')) AS v(town, country)"
    )
    query = "SELECT country, sum(n) FROM t JOIN towns USING (town) WHERE row >= 'r2' GROUP BY country ORDER BY country"
    assert connection.execute(query).fetchall() == [("ch", 24), ("no", 20)]


def test_a_query_that_ends_early_leaves_no_scanner(db: rs.Database, connection: Any) -> None:
    assert connection.execute("SELECT row FROM t LIMIT 1").fetchall() == [("r0",)]
    assert db.admin.metrics.stats()["open_scanners"] == 0


def test_a_bad_value_is_named(db: rs.Database, connection: Any) -> None:
    db.table("t").put("r4", {"f:n": b"four!"})
    with pytest.raises(duckdb.Error, match=r"row 'r4', column 'f:n'.*four!"):
        connection.execute("SELECT sum(n) FROM t").fetchall()
    assert connection.execute("SELECT count(*) FROM t").fetchall() == [(10,)]


def expressions() -> list[tuple[Any, Any]]:
    """Expressions of pyarrow, with their predicates; None if pyarrow checks them alone."""
    field = pc.field
    return [
        (field("n") > 5, Compare("n", ">", 5)),
        (pc.scalar(5) > field("n"), Compare("n", "<", 5)),
        (field("n").isin([1, 2]), And((Not(IsNull("n")), In("n", (1, 2))))),
        (field("n").is_null(), IsNull("n")),
        (field("n").is_valid(), Not(IsNull("n"))),
        (pc.starts_with(field("row"), "a"), StartsWith("row", "a")),
        (pc.starts_with(field("data"), b"\xfe"), StartsWith("data", b"\xfe")),
        (~(field("n") > 5), Not(Compare("n", ">", 5))),
        (field("x") < 5.0, Compare("x", "<", 5.0)),
        # A NaN meets neither the comparison nor its opposite for pyarrow.
        (~(field("x") < 5.0), None),
        (field("n") + 1 > 5, None),
        (field("x") == float("nan"), None),
        (field("n").isin([1, None]), None),
        (field("x").is_null(nan_is_null=True), None),
    ]


@pytest.mark.parametrize("place", range(len(expressions())))
def test_expressions_of_pyarrow_have_equivalents(place: int) -> None:
    expression, expected = expressions()[place]
    found = translate(expression, SCHEMA)
    assert found == expected if expected is not None else isinstance(found, Opaque)


def test_a_dataset_projects_and_counts(source: Source) -> None:
    dataset = arrow_dataset(source)
    assert dataset.schema == SCHEMA.arrow()
    assert dataset.count_rows() == 10
    assert dataset.count_rows(filter=pc.field("x") > 2.0) == 3
    assert dataset.to_table(columns={"double": pc.field("n") * 2}, filter=pc.field("row") == "r3").to_pylist() == [
        {"double": 6}
    ]
    assert dataset.head(2, columns=["row"]).to_pylist() == [{"row": "r0"}, {"row": "r1"}]


def test_a_dataset_travels(tmp_path: Any) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.table("t").put("a", {"f:n": b"\0\0\0\1"})
        sent = pickle.dumps(arrow_dataset(Source(db, "t", SCHEMA)))
    assert pickle.loads(sent).to_table(columns=["n"]).to_pylist() == [{"n": 1}]


@pytest.mark.parametrize("name", ["filter", "get_fragments", "join", "join_asof", "replace_schema", "sort_by", "take"])
def test_a_dataset_refuses_what_reads_files(source: Source, name: str) -> None:
    """Datasets of pyarrow that are no files end the process there."""
    with pytest.raises(rs.errors.UnsupportedOperation, match=f"no {name}: use to_table"):
        getattr(arrow_dataset(source), name)("n")


def test_lists_of_rounded_values_are_checked_by_pyarrow(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    schema = RowSchema("text", {"x": ("f:x", "float32"), "n": ("f:n", "int32")})
    rows = pa.table({"row": ["a"], "x": pa.array([0.1], "float32"), "n": pa.array([1], "int32")})
    Sink(db, "t", schema).write(rows.to_batches())
    dataset = arrow_dataset(Source(db, "t", schema))
    assert dataset.count_rows(filter=pc.field("x").isin([0.1])) == 1
    assert isinstance(translate(pc.field("n").isin([1.5]), schema), Opaque)
    assert translate(pc.field("n").isin([1]), schema) == And((Not(IsNull("n")), In("n", (1,))))


def test_times_are_fetched_as_datetimes(db: rs.Database) -> None:
    """Regression: the extra lacked pytz, which DuckDB imports for them."""
    pytest.importorskip("pytz")
    db.create_table("t", ["f"])
    db.table("t").put("r", {"f:at": bytes(8)})
    [(_, at)] = db.table("t").scan().duckdb(codecs={"f:at": "datetime"}).fetchall()
    assert at == datetime(1970, 1, 1, tzinfo=UTC)
