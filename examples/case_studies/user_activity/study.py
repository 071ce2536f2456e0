"""Loads the activity of users five times, each with another index strategy, and runs the same queries on each."""

from __future__ import annotations

import time
from dataclasses import replace

from examples.case_studies.measure import REPEATS, Bench, Grid, Report
from examples.case_studies.user_activity.data import Activity, activities
from examples.case_studies.user_activity.strategies import STRATEGIES, load, table_of, write

import rowstone as rs
from rowstone.indexes import Index, IndexQuery

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
SMALL, FULL = 1_500, 12_000
LATER = 100
"""Number of rows written after the indexes were built."""

CHOICES = [
    (
        "the report may be slow, or the table is small",
        "filter: nothing to maintain; can run in parallel over the regions",
    ),
    ("yesterday's data is recent enough", "periodic: a job updates the index; `lag()` returns its age"),
    (
        "a few programs write, and each row has one writer",
        "dual: the programs write both; `verify()` finds leftovers of a crash",
    ),
    (
        "wide ranges of much data, and counts or sums are enough",
        "summary: one row per day replaces thousands of entries",
    ),
    (
        "the index must never differ from the table",
        "coprocessor: one log record for both; available in a directory, not on a cluster",
    ),
    (
        "the requirements are unknown",
        "first find out: number of users, data volume and rate, reports, acceptable delay, CPU capacity",
    ),
]

ACCEPTED = {
    "L06": ("short values in separate columns, as in most event tables; index entries have no value"),
    "L04": "the qualifier identifies a member of the summary",
    "L38": "an encoding would hide the size of the indexes; a production table sets DATA_BLOCK_ENCODING",
    "L07": "entries are sorted by time, which grows: an index by time is as hot as a table by time",
    "L18": "a summary stores the members of a day in one row",
    "L14": "entries have no value, the index's own records have one",
    "schema": "Rowstone's attributes for indexes and observers; HBase stores them",
    "L12": ("an entry keeps every version until a marker hides it, because later writes may have earlier timestamps"),
    "L09": "entries begin with a letter for their kind",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    rows = activities(SMALL if small else FULL)
    first, later = rows[:-LATER], rows[-LATER:]
    users = len({one.user for one in rows})
    data = (
        f"{len(first):,} rows of {users:,} users, keyed by user and time: flights of New York's aircraft in 2013 "
        "(real data)."
    )
    report = Report("user-activity", "User activity", data)
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    indexes = {}
    for name in STRATEGIES:
        work = lambda name=name: indexes.update({name: load(db, name, first)})  # noqa: E731
        tables = [table_of(name)] + ([f"{table_of(name)}_by_time"] if name != "filter" else [])
        bench.load(name, "[user]-[time]", None, tables=tables, work=work)
    _query(bench, indexes, first)
    report.grids.append(_costs(indexes))
    report.grids.append(_later(db, indexes, later))
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report


def _query(bench: Bench, indexes: dict[str, Index], rows: list[Activity]) -> None:
    middle = rows[len(rows) // 2].at // DAY_MS * DAY_MS
    spans = {
        "an hour of all users": (middle + 14 * HOUR_MS, middle + 15 * HOUR_MS),
        "a day of all users": (middle, middle + DAY_MS),
    }
    for query, (start, stop) in spans.items():
        for name, index in indexes.items():
            question = index.query(start, stop)
            cost = bench.query(query, name, lambda question=question: [row.key for row in question])
            told = question.explain()
            bench.report.costs[-1] = replace(cost, rows=told.index_rows + told.table_rows)
    for name, index in indexes.items():
        question = index.query(middle, middle + DAY_MS)
        cost = bench.query(
            "rows and miles of that day", name, lambda i=index, question=question: _sums(i, question, middle)
        )
        told = question.explain()
        # A summary is asked for the bucket of the day, which is a row.
        bench.report.costs[-1] = replace(cost, rows=told.index_rows + told.table_rows or 1)


def _sums(index: Index, question: IndexQuery, day: int) -> list[tuple[int, int]]:
    """Number of rows and miles of a day, from the summary if there is one, else added up."""
    if index.definition.strategy == "summary":
        return list(index.summary(day, day + DAY_MS - 1).values())
    miles = [int.from_bytes(row["f:miles"], "big") for row in question]
    return [(len(miles), sum(miles))]


def _costs(indexes: dict[str, Index]) -> Grid:
    lines = []
    for name, index in indexes.items():
        cost = index.cost()
        lines.append((name, f"{cost.entries:,}", f"{cost.index_bytes:,}", f"{cost.write_amplification:.2f}"))
    return Grid("Size of the indexes", ("design", "entries", "bytes", "bytes written per byte of the table"), lines)


def _later(db: rs.Database, indexes: dict[str, Index], later: list[Activity]) -> Grid:
    """Later rows found through each index, before and after an incremental rebuild."""
    lines = []
    start, keys = later[0].at, {one.key for one in later}
    for name, index in indexes.items():
        began = time.perf_counter()
        write(db, index, later)
        micros = (time.perf_counter() - began) / len(later) * 1e6
        lag = index.lag()
        found = sum(row.key in keys for row in index.query(start, None))
        since = lag.since
        began = time.perf_counter()
        if lag.rows:
            index.rebuild(since=since)
        again = (time.perf_counter() - began) * 1e3
        after = sum(row.key in keys for row in index.query(start, None))
        differences = index.verify()
        wrong = differences.missing_count + differences.extra_count
        lines.append(
            (
                name,
                f"{micros:.0f} µs",
                f"{lag.rows:,}",
                f"{found}",
                f"{again:.1f} ms" if lag.rows else "",
                f"{after}",
                f"{wrong}",
            )
        )
    headings = ("design", "a write", "rows missing", "found", "time to rebuild", "found after that", "differences")
    return Grid(f"{LATER} rows written later", headings, lines)
