"""Residues applied to record batches, with the logic of `Predicate.matches`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Opaque, Or, Predicate, StartsWith

_FUNCTIONS = {"==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}


class _Slow(Exception):
    """Arrow would compare these values in another way than Python, or not at all."""


def keep(batch: Any, residue: Predicate) -> Any:
    """Return the rows of a `pyarrow.RecordBatch` for which the residue holds. Opaque conditions count as true."""
    wanted = _possible(residue, True)
    if wanted is None:
        return batch
    try:
        return batch.filter(_Masks(batch).mask(wanted))
    except _Slow:
        holds = [wanted.matches(record) is True for record in batch.to_pylist()]
        return batch.filter(import_optional("pyarrow", "reading a Source", "arrow").array(holds, "bool"))


def _possible(predicate: Predicate, wanted: bool) -> Predicate | None:
    """A condition that can be checked here, met by all records that may meet the predicate; None if all may.

    With ``wanted`` false, by all records that may fail it: then the result is to be negated.
    """
    match predicate:
        case Opaque():
            return None
        case Not(part):
            found = _possible(part, not wanted)
            return None if found is None else Not(found)
        case And(parts) | Or(parts):
            found_parts = [_possible(part, wanted) for part in parts]
            known = tuple(part for part in found_parts if part is not None)
            is_and = isinstance(predicate, And)
            if is_and is wanted:
                # The other parts restrict the records further.
                return None if parts and not known else type(predicate)(known)
            return type(predicate)(known) if len(known) == len(parts) else None
    return predicate


class _Masks:
    """Arrow's booleans of predicates, null where they are unknown."""

    def __init__(self, batch: Any) -> None:
        self._pyarrow = import_optional("pyarrow", "reading a Source", "arrow")
        self._compute = import_optional("pyarrow.compute", "reading a Source", "arrow")
        self._batch = batch

    def mask(self, predicate: Predicate) -> Any:
        """Return the booleans. Raises `_Slow`."""
        match predicate:
            case And(parts) | Or(parts) if parts:
                join = self._compute.and_kleene if isinstance(predicate, And) else self._compute.or_kleene
                return reduce(join, map(self.mask, parts))
            case Not(part):
                return self._compute.invert(self.mask(part))
            case IsNull(column):
                return self._batch.column(column).is_null()
            case Compare(column, operator, value):
                values = self._batch.column(column)
                return self._compare(values, operator, self._scalar(values.type, value))
            case In(column, options):
                return self._is_in(self._batch.column(column), options)
            case StartsWith(column, prefix):
                values = self._batch.column(column)
                return self._compute.starts_with(values, self._scalar(values.type, prefix).as_py())
        raise _Slow

    def _compare(self, values: Any, operator: str, scalar: Any) -> Any:
        found = self._compute.call_function(_FUNCTIONS[operator], [values, scalar])
        if operator in (">", ">=") and self._pyarrow.types.is_floating(values.type):
            # NaN is greater than every other number. For Arrow the comparison is false.
            return self._compute.or_kleene(found, self._compute.is_nan(values))
        return found

    def _is_in(self, values: Any, options: Sequence[Any]) -> Any:
        scalars = [self._scalar(values.type, one) for one in options if one is not None]
        if not scalars or self._pyarrow.types.is_floating(values.type):
            raise _Slow
        found = self._compute.is_in(values, value_set=self._pyarrow.array(scalars, values.type))
        # A null is unknown, and so is a value that differs from all others if a null is among them.
        is_known = found if None in options else values.is_valid()
        return self._compute.if_else(is_known, found, None)

    def _scalar(self, kind: Any, value: Any) -> Any:
        """Return a value for a comparison with a column. Raises `_Slow` unless Arrow compares them as Python does."""
        types = self._pyarrow.types
        if isinstance(value, bool):
            is_same = types.is_boolean(kind)
        elif isinstance(value, int):
            is_same = types.is_integer(kind)
        elif isinstance(value, float):
            # NaN is left to Python.
            is_same, kind = types.is_floating(kind) and value == value, self._pyarrow.float64()
        elif isinstance(value, datetime):
            is_whole = value.microsecond % 1000 == 0 and not getattr(value, "nanosecond", 0)
            is_same = types.is_timestamp(kind) and value.utcoffset() is not None and is_whole
        else:
            is_same = (str(kind), type(value)) in (("string", str), ("binary", bytes))
        if not is_same:
            raise _Slow
        try:
            return self._pyarrow.scalar(value, kind)
        except (OverflowError, UnicodeEncodeError, self._pyarrow.ArrowInvalid):
            raise _Slow from None
