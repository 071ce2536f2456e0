"""Expressions over rows: tests combined with ``&``, ``|`` and ``~``, compiled to equivalent filters.

A test applies to the row key, to a column of the row, or to each cell. HBase has filters for all three, but cannot
combine all of them; `Expression.to_filter` reports what it cannot express. The rules and their reasons:

* In a list all of which must pass, tests of columns come before tests of cells: a later filter does not see the cells
  that an earlier one leaves out, and would take the column as missing.
* A test of a column and a test of cells cannot be combined with ``|``: the first decides on the row only after its
  cells were returned.
* A test of the family cannot be combined with a test of a column: it skips families, possibly the column's.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.filters._base import Convertible, Filter, FilterList, ListOperator
from rowstone.filters._rows import SingleColumnValueExcludeFilter, SingleColumnValueFilter

Selection = Sequence[tuple[bytes, Sequence[bytes] | None]] | None
"""The columns that are read, as pairs (family, qualifiers or None for the whole family); None is everything."""

ColumnName = tuple[bytes, bytes]


class Expression(Convertible):
    """A condition on rows or cells, for ``filter=``. Created by comparing `column`, `row`, `value` and so on."""

    def __and__(self, other: Expression) -> Expression:
        return _Join("&", (*_parts("&", self), *_parts("&", _checked(other))))

    def __or__(self, other: Expression) -> Expression:
        return _Join("|", (*_parts("|", self), *_parts("|", _checked(other))))

    @abstractmethod
    def __invert__(self) -> Expression:
        """The negated expression."""

    def __bool__(self) -> bool:
        raise InvalidArgument("an expression is neither true nor false: join comparisons in parentheses with & and |")

    def to_filter(self) -> Filter:
        """Convert the expression to HBase's filters, for reads of every column.

        Raises:
            UnsupportedOperation: HBase's filters cannot express it; the message names the reason.
        """
        return self._compile(None)[0]

    def _compile(self, selection: Selection) -> tuple[Filter, list[ColumnName]]:
        """Return the filter for a read of those columns, and the additional columns that must be read for it."""
        kinds = {test.kind for test in self._tests()}
        if {"family", "column"} <= kinds:
            raise UnsupportedOperation(
                "a test of the family cannot be joined with one of a column; choose families by columns= of the read"
            )
        self._rank()
        tested = [test.column for test in self._tests() if test.column is not None]
        hidden = {name for name in tested if not _covers(selection, name)}
        return self._filter(hidden), sorted(hidden)

    @abstractmethod
    def _tests(self) -> Iterator[Test]:
        """All tests in it."""

    @abstractmethod
    def _rank(self) -> str:
        """Return the scope of the decision: "key", "row" or "cell", or "both" for rows and cells."""

    @abstractmethod
    def _filter(self, hidden: set[ColumnName]) -> Filter:
        """Return the filter, given the columns that must not be returned."""


@dataclass(frozen=True, eq=False)
class Test(Expression):
    """One comparison: a filter, and the filter for its opposite."""

    kind: str
    """"key", "column", "value", "qualifier" or "family"."""
    positive: Filter
    negative: Filter
    text: str
    negative_text: str
    column: ColumnName | None = None

    # Pytest would collect a class of this name.
    __test__ = False

    def __invert__(self) -> Expression:
        return Test(self.kind, self.negative, self.positive, self.negative_text, self.text, self.column)

    def __repr__(self) -> str:
        return self.text

    def _tests(self) -> Iterator[Test]:
        yield self

    def _rank(self) -> str:
        return {"key": "key", "column": "row"}.get(self.kind, "cell")

    def _filter(self, hidden: set[ColumnName]) -> Filter:
        if self.column in hidden:
            found = self.positive
            assert isinstance(found, SingleColumnValueFilter)
            return SingleColumnValueExcludeFilter(
                found.family, found.qualifier, found.operator, found.comparator, found.filter_if_missing
            )
        return self.positive


@dataclass(frozen=True, eq=False)
class _Join(Expression):
    """Expressions joined by "&" or "|"."""

    sign: str
    parts: tuple[Expression, ...]

    def __invert__(self) -> Expression:
        return _Join("|" if self.sign == "&" else "&", tuple(~part for part in self.parts))

    def __repr__(self) -> str:
        return f" {self.sign} ".join(f"({part!r})" for part in self.parts)

    def _tests(self) -> Iterator[Test]:
        for part in self.parts:
            yield from part._tests()

    def _rank(self) -> str:
        ranks = {part._rank() for part in self.parts}
        rows, cells = bool(ranks & {"row", "both"}), bool(ranks & {"cell", "both"})
        if self.sign == "|" and rows and cells:
            raise UnsupportedOperation(f"HBase cannot join a test of a column and one of cells by |: {self!r}")
        if rows and cells:
            return "both"
        return "row" if rows else "cell" if cells else "key"

    def _filter(self, hidden: set[ColumnName]) -> Filter:
        order = ["key", "row", "both", "cell"]
        parts = sorted(self.parts, key=lambda part: order.index(part._rank())) if self.sign == "&" else self.parts
        operator: ListOperator = "MUST_PASS_ALL" if self.sign == "&" else "MUST_PASS_ONE"
        return FilterList(operator, tuple(part._filter(hidden) for part in parts))


def _parts(sign: str, expression: Expression) -> tuple[Expression, ...]:
    is_same = isinstance(expression, _Join) and expression.sign == sign
    return expression.parts if isinstance(expression, _Join) and is_same else (expression,)


def _checked(other: object) -> Expression:
    if not isinstance(other, Expression):
        raise InvalidArgument(f"an expression can be joined with an expression only, not with {type(other).__name__}")
    return other


def any_of(expressions: Sequence[Expression]) -> Expression:
    """Combine expressions so that one of them must hold."""
    if not expressions:
        raise InvalidArgument("no values: nothing would pass")
    return expressions[0] if len(expressions) == 1 else _Join("|", tuple(expressions))


def _covers(selection: Selection, column: ColumnName) -> bool:
    if selection is None:
        return True
    chosen = dict(selection)
    qualifiers = chosen.get(column[0], ())
    return qualifiers is None or column[1] in qualifiers
