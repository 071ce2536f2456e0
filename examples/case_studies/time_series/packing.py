"""Packing: points that have a row each become columns of one row for a period.

A point is written as a row ``[host][metric][time]`` with its value in ``d:v``. `Series.pack` moves the points of a
period into the row of the period's beginning: a column each, called by how many milliseconds the point lies behind that
beginning, in four bytes that sort. What was packed keeps its timestamp. The two forms may stand beside each other, also
in one row, so that who reads never needs to know what was packed already, and points that come late are simply written.

First all columns of a period are put, in one row and so all at once; then the points are deleted. Whoever reads, or is
killed, between the two finds a point in both forms, and it counts once: the newer one. A delete hides what has its
timestamp or an older one, so pack what is older than a millisecond, and give no timestamps of your own.
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
    """Points in a table of a family ``d``, packed or not.

    Args:
        table: The table.
        period_ms: What is packed into a row: five minutes, a day.
    """

    def __init__(self, table: Any, period_ms: int) -> None:
        self.table = table
        self.period_ms = period_ms

    def write(self, point: Point) -> None:
        """A point, as a row of its own."""
        self.table.put(KEY.encode(point.host, point.metric, point.at), {VALUE: point.value})

    def read(self, host: str, metric: str, start: int, stop: int) -> list[Point]:
        """The points from ``start``, included, to ``stop``, excluded, by time: of both forms."""
        first = start - start % self.period_ms
        with self.table.scan(*KEY.range(host=host, metric=metric, at=(first, stop))) as rows:
            found = [point for row in rows for point in _points(row)]
        newest = {point.at: point for point, _ in sorted(found, key=lambda each: each[1])}
        return [newest[at] for at in sorted(newest) if start <= at < stop]

    def pack(self) -> int:
        """Packs what is not packed; how many rows went into others."""
        gone = 0
        with self.table.scan() as rows:
            for period, members in groupby(rows, key=self._period):
                loose = [(row, cell) for row in members for cell in row.cells if cell.column == VALUE]
                if loose:
                    gone += self._pack(period, loose)
        return gone

    def _period(self, row: rs.Row) -> bytes:
        """The row into which a row's points go."""
        values = KEY.decode(row.key)
        return KEY.encode(values.host, values.metric, values.at - values.at % self.period_ms)

    def _pack(self, period: bytes, loose: Iterable[tuple[rs.Row, rs.Cell]]) -> int:
        begin, gone = KEY.decode(period).at, 0
        loose = list(loose)
        cells = [
            ((b"d", (KEY.decode(row.key).at - begin).to_bytes(_OFFSET_BYTES, "big")), cell.value, cell.timestamp)
            for row, cell in loose
        ]
        self.table.put(period, cells)
        for row, cell in loose:
            # Only this version: one that came meanwhile stays.
            self.table.delete(row.key, VALUE, version=cell.timestamp)
            gone += row.key != period
        return gone


def _points(row: rs.Row) -> Iterator[tuple[Point, int]]:
    """The points of a row, each with the timestamp of its cell."""
    values = KEY.decode(row.key)
    for cell in row.cells:
        offset = 0 if cell.column == VALUE else int.from_bytes(cell.qualifier, "big")
        yield Point(values.host, values.metric, values.at + offset, cell.value.decode()), cell.timestamp
