"""Spark's filters as predicates, which have Spark's logic of nulls and NaN.

Spark passes the conjuncts of a query that compare one column with literals. It evaluates all others itself, such as
disjunctions and expressions over two columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Predicate, StartsWith


def predicate_of(filter: Any) -> Predicate | None:
    """The predicate of a filter of `pyspark.sql.datasource`; None if Spark has to evaluate it."""
    kind = type(filter).__name__
    if kind == "Not":
        child = predicate_of(filter.child)
        return None if child is None else Not(child)
    convert = _CONVERSIONS.get(kind)
    if convert is None or len(filter.attribute) != 1:
        return None
    return convert(filter.attribute[0], getattr(filter, "value", None))


def _null_safe(column: str, value: Any) -> Predicate:
    """Equality that is false, not NULL, on a missing value."""
    if value is None:
        return IsNull(column)
    return And((Not(IsNull(column)), Compare(column, "==", value)))


_CONVERSIONS: dict[str, Callable[[str, Any], Predicate]] = {
    "EqualTo": lambda column, value: Compare(column, "==", value),
    "EqualNullSafe": _null_safe,
    "GreaterThan": lambda column, value: Compare(column, ">", value),
    "GreaterThanOrEqual": lambda column, value: Compare(column, ">=", value),
    "LessThan": lambda column, value: Compare(column, "<", value),
    "LessThanOrEqual": lambda column, value: Compare(column, "<=", value),
    "In": In,
    "IsNull": lambda column, _: IsNull(column),
    "IsNotNull": lambda column, _: Not(IsNull(column)),
    "StringStartsWith": StartsWith,
}
