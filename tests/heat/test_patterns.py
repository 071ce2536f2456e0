"""The pattern of each kind of traffic is named, and no other."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

import rowstone as rs
from rowstone.schema.heat._map import heat_map
from rowstone.schema.heat._side import Window
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.heat.traffic import ROWS, SECONDS, put_for_a_while

Row = Callable[[int, random.Random], int]

EVENLY: Row = lambda _, draw: draw.randrange(ROWS)  # noqa: E731
ONE_BY_ONE: Row = lambda before, _: before  # noqa: E731
BACKWARD: Row = lambda before, _: 99_999 - before  # noqa: E731


def hot(_: int, draw: random.Random) -> int:
    """Three of four within a twentieth of the rows, the others anywhere."""
    return draw.randrange(ROWS) if draw.random() < 0.25 else 7_000 + draw.randrange(ROWS // 20)


def always(second: int) -> int:
    return 50


def in_waves(second: int) -> int:
    """Busy for five seconds of twenty."""
    return 120 if second % 20 < 5 else 4


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_700_000_000_000)


@pytest.fixture
def table(clock: ManualClock) -> Iterator[tuple[rs.Database, rs.Table]]:
    with rs.connect(":memory:", clock=clock) as db:
        db.create_table("t", ["f"])
        yield db, db.table("t")


@pytest.mark.parametrize(
    ("row", "count", "names"),
    [
        (EVENLY, always, ["even"]),
        (ONE_BY_ONE, always, ["sequential"]),
        (BACKWARD, always, ["sequential"]),
        (hot, always, ["hot range"]),
        (EVENLY, in_waves, ["even", "periodic"]),
        (hot, in_waves, ["hot range", "periodic"]),
        (ONE_BY_ONE, in_waves, ["sequential", "periodic"]),
    ],
)
def test_traffic_is_named(
    table: tuple[rs.Database, rs.Table], clock: ManualClock, row: Row, count: Callable[[int], int], names: list[str]
) -> None:
    db, t = table
    put_for_a_while(t, clock, row, count=count)
    found = db.admin.metrics.heat_map("t")
    assert [pattern.name for pattern in found.writes.patterns] == names, str(found)
    assert found.writes.total == sum(map(count, range(SECONDS)))
    assert found.reads.patterns == ()


def window(slot: int, *rows: tuple[bytes, float]) -> Window:
    return Window(1_000 + slot * 250, 250, round(sum(weight for _, weight in rows)), rows)


@pytest.mark.parametrize(
    ("weights", "name"),
    [
        ((1000.0,), "hot range"),
        ((997.0, 3.0), "hot range"),
        ((600.0, 400.0), "even"),
        ((997.0, 2.0, 1.0), "hot range"),
        ((600.0, 300.0, 100.0), "even"),
        ((0.0, 3.0, 997.0), "hot range"),
    ],
)
def test_a_dominant_range_among_few_is_hot(weights: tuple[float, ...], name: str) -> None:
    """Regression: with fewer than four ranges, one with 99.7 % of the requests was called even."""
    rows = [(f"row{number}".encode(), weight) for number, weight in enumerate(weights)]
    found = heat_map("t", [], [window(0, *rows)]).writes.patterns
    assert [pattern.name for pattern in found] == [name]
    if name == "hot range":
        share = "100%" if len(weights) == 1 else "99.7%"
        assert found[0].message.startswith(f"{share} go to keys from 'row")


@pytest.mark.parametrize("outlier", [b"zebra-crossing", b"user5x", b"\x00", b"user"])
def test_one_key_unlike_the_others_does_not_squash_the_map(outlier: bytes) -> None:
    """Its bytes took a share at every place, so that all other keys fell into two or three ranges."""
    rows = [(f"user{number:04}".encode(), 1.0) for number in range(10_000)]
    alone = heat_map("t", [], [window(0, *rows)]).writes
    side = heat_map("t", [], [window(0, *rows, (outlier, 1.0))]).writes
    used = [start for start in side.starts if start.startswith(b"user")]
    assert len(used) >= len(alone.starts) // 2
    assert [pattern.name for pattern in side.patterns] == ["even"]


@checklist("163", clause="the heat map shows the diagonal")
def test_keys_that_grow_make_a_diagonal(table: tuple[rs.Database, rs.Table], clock: ManualClock) -> None:
    db, t = table
    put_for_a_while(t, clock, ONE_BY_ONE, count=always)
    side = db.admin.metrics.heat_map("t").writes
    hottest = [max(range(len(line)), key=line.__getitem__) for line in side.cells]
    assert hottest == sorted(hottest)
    assert len(set(hottest)) > 8
    assert "keys go up" in str(side.patterns[0])


def test_a_hot_range_is_named_by_its_keys(table: tuple[rs.Database, rs.Table], clock: ManualClock) -> None:
    db, t = table
    put_for_a_while(t, clock, hot, count=always)
    [pattern] = db.admin.metrics.heat_map("t").writes.patterns
    share = int(pattern.message.split("%")[0])
    assert 70 <= share <= 85
    assert "'user00" in pattern.message
    start = int(pattern.message.split("'user")[1][:6])
    assert 6_000 <= start <= 7_100


def test_a_periodic_load_reports_its_period(table: tuple[rs.Database, rs.Table], clock: ManualClock) -> None:
    db, t = table
    put_for_a_while(t, clock, EVENLY, count=in_waves)
    [pattern] = [one for one in db.admin.metrics.heat_map("t").writes.patterns if one.name == "periodic"]
    assert pattern.message == "every 20 s"


@pytest.mark.parametrize(
    ("weights", "hot"),
    [
        ([1_000], [0]),
        ([600, 400], []),
        ([997, 3], [0]),
        ([26] + [1] * 974, []),
        ([60] + [1] * 940, [0]),
        ([29] + [10] * 97, []),
    ],
)
def test_a_hot_key_has_a_share_that_stands_out(weights: list[int], hot: list[int]) -> None:
    """Regression: a key with 2.6 % of the reads was a candidate."""
    rows = [(f"{number:04}".encode(), 1.0) for number, weight in enumerate(weights) for _ in range(weight)]
    side = heat_map("t", [window(0, *rows)], []).reads
    assert [int(key.row) for key in side.hot_keys] == hot


def test_little_traffic_has_no_pattern(table: tuple[rs.Database, rs.Table]) -> None:
    db, t = table
    for number in range(99):
        t.put(f"{number}", {"f:q": ""})
    found = db.admin.metrics.heat_map("t")
    assert (found.writes.total, found.writes.patterns) == (99, ())
