"""Filters that combine filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rowstone.filters._base import Bytes, Filter, as_filter


@dataclass(frozen=True)
class FilterList(Filter):
    """A list of filters, applied in order: all must pass (``"MUST_PASS_ALL"``), or one (``"MUST_PASS_ONE"``).

    The order matters for filters that count: a ``PageFilter`` after another filter counts only the rows which that one
    passes.
    """

    operator: str
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
