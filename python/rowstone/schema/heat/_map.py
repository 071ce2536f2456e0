"""Heat map of a table: requests by time and key range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rowstone.schema.heat import _hot, _patterns, _pictures, _text
from rowstone.schema.heat._places import Places

if TYPE_CHECKING:
    from rowstone.schema.heat._hot import HotKey
    from rowstone.schema.heat._patterns import Pattern

RANGES = 24
"""Number of key ranges."""


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
    """

    windows: tuple[Window, ...]
    starts: tuple[bytes, ...]
    cells: tuple[tuple[float, ...], ...]

    @property
    def total(self) -> int:
        """Number of requested rows."""
        return sum(window.total for window in self.windows)

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


@dataclass(frozen=True)
class HeatMap:
    """Reads and writes of a table. ``str()`` returns a picture for terminals.

    Attributes:
        table: Its name.
        reads: Gets, and rows that scans returned. writes: Mutations.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     for number in range(500):
        ...         db.table("t").put(f"row{number % 5}", {"f:q": "value"})
        ...     map = db.admin.metrics.heat_map("t")
        >>> map.writes.total, map.reads.total, sum(1 for start in map.writes.starts if start)
        (500, 0, 5)
    """

    table: str
    reads: Side
    writes: Side

    def __str__(self) -> str:
        return _text.drawn(self)

    def zoom(self, start: bytes = b"", stop: bytes = b"", *, last_seconds: float | None = None) -> HeatMap:
        """The map of a part: rows from ``start`` to before ``stop``, windows of the last seconds of the map.

        Its key ranges are narrower. Totals of a key range are estimates, because only sampled rows are known. An empty
        ``start`` or ``stop`` is no limit.
        """
        ends = [
            side.windows[-1].start_ms + side.windows[-1].width_ms for side in (self.reads, self.writes) if side.windows
        ]
        since = max(ends, default=0) - last_seconds * 1000 if last_seconds is not None else float("-inf")
        sides = (
            [_part(window, start, stop) for window in side.windows if window.start_ms + window.width_ms > since]
            for side in (self.reads, self.writes)
        )
        return heat_map(self.table, *([window for window in side if window.rows] for side in sides))

    def svg(self, splits: Sequence[bytes] = ()) -> str:
        """A picture with times, keys and patterns: time to the right, keys downwards, darker means more.

        ``splits`` are drawn as lines on the axis of the keys.
        """
        return _pictures.svg(self, splits)

    def png(self) -> bytes:
        """The picture without text: reads on the left, writes on the right."""
        return _pictures.png(self)

    def _repr_html_(self) -> str:
        return self.svg()


def heat_map(table: str, reads: Sequence[Window], writes: Sequence[Window]) -> HeatMap:
    """Build the map of these windows; both sides have the same key ranges."""
    rows = sorted({row for window in (*reads, *writes) for row, _ in window.rows})
    places = Places(rows)
    ranges = {row: int(places.of(row) * RANGES) for row in rows}
    starts = [b""] * RANGES
    for row in reversed(rows):
        starts[ranges[row]] = row
    return HeatMap(table, *(_side(tuple(windows), tuple(starts), ranges) for windows in (reads, writes)))


def _part(window: Window, start: bytes, stop: bytes) -> Window:
    """A window with its rows from ``start`` to before ``stop``."""
    if not start and not stop:
        return window
    rows = tuple((row, weight) for row, weight in window.rows if row >= start and (not stop or row < stop))
    return Window(window.start_ms, window.width_ms, round(sum(weight for _, weight in rows)), rows)


def _side(windows: tuple[Window, ...], starts: tuple[bytes, ...], ranges: dict[bytes, int]) -> Side:
    cells = []
    for window in windows:
        line = [0.0] * RANGES
        for row, weight in window.rows:
            line[ranges[row]] += weight
        cells.append(tuple(line))
    return Side(windows, starts, tuple(cells))


def windows_of(found: Sequence[tuple[int, int, int, Sequence[bytes]]]) -> list[Window]:
    """Convert windows from the database: each row stands for its share of the total."""
    return [
        Window(start, width, total, tuple((row, total / len(rows)) for row in rows))
        for start, width, total, rows in found
    ]
