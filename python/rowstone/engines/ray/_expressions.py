"""Ray's expressions as predicates.

Ray evaluates a filter as Arrow does. That differs from SQL in two places, so the predicates are written for it: a
missing value is in no list, rather than unknown; and comparisons of floats, where NaN differs, stay with Ray.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Or, Predicate
from rowstone.engines._schema import RowSchema

_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
# Arrow compares a literal of another type after a cast, which may round.
_LITERALS: tuple[tuple[Callable[[str], bool], type], ...] = (
    (lambda kind: kind.startswith(("int", "uint")), int),
    (lambda kind: kind == "string", str),
    (lambda kind: kind == "binary", bytes),
    (lambda kind: kind == "bool", bool),
    (lambda kind: kind.startswith("timestamp"), datetime.datetime),
    (lambda kind: kind.startswith("decimal"), decimal.Decimal),
)


def conjuncts(expression: Any) -> list[Any]:
    """Return the expressions that ``expression`` joins by ``&``."""
    if _operator(expression) == "and":
        return [*conjuncts(expression.left), *conjuncts(expression.right)]
    return [expression]


def _operator(expression: Any) -> str:
    """The value of Ray's ``Operation``; empty if the expression has none."""
    return str(getattr(getattr(expression, "op", None), "value", ""))


def predicate_of(expression: Any, schema: RowSchema) -> Predicate | None:
    """Return the predicate of a `ray.data.expressions.Expr`; None if Ray has to evaluate it."""
    kind, operator = type(expression).__name__, _operator(expression)
    if kind == "UnaryExpr":
        return _unary(operator, expression.operand, schema)
    if kind != "BinaryExpr":
        return None
    if operator in ("and", "or"):
        parts = [predicate_of(one, schema) for one in (expression.left, expression.right)]
        known = tuple(one for one in parts if one is not None)
        return None if len(known) < 2 else And(known) if operator == "and" else Or(known)
    if operator in _COMPARISONS:
        return _compare(_COMPARISONS[operator], expression.left, expression.right, schema)
    if operator in ("in", "not_in"):
        found = _in(expression.left, expression.right, schema)
        return found if found is None or operator == "in" else Not(found)
    return None


def _unary(name: str, operand: Any, schema: RowSchema) -> Predicate | None:
    if name == "not":
        part = predicate_of(operand, schema)
        return None if part is None else Not(part)
    column = _column(operand)
    if column is None or name not in ("is_null", "is_not_null"):
        return None
    return IsNull(column) if name == "is_null" else Not(IsNull(column))


def _compare(operator: Any, left: Any, right: Any, schema: RowSchema) -> Predicate | None:
    column, literal = _column(left), right
    if column is None:
        column, literal, operator = _column(right), left, _MIRRORED[operator]
    if column is None or type(literal).__name__ != "LiteralExpr" or not _fits(schema, column, [literal.value]):
        return None
    return Compare(column, operator, literal.value)


def _in(left: Any, right: Any, schema: RowSchema) -> Predicate | None:
    column = _column(left)
    if column is None or type(right).__name__ != "LiteralExpr" or not isinstance(right.value, (list, tuple)):
        return None
    values = [value for value in right.value if value is not None]
    if not _fits(schema, column, values):
        return None
    found = And((Not(IsNull(column)), In(column, tuple(values))))
    return Or((IsNull(column), found)) if len(values) < len(right.value) else found


def _column(expression: Any) -> str | None:
    return expression.name if type(expression).__name__ == "ColumnExpr" else None


def _fits(schema: RowSchema, column: str, values: list[Any]) -> bool:
    """Whether values have the Python type of the column, so that nothing is cast."""
    if column not in schema.names:
        return False
    kind = str(schema.field(column).arrow_type())
    return any(test(kind) and all(type(value) is wanted for value in values) for test, wanted in _LITERALS)
