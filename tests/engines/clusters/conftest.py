"""A Spark session, a Ray, and a served database with a table. They need `requirements-engines.txt` and Java 17."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from tests.engines.sample import fill

ROOT = Path(__file__).parents[3]
COUNT = 200


@pytest.fixture(autouse=True, scope="session")
def paths() -> None:
    """Workers are new processes: they find Rowstone and the tests as this process does."""
    folders = [str(Path(__file__).parent / "workers"), str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session with two threads; a task may fail three times."""
    session = import_module("pyspark.sql").SparkSession
    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.python.filterPushdown.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder}",
    }
    builder = session.builder.master("local[2,4]").appName("tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    import_module("rowstone.engines.spark").register(spark)
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def ray() -> Iterator[Any]:
    """A Ray of two processes."""
    ray = import_module("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    context = import_module("ray.data").DataContext.get_current()
    context.enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[rs.Database]:
    """A directory with table ``t`` of four regions, and an empty table ``copy``."""
    with rs.connect(tmp_path / "db") as db:
        fill(db, "t", COUNT)
        db.create_table("copy", {"f": rs.Family(max_versions=3)})
        yield db


@pytest.fixture
def url(db: rs.Database) -> Iterator[str]:
    """The URL of a server of it."""
    with rs.serve(db, port=0, zk_port=None) as server:
        yield server.url
