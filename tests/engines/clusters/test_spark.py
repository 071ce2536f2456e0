"""Spark reads tables as the row API does, with filters and columns pushed down; and says what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, RowSchema
from rowstone.engines import spark as rowstone_spark
from tests.engines.clusters.conftest import COUNT
from tests.engines.sample import SCHEMA, records, rows_of, same

# Warnings of Spark and pandas are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")


def read(spark: Any, url: str, table: str = "t", schema: RowSchema | None = SCHEMA, **options: Any) -> Any:
    given = rowstone_spark.options(url, table, schema, **options)
    return spark.read.format("rowstone").options(**given).load()


def listed(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict() for row in frame.collect()]


def executed(frame: Any) -> str:
    """The plan that Spark runs."""
    return str(frame._jdf.queryExecution().executedPlan().toString())


CONDITIONS = [
    "row = 'r00017'",
    "row >= 'r00100' and row < 'r00120'",
    "row like 'r0001%' or row in ('r00001', 'r00199', 'x')",
    "age > 60 or not (town = 'Rome' or visits between 2 and 7)",
    "town not in ('Bern', 'Ølby')",
    "score > 20",
    "age is null and town = 'Bern'",
    "row < 'a'",
]
FILTERS = {
    "row >= 'r00100' and row < 'r00120' and visits <> 3": True,
    "town not in ('Bern', 'Ølby') and not (age <=> 5)": True,
    "score = double('NaN') and row like 'r%' and age is not null": True,
    "age > 60 or town = 'Rome'": False,
    "town like '%m%' and age > 5": False,
}
"""Conditions, and whether Rowstone evaluates all of them."""


def test_the_rows_are_those_of_the_row_api(spark: Any, db: rs.Database, url: str) -> None:
    """Spark evaluates the same conditions on rows of its own. The option and the filters of Spark agree with it."""
    rows = rows_of(db.table("t"))
    struct = "row string, age int, town string, score double, visits bigint"
    own = spark.createDataFrame([list(row.values()) for row in rows], struct).coalesce(1)
    tests = [*CONDITIONS, *FILTERS]
    holds = own.selectExpr("row", *(f"({condition}) AS `{n}`" for n, condition in enumerate(tests))).collect()
    for n, condition in enumerate(tests):
        wanted = {one["row"] for one in holds if one[str(n)]}
        assert wanted or condition == "row < 'a'"
        if condition in FILTERS:
            found = read(spark, url, pushdown=True).where(condition)
            assert ("Filter " not in executed(found)) is FILTERS[condition], condition
        else:
            found = read(spark, url, where=condition)
        same(listed(found), [row for row in rows if row["row"] in wanted])


def test_one_frame_for_several_queries(spark: Any, url: str) -> None:
    """Regression: with filters passed on, Spark reuses the partitions of another query on the same frame."""
    frame = read(spark, url)
    first, last = frame.where("row < 'r00002'"), frame.where("row >= 'r00198'")
    assert sorted(row.row for row in first.union(last).collect()) == ["r00000", "r00001", "r00198", "r00199"]
    assert frame.count() == COUNT
    filtered = read(spark, url, pushdown=True)
    assert filtered.where("row < 'r00002'").count() == 2
    # If this is COUNT, Spark is repaired, and `pushdown` can be the default.
    assert filtered.count() == 2


def test_a_partition_for_each_region_that_is_needed(spark: Any, url: str) -> None:
    assert read(spark, url).rdd.getNumPartitions() == 4
    assert read(spark, url, where=Compare("row", "<", "r00080")).rdd.getNumPartitions() == 2


def test_columns_of_a_read(spark: Any, url: str) -> None:
    frame = read(spark, url, columns=["visits", "row"])
    assert frame.columns == ["visits", "row"]
    assert frame.count() == COUNT
    given = spark.read.format("rowstone").options(url=url).schema("row string, `f:age` bigint").load("t")
    assert given.dtypes == [("row", "string"), ("f:age", "bigint")]
    assert {row["f:age"] for row in given.collect()} == {one["age"] for one in records(COUNT)}


def test_a_view_in_sql(spark: Any, url: str) -> None:
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW viewed USING rowstone OPTIONS (url '{url}', table 't')")
    counted = spark.sql("SELECT `f:town` AS town, count(*) AS n FROM viewed WHERE row >= 'r00100' GROUP BY `f:town`")
    wanted: dict[Any, int] = {}
    for one in records(COUNT)[100:]:
        wanted[one["town"]] = wanted.get(one["town"], 0) + 1
    assert {row.town: row.n for row in counted.collect()} == wanted


def test_a_directory_is_read_by_all_tasks(spark: Any, db: rs.Database) -> None:
    """Also while this process writes to it."""
    db.table("t").put("r00000", {"f:town": "Paris"})
    found = listed(read(spark, str(db.path)).where("row < 'r00100'"))
    assert [one["town"] for one in found] == ["Paris", *(one["town"] for one in records(100)[1:])]


def test_columns_are_guessed_without_declared_codecs(spark: Any, db: rs.Database, url: str) -> None:
    db.table("copy").put("ann", {"f:name": "Ann", "f:age": (41).to_bytes(4)})
    db.table("copy").put("bob", {"f:name": "Bob", "f:age": (17).to_bytes(4)})
    frame = read(spark, url, "copy", None)
    assert sorted(frame.dtypes) == [("f:age", "int"), ("f:name", "string"), ("row", "string")]
    assert frame.where("`f:age` > 20").count() == 1


def test_unsigned_integers_times_and_parts_of_keys(spark: Any, db: rs.Database, url: str) -> None:
    from rowstone import keys

    key = keys.Key(keys.text("host"), keys.uint32("at"))
    kinds = {"u": ("f:u", "uint8"), "v": ("f:v", "uint64"), "w": ("f:w", "datetime"), "d": ("f:d", "decimal(12, 2)")}
    schema = RowSchema(key, kinds)
    table = db.table("copy")
    for at in (1, 3_000_000_000):
        values = {"f:u": b"\xff", "f:v": b"\xff" * 8, "f:w": (1_700_000_000_123).to_bytes(8)}
        table.put(key.encode("a", at), values)
    frame = read(spark, url, "copy", schema=schema)
    types = "host string, at bigint, u smallint, v decimal(20,0), w timestamp, d decimal(12,2)"
    assert ", ".join(" ".join(one) for one in frame.dtypes) == types
    [row] = read(
        spark, url, "copy", schema, where="host = 'a' and at > 5 and u = 255 and w > timestamp '2020-01-01T00:00:00Z'"
    ).collect()
    assert (row.at, row.v, row.w.timestamp(), row.d) == (3_000_000_000, 2**64 - 1, 1_700_000_000.123, None)


def test_values_that_do_not_decode(spark: Any, db: rs.Database, url: str) -> None:
    db.table("t").put("r00010", {"f:age": b"\x01"})
    with pytest.raises(Exception, match=r"row 'r00010'.*column 'f:age'") as caught:
        read(spark, url).where("row = 'r00010'").collect()
    assert "InvalidArgument" in str(caught.value)
    assert read(spark, url, on_error="null").where("row = 'r00010'").first()["age"] is None
    assert read(spark, url, on_error="drop").count() == COUNT - 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "hbase://127.0.0.1:1"}, "needs the options 'url' and 'table'"),
        ({"colour": "red"}, "has no option 'colour'"),
        ({"columns": "vists"}, "no column 'vists'; did you mean 'visits'"),
        ({"where": "age >"}, "needs a literal at its end"),
        ({"schema": "{"}, "is not JSON"),
        ({"key": "text('a'), nothing('b')"}, "is not a part of a key"),
    ],
)
def test_options_that_are_wrong(spark: Any, url: str, options: dict[str, str], message: str) -> None:
    given = options if "url" in options else {**rowstone_spark.options(url, "t", SCHEMA), **options}
    with pytest.raises(Exception, match=message):
        spark.read.format("rowstone").options(**given).load().collect()


def test_a_version_of_spark_that_is_too_old(monkeypatch: pytest.MonkeyPatch, spark: Any) -> None:
    monkeypatch.setattr("pyspark.__version__", "4.0.1")
    with pytest.raises(
        rs.errors.UnsupportedOperation, match=r"Spark 4\.0\.1 is not supported: .* needs Spark 4\.1 or newer"
    ):
        rowstone_spark.register(spark)


def test_a_snapshot_is_read_from_its_files(spark: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    """A partition for each region of the snapshot, and the rows of that moment. No server is asked."""
    root = tmp_path / "root"
    with rs.connect(url) as served:
        served.admin.snapshot("nightly", "t")
    db.admin.snapshots.export("nightly", root)
    db.table("t").put("r00000", {"f:town": "Paris"})
    files = f"root+file://{root}?snapshot=nightly"
    assert read(spark, files).rdd.getNumPartitions() == 4
    assert read(spark, files, where="row < 'r00050'").rdd.getNumPartitions() == 1
    same(listed(read(spark, files)), records(COUNT))
    adults = read(spark, files, where="age > 60 and town = 'Rome'")
    same(listed(adults), [one for one in records(COUNT) if (one["age"] or 0) > 60 and one["town"] == "Rome"])
    assert read(spark, files, schema=None).where("`f:age` > 60").count() > 0
