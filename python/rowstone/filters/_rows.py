"""Filters that decide on rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rowstone.errors import UnsupportedOperation
from rowstone.filters._base import OPPOSITES, Bytes, Comparator, Filter

Range = tuple[Bytes | None, bool, Bytes | None, bool] | tuple[Bytes | None, Bytes | None]


@dataclass(frozen=True)
class PrefixFilter(Filter):
    """Rows that start with ``prefix``. The scan seeks to them and ends behind them, as with ``prefix=``."""

    prefix: Bytes


@dataclass(frozen=True)
class RowFilter(Filter):
    """Rows whose key passes: ``key operator comparator``. Every row is looked at; ``start`` and ``stop`` read less."""

    operator: str
    comparator: Comparator | Bytes

    def __invert__(self) -> RowFilter:
        return replace(self, operator=opposite(self.operator))


@dataclass(frozen=True)
class InclusiveStopFilter(Filter):
    """Rows up to ``stop_row``, itself included; then the scan ends."""

    stop_row: Bytes


@dataclass(frozen=True)
class PageFilter(Filter):
    """``page_size`` rows of each region: a scan over several may return more. ``limit=`` counts all."""

    page_size: int


@dataclass(frozen=True)
class RandomRowFilter(Filter):
    """Rows by chance: each with probability ``chance``, none below 0, all above 1."""

    chance: float


@dataclass(frozen=True)
class FuzzyRowFilter(Filter):
    """Rows that begin like one of several keys, some bytes of which do not matter.

    ``fuzzy_keys`` are pairs (key, mask), equally long; a byte of the mask is 0 where the key's byte must be met and 1
    where any byte will do.

    Example:
        >>> from rowstone.filters import FuzzyRowFilter
        >>> FuzzyRowFilter([(b"????-07", b"\\1\\1\\1\\1\\0\\0\\0")]).fuzzy_keys[0][0]
        b'\\x00\\x00\\x00\\x00-07'
    """

    fuzzy_keys: Sequence[tuple[Bytes, Bytes]]


@dataclass(frozen=True)
class MultiRowRangeFilter(Filter):
    """Rows of several ranges; the scan seeks from one to the next.

    A range is (start, include_start, stop, include_stop), or (start, stop) for a half-open one; ``None`` or empty is
    no bound. They are kept sorted and merged.
    """

    ranges: Sequence[Range]


@dataclass(frozen=True)
class SingleColumnValueFilter(Filter):
    """Rows in which the value of one column passes: ``value operator comparator``. They come whole.

    The column must be among those that are read: otherwise it counts as missing. ``filter_if_missing`` leaves out rows
    without it; ``latest_version_only`` is false to accept a row for any of the versions that are read.
    """

    family: Bytes
    qualifier: Bytes
    operator: str
    comparator: Comparator | Bytes
    filter_if_missing: bool = False
    latest_version_only: bool = True

    def __invert__(self) -> Filter:
        if not self.latest_version_only:
            raise UnsupportedOperation("HBase cannot ask that no version of a column passes")
        return replace(self, operator=opposite(self.operator), filter_if_missing=not self.filter_if_missing)


@dataclass(frozen=True)
class SingleColumnValueExcludeFilter(Filter):
    """Like `SingleColumnValueFilter`, and the tested column is left out of the rows."""

    family: Bytes
    qualifier: Bytes
    operator: str
    comparator: Comparator | Bytes
    filter_if_missing: bool = False
    latest_version_only: bool = True


def opposite(operator: str) -> str:
    """The operator that holds where this one does not."""
    if operator not in OPPOSITES:
        raise UnsupportedOperation(f"the operator {operator} has no opposite")
    return OPPOSITES[operator]
