"""Loads a year of weather as rows, packs copies by day and by week, and runs the same queries on each."""

from __future__ import annotations

from examples.case_studies.measure import REPEATS, Bench, Report
from examples.case_studies.time_series.packing import KEY, Series
from examples.case_studies.time_series.points import Point, points

import rowstone as rs

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
SMALL, FULL = 24 * 16, 24 * 366
PERIODS = {"a row per point": HOUR_MS, "packed by day": DAY_MS, "packed by week": 7 * DAY_MS}

CHOICES = [
    ("few points, or points are corrected one by one", "a row per point: no packing job, simple code"),
    ("very many points, read by hour or day", "packed: as many points in a row as a typical query reads"),
    ("points arrive late", "both: write rows and pack older ones; readers handle both forms"),
    (
        "single points are read at random",
        "a row per point, or short periods: a packed row is read as a whole unless the column is named",
    ),
]

ACCEPTED = {
    "L06": (
        "a value is shorter than its key, which is why points are packed. The remaining overhead is "
        "the cell's own 20 bytes"
    ),
    "L38": "an encoding would hide the size of the keys; a production table sets DATA_BLOCK_ENCODING",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    found = points(SMALL if small else FULL)
    report = Report(
        "time-series",
        "Time series",
        f"{len(found):,} points: nine weather metrics at three airports, hourly, 2013 (real data).",
    )
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    for name, period_ms in PERIODS.items():
        _load(bench, name, period_ms, found)
    _query(bench, found)
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report


def _table(name: str) -> str:
    return name.replace(" ", "_")


def _load(bench: Bench, name: str, period_ms: int, found: list[Point]) -> None:
    table = bench.db.create_table(_table(name), {"d": rs.Family()}) and bench.db.table(_table(name))

    def work() -> None:
        with table.batch() as writer:
            for point in found:
                writer.put(KEY.encode(point.host, point.metric, point.at), {"d:v": point.value})
        if period_ms > HOUR_MS:
            Series(table, period_ms).pack()

    bench.load(name, f"{KEY!r}"[4:-1], None, tables=[_table(name)], work=work)


def _query(bench: Bench, found: list[Point]) -> None:
    middle = found[len(found) // 6].at // DAY_MS * DAY_MS
    asked = {
        "an hour of a metric": (middle + HOUR_MS, middle + 2 * HOUR_MS),
        "a day of a metric": (middle, middle + DAY_MS),
        "a month of a metric": (middle, middle + 30 * DAY_MS),
    }
    for query, (start, stop) in asked.items():
        for name, period_ms in PERIODS.items():
            series = Series(bench.table(_table(name)), period_ms)
            bench.query(query, name, lambda series=series, a=start, b=stop: series.read("JFK", "temp", a, b))
    for name, period_ms in PERIODS.items():
        series = Series(bench.table(_table(name)), period_ms)
        bench.query("everything", name, lambda series=series: _everything(series))


def _everything(series: Series) -> int:
    """Number of points: a full scan."""
    with series.table.scan() as rows:
        return sum(len(row.cells) for row in rows)
