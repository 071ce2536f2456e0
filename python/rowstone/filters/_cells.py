"""Filters that decide on cells and columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rowstone._base.options.words import CompareOperator
from rowstone.filters._base import Bytes, Comparator, Filter
from rowstone.filters._rows import opposite


@dataclass(frozen=True)
class ValueFilter(Filter):
    """Cells whose value passes: ``value operator comparator``. Of a column, the newest passing version is returned."""

    operator: CompareOperator
    comparator: Comparator | Bytes

    def __invert__(self) -> ValueFilter:
        return replace(self, operator=opposite(self.operator))


@dataclass(frozen=True)
class QualifierFilter(Filter):
    """Columns whose qualifier passes: ``qualifier operator comparator``."""

    operator: CompareOperator
    comparator: Comparator | Bytes

    def __invert__(self) -> QualifierFilter:
        return replace(self, operator=opposite(self.operator))


@dataclass(frozen=True)
class FamilyFilter(Filter):
    """Families whose name passes: ``family operator comparator``. With ``columns=`` a read opens no others."""

    operator: CompareOperator
    comparator: Comparator | Bytes

    def __invert__(self) -> FamilyFilter:
        return replace(self, operator=opposite(self.operator))


@dataclass(frozen=True)
class ColumnValueFilter(Filter):
    """One column, if its value passes: nothing else of the row is returned."""

    family: Bytes
    qualifier: Bytes
    operator: CompareOperator
    comparator: Comparator | Bytes


@dataclass(frozen=True)
class DependentColumnFilter(Filter):
    """Cells that have the timestamp of a cell of one column in their row.

    With a comparator, only cells of that column whose value passes count. ``drop_dependent_column`` leaves the column
    out.
    """

    family: Bytes
    qualifier: Bytes
    drop_dependent_column: bool = False
    operator: CompareOperator = "NO_OP"
    comparator: Comparator | Bytes | None = None


@dataclass(frozen=True)
class ColumnPrefixFilter(Filter):
    """Columns whose qualifier starts with ``prefix``; the scan seeks to them."""

    prefix: Bytes


@dataclass(frozen=True)
class MultipleColumnPrefixFilter(Filter):
    """Columns whose qualifier starts with one of the ``prefixes``; without prefixes all pass.

    As in HBase, if one prefix begins with another, the range of the shorter one ends where the longer one begins.
    """

    prefixes: Sequence[Bytes]


@dataclass(frozen=True)
class ColumnRangeFilter(Filter):
    """Columns whose qualifier lies between two; ``None`` is no bound."""

    min_column: Bytes | None = None
    min_column_inclusive: bool = True
    max_column: Bytes | None = None
    max_column_inclusive: bool = False


@dataclass(frozen=True)
class ColumnPaginationFilter(Filter):
    """``limit`` columns of each row and family, starting after ``offset`` columns or at the qualifier ``offset``."""

    limit: int
    offset: int | Bytes


@dataclass(frozen=True)
class ColumnCountGetFilter(Filter):
    """The first ``limit`` columns of a row, for gets; a scan ends at the first row with more columns."""

    limit: int


@dataclass(frozen=True)
class TimestampsFilter(Filter):
    """Cells with one of the ``timestamps``. ``can_hint`` lets the scan seek past others, and so past delete markers."""

    timestamps: Iterable[int]
    can_hint: bool = False


@dataclass(frozen=True)
class FirstKeyOnlyFilter(Filter):
    """The first cell of each row and family: to count rows."""


@dataclass(frozen=True)
class FirstKeyValueMatchingQualifiersFilter(Filter):
    """The cells of each row up to the first that has one of the ``qualifiers``; deprecated in HBase."""

    qualifiers: Iterable[Bytes]


@dataclass(frozen=True)
class KeyOnlyFilter(Filter):
    """Cells without their values; with ``length_as_value`` the value is its length as four big-endian bytes."""

    length_as_value: bool = False
