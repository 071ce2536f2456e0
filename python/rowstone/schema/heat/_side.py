"""The reads of a table, or its writes: time windows with sampled rows, and numbers by key range."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rowstone.schema.heat import _hot, _patterns
from rowstone.schema.heat._estimate import NOT_SAMPLED, counted_rows, rounded, rows_text

if TYPE_CHECKING:
    from rowstone.schema.heat._hot import HotKey
    from rowstone.schema.heat._patterns import Pattern


@dataclass(frozen=True)
class Window:
    """A time window.

    Attributes:
        start_ms: Start time. width_ms: Length in milliseconds.
        total: Number of requested rows.
        rows: A uniform sample of them, each with the number that it stands for. Long row keys are cut.
    """

    start_ms: int
    width_ms: int
    total: int
    rows: tuple[tuple[bytes, float], ...]


@dataclass(frozen=True)
class Side:
    """The reads of a table, or its writes.

    Attributes:
        windows: Windows by time; empty ones are left out.
        starts: For each key range, a row at or after its start; empty if no row was seen in it.
        cells: For each window, the number of rows per range.
        is_sample: Whether not every row was sampled. Numbers of key ranges are then estimates, and rows of ranges
            without a number may have been missed.
        is_part: Whether only some keys are considered. If ``is_sample``, the totals are then estimates as well.
    """

    windows: tuple[Window, ...]
    starts: tuple[bytes, ...]
    cells: tuple[tuple[float, ...], ...]
    is_sample: bool = False
    is_part: bool = False

    @property
    def total(self) -> int:
        """Number of requested rows."""
        return sum(window.total for window in self.windows)

    @property
    def total_text(self) -> str:
        """The number of requested rows in words, which say if it is an estimate."""
        is_estimate = self.is_sample and self.is_part
        if not self.windows:
            return NOT_SAMPLED if is_estimate else "none"
        return counted_rows(self.total, is_estimate=is_estimate)

    @property
    def total_number(self) -> str:
        """The number of requested rows as text, with "about" if it is an estimate."""
        is_estimate = self.is_sample and self.is_part
        if not self.windows and is_estimate:
            return "almost none"
        return rows_text(self.total, is_estimate=is_estimate)

    def estimate(self, number: float) -> int:
        """Return a number of its rows by key: exact, or rounded to three digits if it comes from a sample."""
        return rounded(number) if self.is_sample else round(number)

    def by_start(self, starts: Sequence[bytes]) -> list[int]:
        """Return numbers of its rows from each of some sorted keys to the next; the first key is empty."""
        totals = [0.0] * len(starts)
        for window in self.windows:
            for row, weight in window.rows:
                totals[bisect_right(starts, row) - 1] += weight
        return [self.estimate(total) for total in totals]

    def number_text(self, number: float) -> str:
        """Return a number of its rows by key as text; empty if the sample has none."""
        return rows_text(number, is_estimate=self.is_sample) if number or not self.is_sample else ""

    @property
    def sampled(self) -> int:
        """Number of sampled rows."""
        return sum(len(window.rows) for window in self.windows)

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """Detected patterns: by range (sequential, hot range, even, uneven), and periodic if it is."""
        return tuple(_patterns.of(self))

    @cached_property
    def hot_keys(self) -> tuple[HotKey, ...]:
        """Candidates for hot keys, the hottest first: rows with at least 5 % and three times an even share of the
        requests, which were sampled three times or more."""
        return _hot.of(self)

    @property
    def slots(self) -> tuple[int, ...]:
        """Position of each window in time, counted in windows from the first."""
        if not self.windows:
            return ()
        first, width = self.windows[0].start_ms, self.windows[0].width_ms
        return tuple((window.start_ms - first) // width for window in self.windows)
