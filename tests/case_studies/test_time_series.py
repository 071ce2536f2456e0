"""Packing a period into a row (checklist 225 and 237)."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

import pytest
from examples.case_studies.measure import Report
from examples.case_studies.time_series.packing import Series
from examples.case_studies.time_series.points import Point

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist

MINUTE_MS = 60_000
FIVE_MINUTES_MS = 5 * MINUTE_MS


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_000)


@pytest.fixture
def series(clock: ManualClock) -> Iterator[Series]:
    with rs.connect(":memory:", clock=clock) as db:
        db.create_table("t", ["d"])
        yield Series(db.table("t"), FIVE_MINUTES_MS)


def minutes(count: int, host: str = "web1") -> list[Point]:
    return [Point(host, "load", MINUTE_MS * place, str(place)) for place in range(count)]


def write(series: Series, points: list[Point]) -> None:
    for point in points:
        series.write(point)


def rows(series: Series) -> int:
    with series.table.scan() as scan:
        return sum(1 for _ in scan)


@checklist("225", clause="the rows of five minutes become one")
@checklist("225", clause="packing loses nothing")
def test_five_rows_become_one_with_five_columns(series: Series) -> None:
    points = minutes(60) + minutes(7, "web2")
    write(series, points)
    with series.table.scan() as scan:
        before = sorted(cell.timestamp for row in scan for cell in row.cells)
    assert series.pack() == 60 - 12 + 7 - 2
    assert rows(series) == 12 + 2
    with series.table.scan(limit=1) as scan:
        assert [len(row.cells) for row in scan] == [5]
    with series.table.scan() as scan:
        assert sorted(cell.timestamp for row in scan for cell in row.cells) == before
    assert series.read("web1", "load", 0, 2**60) + series.read("web2", "load", 0, 2**60) == points
    assert series.pack() == 0, "there is nothing left to pack"


@checklist("225", clause="both forms are read")
def test_late_points_are_read_with_packed_ones(series: Series) -> None:
    points = minutes(30)
    late = [points[3], points[10], points[29]]
    write(series, [point for point in points if point not in late])
    series.pack()
    write(series, late)
    assert series.read("web1", "load", 0, 2**60) == points
    assert series.read("web1", "load", 4 * MINUTE_MS, 11 * MINUTE_MS) == points[4:11], "ends within periods"
    series.pack()
    assert series.read("web1", "load", 0, 2**60) == points
    assert rows(series) == 6


def test_a_corrected_point_wins_over_the_packed_one(series: Series, clock: ManualClock) -> None:
    write(series, minutes(5))
    series.pack()
    clock.advance(1)
    series.write(Point("web1", "load", 2 * MINUTE_MS, "new"))
    for _ in range(2):
        assert [point.value for point in series.read("web1", "load", 0, 2**60)] == ["0", "1", "new", "3", "4"]
        series.pack()


def test_a_kill_between_put_and_delete_loses_and_doubles_nothing(series: Series) -> None:
    class Killed(Exception):
        pass

    class Mortal:
        """A table that fails after this many deletes."""

        def __init__(self, left: int) -> None:
            self.left = left

        def __getattr__(self, name: str) -> object:
            if name == "delete":
                self.left -= 1
                if self.left < 0:
                    raise Killed
            return getattr(series.table, name)

    points = minutes(20)
    write(series, points)
    draw = random.Random(225)
    for _ in range(12):
        dying = Series(Mortal(draw.randrange(4)), FIVE_MINUTES_MS)
        with contextlib.suppress(Killed):
            dying.pack()
        assert series.read("web1", "load", 0, 2**60) == points
    series.pack()
    assert series.read("web1", "load", 0, 2**60) == points
    assert rows(series) == 4


@checklist("237", clause="packed, a month is the same cells in fewer rows")
def test_packed_rows_hold_the_same_cells(time_series: Report) -> None:
    loose, daily = time_series.store("a row per point"), time_series.store("packed by day")
    assert loose.cells == daily.cells
    assert daily.rows < loose.rows / 20
    month = [time_series.cost("a month of a metric", name) for name in ("a row per point", "packed by day")]
    assert month[0].cells <= month[1].cells < 1.2 * month[0].cells
    assert month[1].rows < month[0].rows / 20
    assert daily.cell_bytes == pytest.approx(loose.cell_bytes, rel=0.1)


def test_a_single_point_of_a_packed_row_comes_with_its_period(time_series: Report) -> None:
    hour = {name: time_series.cost("an hour of a metric", name).cells for name in ("a row per point", "packed by day")}
    assert hour["a row per point"] == 1
    assert hour["packed by day"] > 20
