"""A condition of the form, as a filter in HBase's filter language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._words import not_a

COMPARISONS = {
    "is": ("is", "=", "binary"),
    "is-not": ("is not", "!=", "binary"),
    "contains": ("contains", "=", "substring"),
    "begins": ("begins with", "=", "binaryprefix"),
    "matches": ("matches the regular expression", "=", "regexstring"),
    "less": ("is less than", "<", "binary"),
    "at-most": ("is at most", "<=", "binary"),
    "greater": ("is greater than", ">", "binary"),
    "at-least": ("is at least", ">=", "binary"),
}
"""Words, operator and comparator by the parameter ``comparison``."""


@dataclass(frozen=True)
class Condition:
    """A comparison of the newest version of a column, or of the row key, with a text.

    Attributes:
        column: ``family:qualifier``; empty for the row key.
    """

    column: str
    comparison: str
    value: str

    def __str__(self) -> str:
        r"""The filter.

        >>> print(Condition("info:name", "contains", "o'hara"))
        SingleColumnValueFilter('info', 'name', =, 'substring:o''hara', true, true)
        >>> print(Condition("", "begins", "com."))
        RowFilter(=, 'binaryprefix:com.')
        """
        _, operator, comparator = COMPARISONS[self.comparison]
        value = _quoted(f"{comparator}:{self.value}")
        if not self.column:
            return f"RowFilter({operator}, {value})"
        family, _, qualifier = self.column.partition(":")
        # A row without the column does not pass, and older versions are not compared.
        return f"SingleColumnValueFilter({_quoted(family)}, {_quoted(qualifier)}, {operator}, {value}, true, true)"


def condition_of(given: Mapping[str, str]) -> Condition | None:
    """The condition of a request; None without a column and a value. Raises `InvalidArgument` for a wrong one."""
    column, value = given.get("where", "").strip(), given.get("value", "")
    if not column and not value:
        return None
    if column and ":" not in column:
        raise InvalidArgument(not_a(column, "column", "write family:qualifier, or nothing for the row key"))
    comparison = given.get("comparison", "is")
    if comparison not in COMPARISONS:
        raise InvalidArgument(not_a(comparison, "comparison", f"it is one of {', '.join(COMPARISONS)}"))
    return Condition(column, comparison, value)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
