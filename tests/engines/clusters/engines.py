"""The engines that run in processes of their own: Spark and Ray, with conditions of Rowstone and with their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from importlib import import_module
from typing import Any

from rowstone.engines import Predicate, Source
from rowstone.engines import ray as rowstone_ray
from rowstone.engines import spark as rowstone_spark
from tests.engines.clusters.expressions import to_ray, to_spark
from tests.engines.in_process import filter_by_arrow
from tests.engines.judge import Engine, Rows

_NUMBER = "number of the predicate"
_Predicates = Sequence[Predicate]


def by_spark(frames_of: Callable[[Any, Source, _Predicates], list[Any]]) -> Callable[[Source, _Predicates], list[Rows]]:
    """Return the function of an `Engine`. All predicates are one query: each costs Spark much more than its rows."""

    def read(source: Source, wanted: _Predicates) -> list[Rows]:
        spark = import_module("pyspark.sql").SparkSession.active()
        number = import_module("pyspark.sql.functions").lit
        frames = frames_of(spark, source, wanted)
        numbered = [frame.withColumn(_NUMBER, number(place)) for place, frame in enumerate(frames)]
        table = reduce(lambda whole, one: whole.union(one), numbered).toArrow()
        numbers, records = table.column(_NUMBER).to_pylist(), table.drop([_NUMBER]).cast(source.schema.arrow())
        found: list[list[Any]] = [[] for _ in wanted]
        for place, record in zip(numbers, records.to_pylist(), strict=True):
            found[place].append(record)
        return list(found)

    return read


def _load(spark: Any, source: Source, **more: Any) -> Any:
    given = rowstone_spark.options(source._address.target, source.table, source.schema, **more)
    return spark.read.format("rowstone").options(**given).load()


def spark_where(spark: Any, source: Source, wanted: _Predicates) -> list[Any]:
    """Frames with the option ``where``."""
    return [_load(spark, source, where=predicate) for predicate in wanted]


def spark_filter(spark: Any, source: Source, wanted: _Predicates) -> list[Any]:
    """Filters of Spark on one frame."""
    frame = _load(spark, source)
    return [frame.filter(to_spark(predicate, source.schema)) for predicate in wanted]


def spark_pushdown(spark: Any, source: Source, wanted: _Predicates) -> list[Any]:
    """Frames for one query each, to which Spark passes the query's filters."""
    return [_load(spark, source, pushdown=True).filter(to_spark(predicate, source.schema)) for predicate in wanted]


def read_by_ray_where(source: Source, wanted: _Predicates) -> Iterator[Rows]:
    """The rows of datasets with a condition."""
    for predicate in wanted:
        yield rowstone_ray.from_rowstone(source, where=predicate).take_all()


def read_by_ray_filter(source: Source, wanted: _Predicates) -> Iterator[Rows]:
    """The rows of datasets with a filter of Ray."""
    for predicate in wanted:
        yield rowstone_ray.from_rowstone(source).filter(expr=to_ray(predicate)).take_all()


ENGINES = {
    "spark where": Engine(by_spark(spark_where)),
    "spark filter": Engine(by_spark(spark_filter)),
    "spark pushdown": Engine(by_spark(spark_pushdown)),
    "ray where": Engine(read_by_ray_where),
    "ray filter": Engine(read_by_ray_filter, filter_by_arrow, is_sql=False),
}
