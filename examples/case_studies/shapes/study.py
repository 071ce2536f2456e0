"""Loads the year of weather in four shapes and asks all the same."""

from __future__ import annotations

from examples.case_studies.measure import REPEATS, Bench, Report
from examples.case_studies.shapes.forms import FORMS, load
from examples.case_studies.time_series.points import points

import rowstone as rs

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
SMALL, FULL = 24 * 16, 24 * 366

CHOICES = [
    ("nothing else is known", "tall: rows have no bound, split over regions, and filters and counts work on them"),
    (
        "a unit is read and changed as a whole, and has dozens to some thousands of members",
        "wide: one row is atomic, and slices of it can be read",
    ),
    (
        "points are tiny and read by the hour or day",
        "middle: fewer rows for the same cells, at the price of code that knows both levels",
    ),
    (
        "a few old values shall stay readable",
        "versions: up to a hundred or so; the time is then no longer yours for anything else",
    ),
]

ACCEPTED = {
    "L12": "versions without bound are what is shown to be wrong: all of them lie in one row, which is never split",
    "L06": "a measured value has three bytes; all shapes spend the same on coordinates, only elsewhere",
    "L04": "a qualifier that is a time has 8 bytes",
    "L38": "encodings would hide what the shapes weigh; a real table sets DATA_BLOCK_ENCODING",
    "L13": "a sample of one row has one series",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    found = points(SMALL if small else FULL)
    count = len({point[:2] for point in found})
    report = Report(
        "shapes",
        "Tall, wide and middle",
        f"{len(found):,} points of {count} series: the weather of New York's airports by the hour, 2013 (real).",
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
        bench.ask("the newest", form.name, lambda form=form: form.newest(tables[form.name], "JFK", "temp"))
    for query, (start, stop) in asked.items():
        for form in FORMS:
            bench.ask(
                query,
                form.name,
                lambda form=form, a=start, b=stop: form.between(tables[form.name], "JFK", "temp", a, b),
            )
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report
