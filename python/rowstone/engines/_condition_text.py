"""Predicates as text, which `_conditions.condition` reads: for engines whose options are text."""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any

from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Numeral, Or, Predicate, StartsWith
from rowstone.errors import InvalidArgument


def condition_text(predicate: Predicate) -> str:
    """Return the text of a predicate, which `condition` reads.

    Raises:
        InvalidArgument: It has a condition of an engine (`Opaque`), or a value without a literal.
    """
    match predicate:
        case Compare(column, operator, value):
            return f"{_quoted(column)} {operator} {_literal_text(value)}"
        case In(column, values):
            name = _quoted(column)
            # An empty list is false, also for nulls.
            return (
                f"{name} in ({', '.join(map(_literal_text, values))})"
                if values
                else f"({name} is null) and ({name} is not null)"
            )
        case StartsWith(column, prefix):
            return f"startswith({_quoted(column)}, {_literal_text(prefix)})"
        case IsNull(column):
            return f"{_quoted(column)} is null"
        case Not(part):
            return f"not ({condition_text(part)})"
        case And(()):
            return "true"
        case Or(()):
            return "false"
        case And(parts) | Or(parts):
            word = " and " if isinstance(predicate, And) else " or "
            return word.join(f"({condition_text(part)})" for part in parts)
    raise InvalidArgument(f"the condition {predicate!r} has no text")


def _quoted(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


def _literal_text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, datetime.datetime) and not getattr(value, "nanosecond", 0):
        return f"timestamp '{value.isoformat()}'"
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return f"date '{value.isoformat()}'"
    if isinstance(value, decimal.Decimal):
        return f"decimal '{value}'"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float '{value}'"
    if isinstance(value, Numeral):
        return value.text
    if isinstance(value, int | float):
        return repr(value)
    raise InvalidArgument(f"the value {value!r} has no literal")
