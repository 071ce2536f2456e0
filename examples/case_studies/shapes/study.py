"""Loads a year of weather in four shapes and runs the same queries on each."""

from __future__ import annotations

from examples.case_studies.measure import REPEATS, Bench, Report
from examples.case_studies.shapes.forms import FORMS, load
from examples.case_studies.time_series.points import points

import rowstone as rs

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
SMALL, FULL = 24 * 16, 24 * 366

CHOICES = [
    ("no other requirement is known", "tall: any number of rows, split over regions; row filters and counts work"),
    (
        "a unit with dozens to some thousands of members is read and changed as a whole",
        "wide: one row is atomic, and ranges of its columns can be read",
    ),
    (
        "points are tiny and read by hour or day",
        "middle: fewer rows for the same cells, but the code handles two levels",
    ),
    (
        "a few old values must stay readable",
        "versions: up to about a hundred; timestamps then cannot mean anything else",
    ),
]

ACCEPTED = {
    "L12": "the study shows why unbounded versions are wrong: all are in one row, which is never split",
    "L06": "values are short; all shapes need the same coordinates, only in different positions",
    "L04": "a time as qualifier has 8 bytes",
    "L38": "an encoding would hide the size of the shapes; a production table sets DATA_BLOCK_ENCODING",
    "L13": "a sample of one row has one series",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    found = points(SMALL if small else FULL)
    count = len({point[:2] for point in found})
    report = Report(
        "shapes",
        "Tall, wide and middle",
        f"{len(found):,} points of {count} series: hourly weather at New York's airports, 2013 (real data).",
    )
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    for form in FORMS:
        db.create_table(form.name, {"d": form.family})
        table = db.table(form.name)
        work = lambda table=table, form=form: load(table, form, found)  # noqa: E731
        bench.load(form.name, form.key, None, tables=[form.name], work=work)
    middle = found[len(found) // 6].at // DAY_MS * DAY_MS
    asked = {
        "an hour": (middle + HOUR_MS, middle + 2 * HOUR_MS),
        "a day": (middle, middle + DAY_MS),
        "a month": (middle, middle + 30 * DAY_MS),
        "the whole series": (0, 2**60),
    }
    tables = {form.name: bench.table(form.name) for form in FORMS}
    for form in FORMS:
        bench.query("the newest", form.name, lambda form=form: form.newest(tables[form.name], "JFK", "temp"))
    for query, (start, stop) in asked.items():
        for form in FORMS:
            bench.query(
                query,
                form.name,
                lambda form=form, a=start, b=stop: form.between(tables[form.name], "JFK", "temp", a, b),
            )
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report
