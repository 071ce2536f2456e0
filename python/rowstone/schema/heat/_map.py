"""Heat map of a table: requests by time and key range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rowstone.schema.heat import _pictures, _text
from rowstone.schema.heat._places import Places
from rowstone.schema.heat._side import Side, Window

RANGES = 24
"""Number of key ranges."""


@dataclass(frozen=True)
class HeatMap:
    """Reads and writes of a table. ``str()`` returns a picture for terminals.

    Attributes:
        table: Its name.
        reads: Gets, and rows that scans returned. writes: Mutations.
        start, stop: The first key, included, and the last key, excluded; empty at the ends of the table.

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
    start: bytes = b""
    stop: bytes = b""

    def __repr__(self) -> str:
        return f"HeatMap({self.table!r}, {self.reads.total} reads, {self.writes.total} writes)"

    def __str__(self) -> str:
        return _text.drawn(self)

    def zoom(self, start: bytes = b"", stop: bytes = b"", *, last_seconds: float | None = None) -> HeatMap:
        """Return the map of a part: rows from ``start`` to before ``stop``, windows of the last seconds of the map.

        Its key ranges are narrower. Totals of a key range are estimates, because only sampled rows are known. An empty
        ``start`` or ``stop`` is no limit.
        """
        is_part = bool(start or stop)
        ends = [
            side.windows[-1].start_ms + side.windows[-1].width_ms for side in (self.reads, self.writes) if side.windows
        ]
        since = max(ends, default=0) - last_seconds * 1000 if last_seconds is not None else float("-inf")
        late = [
            [window for window in side.windows if window.start_ms + window.width_ms > since]
            for side in (self.reads, self.writes)
        ]
        cut = ([_part(window, start, stop) for window in side] for side in late)
        found = heat_map(self.table, *([window for window in side if window.rows] for side in cut))
        reads, writes = (
            replace(side, is_sample=whole.is_sample and _is_sample(windows), is_part=whole.is_part or is_part)
            for side, whole, windows in zip((found.reads, found.writes), (self.reads, self.writes), late, strict=True)
        )
        return HeatMap(self.table, reads, writes, start or self.start, stop or self.stop)

    def svg(self, splits: Sequence[bytes] = ()) -> str:
        """Draw the map with times, keys and patterns: time to the right, keys downwards, darker means more.

        ``splits`` are drawn as lines on the axis of the keys.
        """
        return _pictures.svg(self, splits)

    def png(self) -> bytes:
        """Draw the map without text: reads on the left, writes on the right."""
        return _pictures.png(self)

    def _repr_html_(self) -> str:
        return self.svg()


def heat_map(table: str, reads: Sequence[Window], writes: Sequence[Window], *, is_sample: bool = False) -> HeatMap:
    """Build the map of these windows; both sides have the same key ranges. ``is_sample``: whether the rows of the
    windows are samples."""
    rows = sorted({row for window in (*reads, *writes) for row, _ in window.rows})
    places = Places(rows)
    ranges = {row: int(places.of(row) * RANGES) for row in rows}
    starts = [b""] * RANGES
    for row in reversed(rows):
        starts[ranges[row]] = row
    sides = (_side(tuple(windows), tuple(starts), ranges) for windows in (reads, writes))
    read, written = (replace(side, is_sample=is_sample and _is_sample(side.windows)) for side in sides)
    return HeatMap(table, read, written)


def _is_sample(windows: Iterable[Window]) -> bool:
    return any(len(window.rows) < window.total for window in windows)


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
