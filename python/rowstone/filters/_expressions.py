"""Expressions over rows: tests joined by ``&``, ``|`` and ``~``, made into filters that mean the same.

A test looks at the row key, at a column of the row, or at each cell. HBase has filters for all three, but cannot join
all of them in every way; `Expression.to_filter` says what it cannot. The rules, and why:

* Tests of columns come before tests of cells in a list all of which must pass: a cell that an earlier filter leaves
  out is not seen by a later one, which would think that the column is missing.
* A test of a column and one of cells cannot be joined by ``|``: the first decides on rows, after their cells were
  returned.
* A test of the family cannot be joined with one of a column: it jumps over families, perhaps over the column's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.filters._base import Filter
from rowstone.filters._lists import FilterList

Selection = Sequence[tuple[bytes, Sequence[bytes] | None]] | None
"""The columns that are read, as pairs (family, qualifiers or None for all of it); None is everything."""

ColumnName = tuple[bytes, bytes]


class Expression(ABC):
    """A statement about rows or cells, for ``filter=``. Made by comparing `column`, `row`, `value` and their like."""

    def __and__(self, other: Expression) -> Expression:
        return _Join("&", (*_parts("&", self), *_parts("&", _checked(other))))

    def __or__(self, other: Expression) -> Expression:
        return _Join("|", (*_parts("|", self), *_parts("|", _checked(other))))

    @abstractmethod
    def __invert__(self) -> Expression:
        """What holds where this does not."""

    def __bool__(self) -> bool:
        raise InvalidArgument("an expression is neither true nor false: join comparisons in parentheses with & and |")

    def to_filter(self) -> Filter:
        """The expression as HBase's filters, for reads of every column.

        Raises:
            UnsupportedOperation: HBase's filters cannot express it; says what.
        """
        return self._compile(None)[0]

    def _compile(self, selection: Selection) -> tuple[Filter, list[ColumnName]]:
        """The filter, for a read of those columns, and the columns that must be read for it besides."""
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
        """What it decides on: "key", "row" or "cell", or "both" rows and cells."""

    @abstractmethod
    def _filter(self, hidden: set[ColumnName]) -> Filter:
        """The filter, given the columns that shall not be returned."""


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

    # Pytest collects what is called so.
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
            from rowstone.filters._rows import SingleColumnValueExcludeFilter, SingleColumnValueFilter

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
        operator = "MUST_PASS_ALL" if self.sign == "&" else "MUST_PASS_ONE"
        return FilterList(operator, tuple(part._filter(hidden) for part in parts))


def _parts(sign: str, expression: Expression) -> tuple[Expression, ...]:
    is_same = isinstance(expression, _Join) and expression.sign == sign
    return expression.parts if isinstance(expression, _Join) and is_same else (expression,)


def _checked(other: object) -> Expression:
    if not isinstance(other, Expression):
        raise InvalidArgument(f"an expression can be joined with an expression only, not with {type(other).__name__}")
    return other


def any_of(expressions: Sequence[Expression]) -> Expression:
    """One of them holds."""
    if not expressions:
        raise InvalidArgument("no values: nothing would pass")
    return expressions[0] if len(expressions) == 1 else _Join("|", tuple(expressions))


def _covers(selection: Selection, column: ColumnName) -> bool:
    if selection is None:
        return True
    chosen = dict(selection)
    qualifiers = chosen.get(column[0], ())
    return qualifiers is None or column[1] in qualifiers
