"""Spark's base classes, joined with ours on first use: importing Rowstone needs no Spark."""

from __future__ import annotations

from functools import cache
from typing import Any

from rowstone._base.lazy import import_optional


def spark_module(name: str) -> Any:
    """Import a module of PySpark. Raises `ImportError` with the command that installs it."""
    return import_optional(name, "the format 'rowstone' of Spark", "spark")


@cache
def joined(ours: type, base: str) -> Any:
    """Return a class with the methods of ``ours`` that Spark takes for the ``base`` of `pyspark.sql.datasource`.

    Spark pickles it together with its objects; workers import only ``ours``.
    """
    parent = getattr(spark_module("pyspark.sql.datasource"), base)
    return type(f"Rowstone{base}", (ours, parent), {"__module__": __name__, "__doc__": ours.__doc__})
