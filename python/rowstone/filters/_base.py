"""Common part of all filters and comparators. Native code checks and normalises their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, UnsupportedOperation

Bytes = str | bytes

OPPOSITES = {
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


def as_filter(what: Any) -> Filter:
    """Convert an expression or a text to a filter; return a filter as it is."""
    from rowstone.filters._expressions import Expression

    if isinstance(what, Filter):
        return what
    if isinstance(what, Expression):
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


def _join(operator: str, left: Filter, right: Any) -> Filter:
    from rowstone.filters._lists import FilterList

    parts: list[Filter] = []
    for side in (left, as_filter(right)):
        if isinstance(side, FilterList) and side.operator == operator:
            parts.extend(side.filters)
        else:
            parts.append(side)
    return FilterList(operator, tuple(parts))
