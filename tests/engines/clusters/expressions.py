"""Predicates as expressions of Spark and of Ray."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from importlib import import_module
from operator import and_, or_
from typing import Any

from rowstone.engines import And, Compare, In, IsNull, Not, Or, Predicate, RowSchema, StartsWith
from rowstone.engines.spark._types import struct_of
from tests.engines.expressions import METHODS


def to_spark(predicate: Predicate, schema: RowSchema) -> Any:
    """Return the predicate as a column of Spark, with constants of the columns' types."""
    functions = import_module("pyspark.sql.functions")
    kinds = {field.name: field.dataType for field in struct_of(schema).fields}

    def constant(column: str, value: Any) -> Any:
        # An int reaches the JVM as a long.
        is_long = not isinstance(value, int) or -(2**63) <= value < 2**63
        return functions.lit(value if is_long else Decimal(value)).cast(kinds[column])

    def of(one: Predicate) -> Any:
        match one:
            case Compare(column, operator, value):
                return getattr(functions.col(column), METHODS[operator])(constant(column, value))
            case In(column, values):
                return functions.col(column).isin([constant(column, value) for value in values])
            case StartsWith(column, prefix):
                return functions.startswith(functions.col(column), functions.lit(prefix))
            case IsNull(column):
                return functions.col(column).isNull()
            case Not(part):
                return ~of(part)
            case And(parts):
                return reduce(and_, map(of, parts), functions.lit(True))
            case Or(parts):
                return reduce(or_, map(of, parts), functions.lit(False))
        raise TypeError(predicate)

    return of(predicate)


def to_ray(predicate: Predicate) -> Any:
    """Return the predicate as an expression of Ray."""
    expressions = import_module("ray.data.expressions")
    col, lit = expressions.col, expressions.lit

    def of(one: Predicate) -> Any:
        match one:
            case Compare(column, operator, value):
                return getattr(col(column), METHODS[operator])(value)
            case In(column, values):
                return col(column).is_in(list(values))
            case StartsWith(column, prefix):
                return col(column).str.starts_with(prefix)
            case IsNull(column):
                return col(column).is_null()
            case Not(part):
                return ~of(part)
            case And(parts):
                return reduce(and_, map(of, parts), lit(True))
            case Or(parts):
                return reduce(or_, map(of, parts), lit(False))
        raise TypeError(predicate)

    return of(predicate)
