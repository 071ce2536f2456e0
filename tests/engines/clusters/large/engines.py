"""The digest of a table, as each engine reads it."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pyarrow as pa

from rowstone.engines import Source
from rowstone.engines import dask as rowstone_dask
from rowstone.engines import ray as rowstone_ray
from rowstone.engines import spark as rowstone_spark
from tests.engines.clusters.large.rows import SCHEMA, SPARK_COLUMNS, Digest, digest, total

EXECUTORS = 2
_FORM = "rows bigint, hashes string"


@contextmanager
def spark_cluster(folder: str) -> Iterator[Any]:
    """A session of a Spark with two executor processes."""
    pyspark = import_module("pyspark")
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))  # noqa: PTH120
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "768m",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.task.maxFailures": "8",
    }
    builder = import_module("pyspark.sql").SparkSession.builder.master(f"local-cluster[{EXECUTORS},1,1024]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rowstone_spark.register(session)
    yield session
    session.stop()


def write_by_spark(spark: Any, url: str, table: str, count: int, tasks: int = 16) -> None:
    """Write the rows from Spark."""
    frame = spark.range(0, count, 1, tasks).selectExpr(*SPARK_COLUMNS)
    given = rowstone_spark.options(url, table, SCHEMA)
    frame.write.format("rowstone").options(**given).mode("append").save()


def read_by_spark(spark: Any, url: str, table: str) -> Digest:
    """Read the table in Spark."""
    frame = spark.read.format("rowstone").options(**rowstone_spark.options(url, table, SCHEMA)).load()
    return total(Digest(row.rows, int(row.hashes)) for row in frame.mapInArrow(digests, _FORM).collect())


def digests(batches: Iterable[Any]) -> Iterator[Any]:
    """A batch with the digest of all."""
    yield pa.RecordBatch.from_pylist([_record(total(map(digest, batches)))])


def _record(found: Digest) -> dict[str, Any]:
    return {"rows": found.rows, "hashes": str(found.hashes)}


def read_by_ray(url: str, table: str) -> Digest:
    """Read the table in Ray Data, with two processes."""
    ray = import_module("ray")
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR", object_store_memory=512 << 20
    )
    try:
        import_module("ray.data").DataContext.get_current().enable_progress_bars = False
        dataset = rowstone_ray.from_rowstone(Source(url, table, SCHEMA))
        found = dataset.map_batches(ray_digest, batch_format="pyarrow", batch_size=None).take_all()
        return total(Digest(row["rows"], int(row["hashes"])) for row in found)
    finally:
        ray.shutdown()


def ray_digest(block: Any) -> Any:
    """A table with the digest of a block."""
    return pa.Table.from_pylist([_record(digest(block))])


def read_by_dask(url: str, table: str) -> Digest:
    """Read the table in Dask, with two processes."""
    distributed, dask = import_module("distributed"), import_module("dask")
    logging.getLogger("distributed").setLevel(logging.ERROR)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(processes=True, **options) as cluster,
        distributed.Client(cluster),
    ):
        frame = rowstone_dask.from_rowstone(Source(url, table, SCHEMA))
        return total(dask.compute(*(dask.delayed(frame_digest)(part) for part in frame.to_delayed())))


def frame_digest(part: Any) -> Digest:
    """The digest of a pandas frame."""
    return digest(pa.Table.from_pandas(part, SCHEMA.arrow(), preserve_index=False))
