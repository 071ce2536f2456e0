"""Common part of all filters and comparators. Native code checks and normalizes their fields."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rowstone import _native
from rowstone._base.options.words import CompareOperator
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, UnsupportedOperation

Bytes = str | bytes
ListOperator = Literal["MUST_PASS_ALL", "MUST_PASS_ONE"]
"""HBase's ``FilterList.Operator``."""

OPPOSITES: dict[CompareOperator, CompareOperator] = {
    "LESS": "GREATER_OR_EQUAL",
    "LESS_OR_EQUAL": "GREATER",
    "EQUAL": "NOT_EQUAL",
    "NOT_EQUAL": "EQUAL",
    "GREATER_OR_EQUAL": "LESS",
    "GREATER": "LESS_OR_EQUAL",
}


@dataclass(frozen=True)
class Comparator:
    """The value that a filter compares a part of a cell with. Base of the nine comparators; not for subclassing."""

    def __post_init__(self) -> None:
        for name, value in _native.comparator_fields(self).items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Filter:
    """Base of the 26 filters. Filters are values: they compare, hash, copy and pickle by their fields.

    ``a & b`` is a `FilterList` that requires both, ``a | b`` one that requires either. ``~`` negates filters that
    make a single comparison (`RowFilter`, `ValueFilter`, `QualifierFilter`, `FamilyFilter`, `SingleColumnValueFilter`).

    ``str(filter)`` is HBase's filter language for display: bytes that are not printable ASCII appear as ``\\xHH``,
    which the language cannot parse; `language` has the exact bytes. A filter that the language cannot express is shown
    by its ``repr``.
    """

    def __post_init__(self) -> None:
        for name, value in _native.filter_fields(self).items():
            object.__setattr__(self, name, value)

    def language(self) -> bytes:
        """Return the filter in HBase's filter language, as bytes, because the values in it are bytes.

        Raises:
            UnsupportedOperation: The language cannot express the filter.

        Example:
            >>> from rowstone.filters import PrefixFilter
            >>> PrefixFilter(b"it's\\x00").language()
            b"PrefixFilter('it''s\\x00')"
        """
        return _native.filter_text(self)

    def __str__(self) -> str:
        try:
            return printable(self.language())
        except UnsupportedOperation:
            return repr(self)

    def __and__(self, other: Filter | Bytes) -> Filter:
        return _join("MUST_PASS_ALL", self, other)

    def __or__(self, other: Filter | Bytes) -> Filter:
        return _join("MUST_PASS_ONE", self, other)

    def __invert__(self) -> Filter:
        raise UnsupportedOperation(f"{type(self).__name__} has no opposite among HBase's filters")

    def __bool__(self) -> bool:
        raise InvalidArgument("a filter is neither true nor false: join filters with & and |, not with and and or")


class Convertible(ABC):
    """A value that converts to a filter, such as an expression."""

    @abstractmethod
    def to_filter(self) -> Filter:
        """Return the filter."""


def as_filter(what: Any) -> Filter:
    """Convert an expression or a text to a filter; return a filter as it is."""
    if isinstance(what, Filter):
        return what
    if isinstance(what, Convertible):
        return what.to_filter()
    return parse(what)


def parse(text: Bytes) -> Filter:
    """Parse a text in HBase's filter language.

    The rules are those of HBase 2.6: 19 names; ``SKIP`` and ``WHILE`` bind tighter than ``AND``, and ``AND`` than
    ``OR``; quotes are doubled.

    Raises:
        InvalidArgument: HBase's parser refuses the text.

    Example:
        >>> from rowstone.filters import parse
        >>> parse("PrefixFilter('a') AND PageFilter(5)").filters[1]
        PageFilter(page_size=5)
    """
    found = _native.parse_filter(text)
    assert isinstance(found, Filter)
    return found


def _join(operator: ListOperator, left: Filter, right: Any) -> Filter:
    parts: list[Filter] = []
    for side in (left, as_filter(right)):
        if isinstance(side, FilterList) and side.operator == operator:
            parts.extend(side.filters)
        else:
            parts.append(side)
    return FilterList(operator, tuple(parts))


@dataclass(frozen=True)
class FilterList(Filter):
    """A list of filters, applied in order: all must pass (``"MUST_PASS_ALL"``), or one (``"MUST_PASS_ONE"``).

    The order matters for filters that count: a ``PageFilter`` after another filter counts only the rows which that one
    passes.
    """

    operator: ListOperator
    filters: Sequence[Filter]

    def __post_init__(self) -> None:
        object.__setattr__(self, "filters", tuple(as_filter(part) for part in self.filters))
        super().__post_init__()


@dataclass(frozen=True)
class SkipFilter(Filter):
    """Rows all of whose cells pass the filter. In the language: ``SKIP ...``."""

    filter: Filter | Bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "filter", as_filter(self.filter))
        super().__post_init__()


@dataclass(frozen=True)
class WhileMatchFilter(Filter):
    """Cells and rows up to the first that does not pass; then the scan ends. In the language: ``WHILE ...``."""

    filter: Filter | Bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "filter", as_filter(self.filter))
        super().__post_init__()
