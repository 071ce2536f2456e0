"""Filters that decide on rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rowstone._base.options.words import CompareOperator
from rowstone.errors import UnsupportedOperation
from rowstone.filters._base import OPPOSITES, Bytes, Comparator, Filter

Range = tuple[Bytes | None, bool, Bytes | None, bool] | tuple[Bytes | None, Bytes | None]


@dataclass(frozen=True)
class PrefixFilter(Filter):
    """Rows that start with ``prefix``. The scan seeks to them and ends after them, as with ``prefix=``."""

    prefix: Bytes


@dataclass(frozen=True)
class RowFilter(Filter):
    """Rows whose key passes: ``key operator comparator``. Every row is read; ``start`` and ``stop`` read fewer."""

    operator: CompareOperator
    comparator: Comparator | Bytes

    def __invert__(self) -> RowFilter:
        return replace(self, operator=opposite(self.operator))


@dataclass(frozen=True)
class InclusiveStopFilter(Filter):
    """Rows up to and including ``stop_row``; then the scan ends."""

    stop_row: Bytes


@dataclass(frozen=True)
class PageFilter(Filter):
    """``page_size`` rows of each region: a scan over several regions may return more. ``limit=`` counts all rows."""

    page_size: int


@dataclass(frozen=True)
class RandomRowFilter(Filter):
    """A random sample of rows: each with probability ``chance``; none below 0, all above 1."""

    chance: float


@dataclass(frozen=True)
class FuzzyRowFilter(Filter):
    """Rows that begin with one of several keys in which some bytes are wildcards.

    ``fuzzy_keys`` are pairs (key, mask) of equal length: where a mask byte is 0 the key's byte must match, where it is
    1 any byte matches.

    Example:
        >>> from rowstone.filters import FuzzyRowFilter
        >>> FuzzyRowFilter([(b"????-07", b"\\1\\1\\1\\1\\0\\0\\0")]).fuzzy_keys[0][0]
        b'\\x00\\x00\\x00\\x00-07'
    """

    fuzzy_keys: Sequence[tuple[Bytes, Bytes]]


@dataclass(frozen=True)
class MultiRowRangeFilter(Filter):
    """Rows in several ranges; the scan seeks from one to the next.

    A range is (start, include_start, stop, include_stop), or (start, stop) for a half-open one; ``None`` or empty means
    no bound. Ranges are sorted and merged. As in HBase, the first one given of ranges with the same start says whether
    that row is included.
    """

    ranges: Sequence[Range]


@dataclass(frozen=True)
class SingleColumnValueFilter(Filter):
    """Rows in which the value of one column passes: ``value operator comparator``. Whole rows are returned.

    The column must be among those that are read, otherwise it counts as missing. ``filter_if_missing`` leaves out rows
    without it. With ``latest_version_only`` false, any of the versions that are read may pass.
    """

    family: Bytes
    qualifier: Bytes
    operator: CompareOperator
    comparator: Comparator | Bytes
    filter_if_missing: bool = False
    latest_version_only: bool = True

    def __invert__(self) -> Filter:
        if not self.latest_version_only:
            raise UnsupportedOperation("HBase cannot ask that no version of a column passes")
        return replace(self, operator=opposite(self.operator), filter_if_missing=not self.filter_if_missing)


@dataclass(frozen=True)
class SingleColumnValueExcludeFilter(Filter):
    """Like `SingleColumnValueFilter`, but the tested column is left out of the rows."""

    family: Bytes
    qualifier: Bytes
    operator: CompareOperator
    comparator: Comparator | Bytes
    filter_if_missing: bool = False
    latest_version_only: bool = True


def opposite(operator: CompareOperator) -> CompareOperator:
    """Return the negated operator."""
    if operator not in OPPOSITES:
        raise UnsupportedOperation(f"the operator {operator} has no opposite")
    return OPPOSITES[operator]
