"""Loads the log under seven keys, predicts and counts the distribution of writes, and runs four queries on each."""

from __future__ import annotations

from collections import Counter

from examples.case_studies.log_data.keys import BUCKETS, designs
from examples.case_studies.log_data.questions import Log, week
from examples.case_studies.log_data.records import Record, records
from examples.case_studies.measure import REPEATS, Bench, Grid, Report

import rowstone as rs
from rowstone.keys import Key
from rowstone.schema import design

SMALL, FULL = 2_000, 340_000

CHOICES = [
    ("most questions are about a host", "host first; with reversed time if the newest lines matter most"),
    (
        "most questions are about a time range, over all hosts",
        f"buckets, only as many as are needed to spread the writes: each costs another scan ({BUCKETS} here)",
    ),
    (
        "times come in whole seconds or minutes",
        "a number of buckets that shares no divisor with that step, or a `salt`",
    ),
    (
        "names are long or of very different lengths",
        (
            "hashed (40 bytes, evenly spread; store the names as columns), or substituted (24 bytes, but new names "
            "are adjacent: here 42 % of the writes go to the region of the newest names)"
        ),
    ),
    (
        "one writer, few writes, every query by time",
        "time first: one region receives all writes, and that is enough",
    ),
]

ACCEPTED = {
    "L07": "time first shows the effect of growing keys, and 16 buckets amount to time first",
    "L06": (
        "a line has three small values, and the study compares keys. Several values in one cell, or packing "
        "(see time series), would help"
    ),
    "L29": "a table this small needs no splits; it has them to show the distribution of writes",
    "L10": "16 buckets show the effect of a remainder that never changes: 15 regions stay empty",
    "L38": "an encoding would hide the size of the keys; a production table sets DATA_BLOCK_ENCODING",
    "L42": "hashed keys are queried by host, never scanned as a whole",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    lines = records(SMALL if small else FULL)
    report = Report(
        "log-data",
        "Log data",
        (
            f"{len(lines):,} lines of {len({one.host for one in lines}):,} hosts: flights out of New York in "
            "2013 (real data), in time order."
        ),
    )
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    keys = designs(db)
    predicted = design.simulate(keys, [one.values() for one in lines[:: 1 if small else 10]])
    shares = {name: load(bench, name, key, lines, predicted[name].splits) for name, key in keys.items()}
    report.grids.append(_writes(predicted, shares))
    _query(bench, {name: Log(bench.table(_table(name)), key) for name, key in keys.items()}, lines)
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report


def _table(name: str) -> str:
    return name.replace(" ", "_")


def load(bench: Bench, name: str, key: Key, lines: list[Record], splits: tuple[bytes, ...]) -> list[float]:
    """Loads a table split by its first tenth. Returns each region's share of the remaining writes."""
    known = len(lines) // 10
    shares: list[float] = []

    def put(part: list[Record]) -> None:
        with bench.db.table(_table(name)).batch() as writer:
            for one in part:
                row = key.encode({"at": one.at, "host": one.host, "event": one.event})
                writer.put(row, {"d:h": one.host, "d:e": one.event, "d:v": one.value})

    def work() -> None:
        put(lines[:known])
        shares.extend(bench.write_shares(_table(name), lambda: put(lines[known:])))

    bench.db.create_table(_table(name), {"d": rs.Family()}, splits=list(splits))
    bench.load(name, key, None, tables=[_table(name)], work=work)
    return shares


def _writes(predicted: design.Simulation, shares: dict[str, list[float]]) -> Grid:
    lines = []
    for name, seen in shares.items():
        one = predicted[name]
        lines.append(
            (
                name,
                f"{len(seen)}",
                f"{one.hottest:.1%}",
                f"{max(seen):.1%}",
                f"{one.hottest_at_a_time:.1%}",
                f"{sum(share == 0 for share in seen)}",
                f"{one.key_bytes:.1f}",
            )
        )
    headings = (
        "design",
        "regions",
        "hottest, predicted",
        "hottest, counted",
        "at a time",
        "never reached",
        "bytes of a key",
    )
    return Grid("Distribution of writes", headings, lines)


def _query(bench: Bench, logs: dict[str, Log], lines: list[Record]) -> None:
    start, stop = week(lines)
    [(host, _)] = Counter(one.host for one in lines if one.event == "late").most_common(1)
    line = lines[len(lines) // 2]
    for name, log in logs.items():
        bench.query("a week of all hosts", name, lambda log=log: log.of_a_time(start, stop))
    for name, log in logs.items():
        bench.query("a week of a host", name, lambda log=log: log.of_a_host(host, start, stop))
    for name, log in logs.items():
        bench.query("a host's newest late departure", name, lambda log=log: log.newest(host, "late"))
    for name, log in logs.items():
        bench.query("a line", name, lambda log=log: log.one(line))
