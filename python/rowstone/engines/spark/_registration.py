"""Registration of the format with a Spark session."""

from __future__ import annotations

import re
from typing import Any

from rowstone._base.lazy import SPARK
from rowstone.engines.spark._format import Format
from rowstone.errors import UnsupportedOperation

FIRST_VERSION = (4, 1)
"""The first version of Spark in which streams are written in Arrow batches, and filters can be passed to a source."""


def register(spark: Any) -> None:
    """Add the format ``rowstone`` to a `pyspark.sql.SparkSession`.

    The workers of the session need Rowstone and pyarrow. A second call does nothing more.

    Raises:
        ImportError: PySpark is missing. UnsupportedOperation: Spark is older than 4.1;
            nothing is registered.
    """
    version = SPARK.module("pyspark").__version__
    for one in (version, spark.version):
        if _number(one) < FIRST_VERSION:
            first = ".".join(map(str, FIRST_VERSION))
            raise UnsupportedOperation(
                f"Spark {one} is not supported: the format 'rowstone' needs Spark {first} or newer; an older one can "
                "read exported Parquet files (rowstone.jobs.export_table)"
            )
    spark.dataSource.register(SPARK.derive(Format, "DataSource"))


def _number(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))
