"""HBase filters of predicates on cells: the values for which a condition holds, as comparisons of bytes.

The filters let rows pass for which a condition may hold, so several conditions combine as sets of rows do. A comparison
lets no row pass without the column. Only a test for null does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from rowstone import filters
from rowstone.engines._predicate import Compare, In, IsNull, Opaque
from rowstone.engines._schema import Field, RowSchema
from rowstone.engines.planner import normal
from rowstone.engines.planner.byte_ranges import EVERYTHING, Ranges
from rowstone.engines.planner.encodings import Unknown, bytes_of, encoding_of
from rowstone.engines.planner.key_ranges import KeySolver
from rowstone.engines.planner.normal import All, Condition, Node
from rowstone.errors import InvalidArgument
from rowstone.filters import Expression
from rowstone.keys import KeyRange

MOST_TESTS = 64
"""Limit of the ranges that one condition compares with: each is compared for each row."""


@dataclass(frozen=True)
class Push:
    """A filter of rows; True if all rows pass, False if none do. ``columns`` are the tested ones.

    ``is_exact`` means that the condition holds for exactly the rows that pass.
    """

    test: Expression | bool
    is_exact: bool
    columns: frozenset[str] = frozenset()


ALL_ROWS = Push(True, False)


class CellFilters:
    """Filters for the cells of a schema. With ``has_errors`` values that do not decode count as null."""

    def __init__(self, schema: RowSchema, keys: KeySolver, *, has_errors: bool) -> None:
        self._schema = schema
        self._keys = keys
        self._has_errors = has_errors

    def push(self, node: Node) -> Push:
        """Return the filter of a predicate."""
        if self._keys.is_key_only(node):
            solution = self._keys.solve(node)
            return _compare(filters.row, solution.ranges, is_exact=not solution.left)
        if isinstance(node, Condition):
            return self._push_condition(node)
        if isinstance(node, All):
            keys = tuple(part for part in node.parts if self._keys.is_key_only(part))
            others = tuple(part for part in node.parts if not self._keys.is_key_only(part))
            found = [self.push(part) for part in (*((All(keys),) if keys else ()), *others)]
            tests = [one.test for one in found if one.test is not True]
            return _join(tests, found, is_any=False)
        found = [self.push(part) for part in node.parts]
        return _join([one.test for one in found if one.test is not False], found, is_any=True)

    def _push_condition(self, condition: Condition) -> Push:
        if isinstance(condition.leaf, Opaque) or self._schema.field(condition.leaf.column).column is None:
            return ALL_ROWS
        field = self._schema.field(condition.leaf.column)
        tested = frozenset([field.name])
        column = filters.column(field.pair)
        if isinstance(condition.leaf, IsNull):
            if condition.is_negated:
                return Push(column.exists(), not self._has_errors, tested)
            return ALL_ROWS if self._has_errors else Push(~column.exists(), True, tested)
        try:
            if field.kind.startswith("decimal("):
                return Push(self._decimals(field, condition), True, tested)
            encoding = encoding_of(field.codec)
            is_exact = encoding.is_exact and not self._has_errors
            found = _compare(column, bytes_of(encoding, condition), is_exact=is_exact)
        except Unknown:
            return Push(column.exists(), False, tested)
        # A null passes no comparison, even one that every value passes.
        return Push(column.exists() if found.test is True else found.test, found.is_exact, tested)

    def _decimals(self, field: Field, condition: Condition) -> Expression:
        """HBase compares decimals by value. Raises `Unknown`."""
        column = filters.column(field.pair, "decimal")
        if self._has_errors or condition.is_negated:
            # A value that is too short would fail the read.
            raise Unknown
        try:
            match condition.leaf:
                case Compare(_, operator, value):
                    compare = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__"}
                    test: Expression = getattr(column, compare.get(operator, "__ge__"))(value)
                    return test
                case In(_, values) if 0 < len(values) <= MOST_TESTS and None not in values:
                    return column.isin(values)
        except InvalidArgument:
            pass
        raise Unknown


def _compare(operand: filters.Column | filters.Part, ranges: Ranges, *, is_exact: bool) -> Push:
    """The rows whose key or value is in the ranges."""
    if not ranges or ranges == EVERYTHING:
        return Push(bool(ranges), is_exact)
    if len(ranges) > MOST_TESTS:
        return _compare(operand, (KeyRange(ranges[0].start, ranges[-1].stop),), is_exact=False)
    return Push(reduce(or_, (_compare_range(operand, one) for one in ranges)), is_exact)


def _compare_range(operand: filters.Column | filters.Part, one: KeyRange) -> Expression:
    if one.stop == one.start + b"\0":
        return operand == one.start
    tests = []
    if one.start:
        tests.append(operand > one.start[:-1] if one.start.endswith(b"\0") else operand >= one.start)
    if one.stop:
        tests.append(operand <= one.stop[:-1] if one.stop.endswith(b"\0") else operand < one.stop)
    return reduce(and_, tests)


def _join(tests: Sequence[Expression | bool], found: Sequence[Push], *, is_any: bool) -> Push:
    """The conjunction or the disjunction of filters; those without effect are not among ``tests``."""
    columns = frozenset(name for one in found for name in one.columns)
    is_exact = all(one.is_exact for one in found)
    # All rows pass one of several that lets all pass; none passes several of which one lets none.
    if is_any in tests:
        return Push(is_any, is_exact or not is_any, columns)
    expressions = [one for one in tests if isinstance(one, Expression)]
    if not expressions:
        return Push(not is_any, is_exact, columns)
    return Push(reduce(or_ if is_any else and_, expressions), is_exact, columns)


def implied_columns(schema: RowSchema, node: Node) -> frozenset[str]:
    """Return columns of cells one of which has a value in every row for which the predicate holds; none if unknown."""
    if isinstance(node, Condition):
        is_null = isinstance(node.leaf, IsNull) and not node.is_negated
        if isinstance(node.leaf, Opaque) or is_null or schema.field(node.leaf.column).column is None:
            return frozenset()
        return frozenset([node.leaf.column])
    found = [implied_columns(schema, part) for part in node.parts]
    if isinstance(node, normal.Any):
        return frozenset().union(*found) if all(found) else frozenset()
    return min(filter(None, found), key=len, default=frozenset())
