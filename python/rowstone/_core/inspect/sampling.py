"""Bounded samples of a table: runs of adjacent rows from positions spread over a key range.

A range that fits the bounds is read completely. A larger one is sampled at evenly spaced keys between its first and its
last row. At each key a run of adjacent rows is read, always forward, so that no row is read twice. The blocks that are
read do not enter the cache.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowstone._core.inspect.places import spread

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._core.table import Table

RUN_ROWS = 10
PAGE_CELLS = 1_000
HEAD_BYTES = 64


@dataclass(frozen=True, slots=True)
class SampledCell:
    """A cell of a sampled row, with the size of its value and the value's first 64 bytes."""

    family: bytes
    qualifier: bytes
    timestamp: int
    value_bytes: int
    head: bytes


@dataclass(slots=True)
class SampledRow:
    """A row with the first thousand cells of each family, and the counts of all its cells, up to `Bounds`.

    ``size_bytes`` counts values and coordinates as a KeyValue has them; ``column_count`` counts each column once;
    ``value_bytes`` and ``family_cells`` are by family.
    """

    key: bytes
    region: int
    run: int
    cells: list[SampledCell] = field(default_factory=list)
    cell_count: int = 0
    column_count: int = 0
    size_bytes: int = 0
    is_whole: bool = True
    value_bytes: dict[bytes, int] = field(default_factory=dict)
    family_cells: dict[bytes, int] = field(default_factory=dict)
    _last: tuple[bytes, bytes] | None = None

    def add(self, cells: "list[_native.Cell]") -> None:
        """Count further cells of the row."""
        for cell in cells:
            family, qualifier, value = cell.family, cell.qualifier, cell.value
            self.cell_count += 1
            self.size_bytes += 20 + len(self.key) + len(family) + len(qualifier) + len(value)
            if (family, qualifier) != self._last:
                self.column_count += 1
                self._last = (family, qualifier)
            self.value_bytes[family] = self.value_bytes.get(family, 0) + len(value)
            self.family_cells[family] = seen = self.family_cells.get(family, 0) + 1
            if seen <= PAGE_CELLS:
                head = value[:HEAD_BYTES]
                self.cells.append(SampledCell(family, qualifier, cell.timestamp, len(value), head))


@dataclass
class Bounds:
    """Limits of a sample: rows of a range, cells and bytes of a row, and bytes in total, which decrease as it reads.

    With a ``family``, only that family is read. ``spend`` is called with each number of bytes that was read, and may
    raise to end the sample.
    """

    rows: int = 200
    row_cells: int = 1_000_001
    row_bytes: int = (256 << 20) + 1
    total_bytes: int = 1 << 30
    family: bytes | None = None
    spend: Callable[[int], object] | None = None

    @property
    def columns(self) -> list[str | bytes | tuple[str | bytes, str | bytes]] | None:
        """The columns that scans read; None for all."""
        return None if self.family is None else [self.family]


def sample_range(
    table: "Table", start: bytes, stop: bytes, bounds: Bounds, *, region: int = 0
) -> tuple[list[SampledRow], bool]:
    """Return rows from ``start`` (included) to ``stop`` (excluded; empty is the end), and whether they are all."""
    first = list(_rows(table, start, stop, bounds.rows + 1, bounds, (region, 0)))
    if len(first) <= bounds.rows:
        return first, bounds.total_bytes > 0 and all(row.is_whole for row in first)
    rows = first[:RUN_ROWS]
    low, high = first[0].key, _last_key(table, start, stop, bounds)
    places = spread(low, high, max(1, bounds.rows // RUN_ROWS), [row.key for row in first])
    for run, place in enumerate(places, 1):
        begin = max(place, rows[-1].key + b"\0")
        rows += _rows(table, begin, stop, min(RUN_ROWS, bounds.rows - len(rows)), bounds, (region, run))
        if len(rows) >= bounds.rows or bounds.total_bytes <= 0:
            break
    return rows, False


def _last_key(table: "Table", start: bytes, stop: bytes, bounds: Bounds) -> bytes:
    # A reverse scan begins at the larger end.
    with table.scan(
        stop or None,
        start or None,
        columns=bounds.columns,
        reverse=True,
        include_start=not stop,
        include_stop=True,
        limit=1,
        batch=1,
    ) as rows:
        return next((row.key for row in rows), start)


def _rows(
    table: "Table", start: bytes, stop: bytes, limit: int, bounds: Bounds, place: tuple[int, int]
) -> Iterator[SampledRow]:
    """Up to ``limit`` rows; one that is over its bounds is left where it was cut, and the next is looked for."""
    left = limit
    while left > 0 and bounds.total_bytes > 0:
        read: list[SampledRow] = []
        for row in _run(table, start, stop, left, bounds, place):
            read.append(row)
            yield row
        if not read or read[-1].is_whole:
            return
        left, start = left - len(read), read[-1].key + b"\0"


def _run(
    table: "Table", start: bytes, stop: bytes, limit: int, bounds: Bounds, place: tuple[int, int]
) -> Iterator[SampledRow]:
    with table.scan(
        start or None,
        stop or None,
        columns=bounds.columns,
        limit=limit,
        batch=PAGE_CELLS,
        versions=None,
        cache_blocks=False,
    ) as pieces:
        row: SampledRow | None = None
        for piece in pieces:
            if row is None or piece.key != row.key:
                if row is not None:
                    yield row
                row = SampledRow(piece.key, *place)
            before = row.size_bytes
            row.add(piece.cells)
            bounds.total_bytes -= row.size_bytes - before
            if bounds.spend is not None:
                bounds.spend(row.size_bytes - before)
            if row.cell_count >= bounds.row_cells or row.size_bytes >= bounds.row_bytes or bounds.total_bytes <= 0:
                row.is_whole = False
                break
        if row is not None:
            yield row
