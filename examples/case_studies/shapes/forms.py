"""Four shapes of a series, which store the time in different places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from examples.case_studies.measure.counted import Counted
from examples.case_studies.time_series.points import Point

import rowstone as rs
from rowstone.filters import ColumnRangeFilter
from rowstone.keys import Key, reverse_time, text

DAY_MS = 24 * 3_600_000
Found = list[tuple[int, str]]


class Form(Protocol):
    """A shape of a series."""

    name: str
    key: str
    family: rs.Family

    def cells(self, point: Point) -> tuple[bytes, Any, int | None]:
        """A point's row, its columns, and its timestamp if it sets one."""

    def newest(self, table: Counted, host: str, metric: str) -> Found:
        """The last point."""

    def between(self, table: Counted, host: str, metric: str, start: int, stop: int) -> Found:
        """The points from ``start``, included, to ``stop``, excluded, by time."""


class Versions:
    """A row per series with one column, whose versions are the points."""

    name = "versions"
    key = "[host][metric]"
    family = rs.Family(max_versions=1_000_000)
    row = Key(text("host"), text("metric"))

    def cells(self, point: Point) -> tuple[bytes, Any, int | None]:
        """See `Form`."""
        return self.row.encode(point.host, point.metric), {"d:v": point.value}, point.at

    def newest(self, table: Counted, host: str, metric: str) -> Found:
        """A get."""
        return _versions(table.get(self.row.encode(host, metric)))

    def between(self, table: Counted, host: str, metric: str, start: int, stop: int) -> Found:
        """A get with a time range."""
        row = table.get(self.row.encode(host, metric), versions=1_000_000, time_range=(start, stop))
        return _versions(row)


def _versions(row: rs.Row) -> Found:
    return sorted((cell.timestamp, cell.value.decode()) for cell in row.cells)


class Tall:
    """A row per point, newest first."""

    name = "tall"
    key = "[host][metric][reverse time]"
    family = rs.Family()
    row = Key(text("host"), text("metric"), reverse_time("at"))

    def cells(self, point: Point) -> tuple[bytes, Any, int | None]:
        """See `Form`."""
        return self.row.encode(point.host, point.metric, point.at), {"d:v": point.value}, None

    def newest(self, table: Counted, host: str, metric: str) -> Found:
        """The first row of a scan."""
        with table.scan(*self.row.range(host=host, metric=metric), limit=1) as rows:
            return [(self.row.decode(row.key).at, row["d:v"].decode()) for row in rows]

    def between(self, table: Counted, host: str, metric: str, start: int, stop: int) -> Found:
        """A scan."""
        with table.scan(*self.row.range(host=host, metric=metric, at=(start, stop))) as rows:
            return sorted((self.row.decode(row.key).at, row["d:v"].decode()) for row in rows)


def _qualifier(at: int) -> bytes:
    """Sorts newest first."""
    return (2**63 - 1 - at).to_bytes(8, "big")


def _columns(row: rs.Row) -> Found:
    return sorted((2**63 - 1 - int.from_bytes(cell.qualifier, "big"), cell.value.decode()) for cell in row.cells)


class Wide:
    """A row a series, a column a point, the newest first."""

    name = "wide"
    key = "[host][metric]"
    family = rs.Family()
    row = Key(text("host"), text("metric"))

    def cells(self, point: Point) -> tuple[bytes, Any, int | None]:
        """See `Form`."""
        return self.row.encode(point.host, point.metric), [((b"d", _qualifier(point.at)), point.value)], None

    def newest(self, table: Counted, host: str, metric: str) -> Found:
        """A get of the first column."""
        return _columns(table.get(self.row.encode(host, metric), cells_per_family=1))

    def between(self, table: Counted, host: str, metric: str, start: int, stop: int) -> Found:
        """A get of a range of columns."""
        columns = ColumnRangeFilter(_qualifier(stop - 1), True, _qualifier(start), True)
        return _columns(table.get(self.row.encode(host, metric), filter=columns))


class Middle:
    """A row per day of a series, a column per point: as many in a row as a typical query reads."""

    name = "middle"
    key = "[host][metric][reverse day]"
    family = rs.Family()
    row = Key(text("host"), text("metric"), reverse_time("day"))

    def cells(self, point: Point) -> tuple[bytes, Any, int | None]:
        """See `Form`."""
        day = point.at - point.at % DAY_MS
        return self.row.encode(point.host, point.metric, day), [((b"d", _qualifier(point.at)), point.value)], None

    def newest(self, table: Counted, host: str, metric: str) -> Found:
        """The first column of the first row of a scan."""
        with table.scan(*self.row.range(host=host, metric=metric), limit=1, cells_per_family=1) as rows:
            return [found for row in rows for found in _columns(row)]

    def between(self, table: Counted, host: str, metric: str, start: int, stop: int) -> Found:
        """A scan of the days. The first and the last day may include hours outside the range."""
        first = start - start % DAY_MS
        with table.scan(*self.row.range(host=host, metric=metric, day=(first, stop))) as rows:
            return sorted(one for row in rows for one in _columns(row) if start <= one[0] < stop)


FORMS: tuple[Form, ...] = (Versions(), Tall(), Wide(), Middle())


def load(table: rs.Table, form: Form, found: list[Point]) -> None:
    """Writes the points of all series."""
    with table.batch() as writer:
        for point in found:
            row, data, timestamp = form.cells(point)
            writer.put(row, data, **({} if timestamp is None else {"timestamp": timestamp}))


def series(found: list[Point]) -> Iterator[tuple[str, str]]:
    """The distinct series."""
    return iter(dict.fromkeys((point.host, point.metric) for point in found))
