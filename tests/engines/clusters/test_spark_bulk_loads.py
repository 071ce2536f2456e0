"""Spark bulk loads a table: every cell once, also when tasks fail or their workers die, and regions split meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import hfile
from tests.engines.clusters import functions
from tests.engines.clusters.conftest import COUNT
from tests.engines.clusters.test_spark import read
from tests.engines.clusters.test_spark_writes import CELLS, passed_through, write
from tests.engines.sample import cells, records, rows_of, same

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def staging(tmp_path: Path) -> Path:
    """A folder for the files, which is empty after every write."""
    (tmp_path / "staging").mkdir()
    return tmp_path / "staging"


@pytest.fixture
def url(db: rs.Database, staging: Path) -> Iterator[str]:
    """The URL of a server that accepts bulk loads from there."""
    with rs.serve(db, port=0, zk_port=None, bulk_load_staging_dir=staging) as server:
        yield server.url


def loaded_files(db: rs.Database, table: str = "copy") -> list[str]:
    return [one.path for one in db.admin.tables.store_files(table) if "_SeqId_" in one.path]


def test_rows_arrive_as_files_in_the_format_of_the_family(spark: Any, db: rs.Database, url: str, staging: Path) -> None:
    """Nothing is in the memory of the table, and all cells have one timestamp."""
    form = rs.Family(compression="GZ", data_block_encoding="FAST_DIFF", bloom_filter="ROWCOL")
    db.create_table("formed", {"f": form, "unused": {}}, splits=["r00050", "r00120"])
    write(read(spark, url), url, "formed", staging_dir=staging, timestamp=77)
    same(rows_of(db.table("formed")), records(COUNT))
    assert {cell[3] for cell in cells(db.table("formed"))} == {77}
    files = loaded_files(db, "formed")
    assert len(files) >= 3
    for path in files:
        found = hfile.describe(path)
        assert (found.compression, found.encoding, found.bloom_filter) == ("GZ", "FAST_DIFF", "ROWCOL")
    assert not list(staging.iterdir())


@pytest.mark.parametrize("happens", [functions.fail, functions.kill])
def test_a_task_that_runs_again_loads_no_cell_twice(
    spark: Any, db: rs.Database, url: str, staging: Path, tmp_path: Path, happens: Callable[[], None]
) -> None:
    write(passed_through(read(spark, url), happens, tmp_path), url, staging_dir=staging)
    assert (tmp_path / "happened").exists()
    same(rows_of(db.table("copy")), records(COUNT))
    assert len(cells(db.table("copy"))) == CELLS
    assert not list(staging.iterdir())


def test_a_region_splits_after_the_files_are_written(
    spark: Any, db: rs.Database, url: str, staging: Path, tmp_path: Path
) -> None:
    """Tasks cut their files at the regions that they find; the driver cuts those that do not fit any more."""
    file = tmp_path / "split"

    def split() -> None:
        end = time.monotonic() + 60
        while not file.with_suffix(".waits").exists() and time.monotonic() < end:
            time.sleep(0.02)
        db.admin.regions.split("copy", "r00100")
        db.admin.regions.split("copy", "r00010")
        file.touch()

    splitting = threading.Thread(target=split)
    splitting.start()
    write(passed_through(read(spark, url), functions.wait_for(str(file)), tmp_path), url, staging_dir=staging)
    splitting.join()
    assert len(db.admin.regions.list("copy")) == 3
    same(rows_of(db.table("copy")), records(COUNT))


def test_a_job_that_fails_loads_nothing(spark: Any, db: rs.Database, url: str, staging: Path) -> None:
    bad = read(spark, url).selectExpr("row", "IF(row = 'r00199', raise_error('no'), age) AS age")
    with pytest.raises(Exception, match="no"):
        write(bad, url, staging_dir=staging)
    assert not cells(db.table("copy"))
    assert not list(staging.iterdir())


def test_a_directory_is_bulk_loaded_without_a_server(spark: Any, tmp_path: Path, staging: Path) -> None:
    """Tasks only read its schema; the driver opens it for writing."""
    with rs.connect(tmp_path / "own") as own:
        own.create_table("copy", ["f"], splits=["r00100"])
    rows = spark.createDataFrame(records(COUNT), "row string, age int, town string, score double, visits bigint")
    write(rows, str(tmp_path / "own"), staging_dir=staging)
    with rs.connect(tmp_path / "own", read_only=True) as own:
        same(rows_of(own.table("copy")), records(COUNT))


def test_bulk_loads_that_are_refused(spark: Any, db: rs.Database, url: str, staging: Path, tmp_path: Path) -> None:
    frame = read(spark, url)
    with pytest.raises(Exception, match="mode 'delete' has no bulk load: leave out staging_dir"):
        write(frame, url, mode="delete", staging_dir=staging)
    with pytest.raises(Exception, match="regular files below the server's staging directory"):
        write(frame, url, staging_dir=tmp_path / "elsewhere")
    assert not cells(db.table("copy"))
    assert not list((tmp_path / "elsewhere").iterdir())
