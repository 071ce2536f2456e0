"""Spark writes tables: every cell once, also when tasks fail or their workers die, and regions split meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import RowSchema
from rowstone.engines import spark as rowstone_spark
from tests.engines.clusters import functions
from tests.engines.clusters.conftest import COUNT
from tests.engines.clusters.test_spark import read
from tests.engines.sample import SCHEMA, cells, records, rows_of, same

pytestmark = pytest.mark.filterwarnings("default")
CELLS = sum(value is not None for one in records(COUNT) for name, value in one.items() if name != "row")


def write(frame: Any, url: str, table: str = "copy", schema: RowSchema = SCHEMA, **options: Any) -> None:
    given = rowstone_spark.options(url, table, schema, **options)
    frame.write.format("rowstone").options(**given).mode("append").save()


def passed_through(frame: Any, happens: Callable[[], None], folder: Path) -> Any:
    """The frame through a function in which something happens once."""
    return frame.mapInArrow(functions.at_row(happens, str(folder)), frame.schema)


@pytest.mark.parametrize("happens", [functions.fail, functions.kill])
def test_a_task_that_runs_again_writes_no_cell_twice(
    spark: Any, db: rs.Database, url: str, tmp_path: Path, happens: Callable[[], None]
) -> None:
    """The task has written half of its rows before it fails, or its worker dies."""
    write(passed_through(read(spark, url), happens, tmp_path), url)
    assert (tmp_path / "happened").exists()
    same(rows_of(db.table("copy")), records(COUNT))
    assert len(cells(db.table("copy"))) == CELLS


def test_a_region_splits_while_tasks_read_and_write(spark: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    """Regions of both tables split: of the source, the one that is being read and one that is not yet."""
    file = tmp_path / "split"

    def split() -> None:
        end = time.monotonic() + 60
        while not file.with_suffix(".waits").exists() and time.monotonic() < end:
            time.sleep(0.02)
        for table, row in [("t", "r00075"), ("t", "r00175"), ("copy", "r00100")]:
            db.admin.regions.split(table, row)
        file.touch()

    splitting = threading.Thread(target=split)
    splitting.start()
    write(passed_through(read(spark, url), functions.wait_for(str(file)), tmp_path), url)
    splitting.join()
    assert (len(db.admin.regions.list("t")), len(db.admin.regions.list("copy"))) == (6, 2)
    same(rows_of(db.table("copy")), records(COUNT))


def test_all_cells_of_a_write_have_one_timestamp(spark: Any, db: rs.Database, url: str) -> None:
    write(read(spark, url), url)
    write(read(spark, url).where("row < 'r00005'"), url, timestamp=12_345)
    stamps = {cell[3] for cell in cells(db.table("copy"))}
    assert len(stamps) == 2
    assert 12_345 in stamps


def test_spark_deletes_rows_and_columns(spark: Any, db: rs.Database, url: str) -> None:
    old = read(spark, url).where("age > 50")
    write(old.select("row"), url, "t", mode="delete")
    left = [one for one in records(COUNT) if (one["age"] or 0) <= 50]
    same(rows_of(db.table("t")), left)
    write(read(spark, url).select("row", "town"), url, "t", mode="delete")
    same(rows_of(db.table("t")), [{**one, "town": None} for one in left])


def test_increments_are_added_once(spark: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    """Rows of several tasks add to the same counter; one task fails after half of its rows."""
    frame = passed_through(read(spark, url), functions.fail, tmp_path)
    counters = frame.where("town is not null").selectExpr("town as row", "visits")
    for _ in range(2):
        write(counters, url, mode="increment")
    wanted: dict[str, int] = {}
    for one in records(COUNT):
        if one["town"]:
            wanted[one["town"]] = wanted.get(one["town"], 0) + 2 * one["visits"]
    assert {row.key.decode(): int.from_bytes(row["f:visits"]) for row in db.table("copy").scan()} == wanted


def test_a_stream_is_written(spark: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    """Two micro-batches; the same stream started again writes nothing."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name, line in [("a", '{"row": "x", "visits": 1}'), ("b", '{"row": "y", "visits": 2}')]:
        (folder / f"{name}.json").write_text(line + "\n")
    for _ in range(2):
        rows = spark.readStream.schema("row string, visits bigint").option("maxFilesPerTrigger", 1).json(str(folder))
        given = rowstone_spark.options(url, "copy", SCHEMA)
        writer = rows.writeStream.format("rowstone").options(**given)
        query = writer.option("checkpointLocation", str(tmp_path / "state")).trigger(availableNow=True).start()
        query.awaitTermination(60)
        assert query.exception() is None
    found = {(row, value) for row, _, value, _ in cells(db.table("copy"))}
    assert found == {(b"x", (1).to_bytes(8)), (b"y", (2).to_bytes(8))}
    assert len(cells(db.table("copy"))) == 2
    assert len({cell[3] for cell in cells(db.table("copy"))}) == 2, "each micro-batch has a timestamp of its own"


def test_writes_that_are_refused(spark: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    frame = read(spark, url)
    given = rowstone_spark.options(url, "copy", SCHEMA)
    with pytest.raises(Exception, match="table 'copy' is not truncated: use mode 'append'"):
        frame.write.format("rowstone").options(**given).mode("overwrite").save()
    with pytest.raises(Exception, match="is a directory, which one process opens for writing"):
        write(frame, str(tmp_path / "db"))
    with pytest.raises(Exception, match="no column 'years'"):
        write(frame.withColumnRenamed("age", "years"), url)
    with pytest.raises(Exception, match="mode 'upsert' is unknown"):
        write(frame, url, mode="upsert")
    stream = spark.readStream.format("rate").load().selectExpr("'r' as row", "value as visits")
    given = rowstone_spark.options(url, "copy", SCHEMA, mode="increment")
    query = stream.writeStream.format("rowstone").options(**given).option("checkpointLocation", str(tmp_path / "state"))
    with pytest.raises(Exception, match="a stream may repeat a micro-batch"):
        query.start().awaitTermination(60)
    assert rows_of(db.table("copy")) == []
