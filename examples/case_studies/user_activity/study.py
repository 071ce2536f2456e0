"""Loads the activity of users five times, each with an index of another strategy, and asks all the same."""

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
"""Rows that come after the indexes were built."""

CHOICES = [
    ("the report may take its time, or the table is small", "filter: nothing to keep; in parallel over the regions"),
    ("yesterday's data is good enough", "periodic: a job brings the index up to date; `lag()` says how old it is"),
    ("a few programs write, and each row has one writer", "dual: they write both; `verify()` finds what a crash left"),
    ("wide ranges of much data, and counts or sums will do", "summary: a row a day answers what would be thousands"),
    ("the index must never differ from the table", "coprocessor: one record of the log for both; a directory has that"),
    (
        "nothing of this can be said yet",
        "how many users, how much data and how fast, which reports, how soon, how much power?",
    ),
]

ACCEPTED = {
    "L06": (
        "short values in columns of their own, as in most tables of events; entries of an index have no value at all"
    ),
    "L04": "the qualifier is the entry of a summary's member",
    "L38": "encodings would hide what the indexes weigh; a real table sets DATA_BLOCK_ENCODING",
    "L07": "entries are sorted by time, and time grows: an index by time is as hot as a table by time",
    "L18": "a summary keeps the members of a day in one row",
    "L14": "entries have no value, notes of the index have one",
    "schema": "attributes of Rowstone: which indexes a table has, and that writes are observed; HBase keeps them",
    "L12": (
        "of an entry every version stays until a marker hides it: what is written later may have an earlier timestamp"
    ),
    "L09": "entries begin with a letter that says what they are",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    rows = activities(SMALL if small else FULL)
    first, later = rows[:-LATER], rows[-LATER:]
    users = len({one.user for one in rows})
    data = (
        f"{len(first):,} rows of {users:,} users, keyed by user and time: flights of New York's aircraft "
        "in 2013 (real)."
    )
    report = Report("user-activity", "User activity", data)
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    indexes = {}
    for name in STRATEGIES:
        work = lambda name=name: indexes.update({name: load(db, name, first)})  # noqa: E731
        tables = [table_of(name)] + ([f"{table_of(name)}_by_time"] if name != "filter" else [])
        bench.load(name, "[user]-[time]", None, tables=tables, work=work)
    _ask(bench, indexes, first)
    report.grids.append(_costs(indexes))
    report.grids.append(_later(db, indexes, later))
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report


def _ask(bench: Bench, indexes: dict[str, Index], rows: list[Activity]) -> None:
    middle = rows[len(rows) // 2].at // DAY_MS * DAY_MS
    spans = {
        "an hour of all users": (middle + 14 * HOUR_MS, middle + 15 * HOUR_MS),
        "a day of all users": (middle, middle + DAY_MS),
    }
    for query, (start, stop) in spans.items():
        for name, index in indexes.items():
            question = index.query(start, stop)
            cost = bench.ask(query, name, lambda question=question: [row.key for row in question])
            told = question.explain()
            bench.report.costs[-1] = replace(cost, rows=told.index_rows + told.table_rows)
    for name, index in indexes.items():
        question = index.query(middle, middle + DAY_MS)
        cost = bench.ask(
            "rows and miles of that day", name, lambda i=index, question=question: _sums(i, question, middle)
        )
        told = question.explain()
        # A summary is asked for the bucket of the day, which is a row.
        bench.report.costs[-1] = replace(cost, rows=told.index_rows + told.table_rows or 1)


def _sums(index: Index, question: IndexQuery, day: int) -> list[tuple[int, int]]:
    """How many rows a day has, and how many miles: read from a summary, else added up."""
    if index.definition.strategy == "summary":
        return list(index.summary(day, day + DAY_MS - 1).values())
    miles = [int.from_bytes(row["f:miles"], "big") for row in question]
    return [(len(miles), sum(miles))]


def _costs(indexes: dict[str, Index]) -> Grid:
    lines = []
    for name, index in indexes.items():
        cost = index.cost()
        lines.append((name, f"{cost.entries:,}", f"{cost.index_bytes:,}", f"{cost.write_amplification:.2f}"))
    return Grid("What the indexes take", ("design", "entries", "bytes", "bytes written for each of the table"), lines)


def _later(db: rs.Database, indexes: dict[str, Index], later: list[Activity]) -> Grid:
    """What is found of rows that come after the index was built, before and after a rebuild of what is new."""
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
    headings = ("design", "a write", "rows behind", "found", "to catch up", "found then", "differences")
    return Grid(f"{LATER} rows that come later", headings, lines)
