"""Heat map of a table: requests by time and key range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rowstone.schema.heat import _patterns, _pictures, _text
from rowstone.schema.heat._places import Places

if TYPE_CHECKING:
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

    def svg(self) -> str:
        """A picture with times, keys and patterns: time to the right, keys downwards, darker means more."""
        return _pictures.svg(self)

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
