"""Packing: points with a row each become columns of one row per period.

A point is written as a row ``[host][metric][time]`` with its value in ``d:v``. `Series.pack` moves the points of a
period into the row of the period's beginning. Each becomes a column; the qualifier is the offset from that beginning in
milliseconds, four bytes that sort. Packed cells keep their timestamps. Both forms may coexist, even in one row, so
readers do not depend on packing, and late points are written as usual.

First all columns of a period are put, atomically because they are in one row. Then the points are deleted. A reader in
between, or after a crash there, finds a point in both forms and counts the newer one. A delete hides cells with its
timestamp or an older one, so pack only points older than a millisecond, and set no timestamps of your own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from examples.case_studies.time_series.points import Point

import rowstone as rs
from rowstone.keys import Key, text, time

KEY = Key(text("host"), text("metric"), time("at"))
VALUE = b"d:v"
_OFFSET_BYTES = 4


class Series:
    """Points in a table with a family ``d``, packed or not.

    Args:
        table: The table.
        period_ms: The period packed into a row, such as five minutes or a day.
    """

    def __init__(self, table: Any, period_ms: int) -> None:
        self.table = table
        self.period_ms = period_ms

    def write(self, point: Point) -> None:
        """Writes a point as a separate row."""
        self.table.put(KEY.encode(point.host, point.metric, point.at), {VALUE: point.value})

    def read(self, host: str, metric: str, start: int, stop: int) -> list[Point]:
        """Points of both forms from ``start`` (inclusive) to ``stop`` (exclusive), in time order."""
        first = start - start % self.period_ms
        with self.table.scan(*KEY.range(host=host, metric=metric, at=(first, stop))) as rows:
            found = [point for row in rows for point in _points(row)]
        newest = {point.at: point for point, _ in sorted(found, key=lambda each: each[1])}
        return [newest[at] for at in sorted(newest) if start <= at < stop]

    def pack(self) -> int:
        """Packs all unpacked points. Returns the number of rows that became columns of others."""
        packed = 0
        with self.table.scan() as rows:
            for period, members in groupby(rows, key=self._period):
                loose = [(row, cell) for row in members for cell in row.cells if cell.column == VALUE]
                if loose:
                    packed += self._pack(period, loose)
        return packed

    def _period(self, row: rs.Row) -> bytes:
        """The row into which a row's points are packed."""
        values = KEY.decode(row.key)
        return KEY.encode(values.host, values.metric, values.at - values.at % self.period_ms)

    def _pack(self, period: bytes, loose: Iterable[tuple[rs.Row, rs.Cell]]) -> int:
        begin, packed = KEY.decode(period).at, 0
        loose = list(loose)
        cells = [
            ((b"d", (KEY.decode(row.key).at - begin).to_bytes(_OFFSET_BYTES, "big")), cell.value, cell.timestamp)
            for row, cell in loose
        ]
        self.table.put(period, cells)
        for row, cell in loose:
            # Only this version: one written meanwhile stays.
            self.table.delete(row.key, VALUE, version=cell.timestamp)
            packed += row.key != period
        return packed


def _points(row: rs.Row) -> Iterator[tuple[Point, int]]:
    """The points of a row, each with the timestamp of its cell."""
    values = KEY.decode(row.key)
    for cell in row.cells:
        offset = 0 if cell.column == VALUE else int.from_bytes(cell.qualifier, "big")
        yield Point(values.host, values.metric, values.at + offset, cell.value.decode()), cell.timestamp
