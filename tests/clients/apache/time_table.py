"""The table of `time_saved`: medians, ranges, and the classes that count.

A class counts if the same tests ran in every run, and all of them passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tests.clients.apache.results import Outcomes


@dataclass(frozen=True)
class Run:
    """One run of a test class: wall-clock and CPU time of the JVM and the server, and the outcomes of the tests."""

    seconds: float
    cpu_seconds: float
    outcomes: Outcomes


HEAD = """\
| class | tests | mini cluster, s | Rowstone, s | saved, s | CPU time, s |
|---|---|---|---|---|---|"""
Columns = tuple[list[Run], list[Run]]
"""The runs of a class with the mini cluster, and with Rowstone."""


def passed_alike(runs: Sequence[Run]) -> bool:
    """Whether every run had the same tests, and all of them passed."""
    first = runs[0].outcomes
    statuses = {outcome.status for run in runs for outcome in run.outcomes.values()}
    return statuses == {"pass"} and all(run.outcomes.keys() == first.keys() for run in runs)


def times(runs: Sequence[Run]) -> str:
    """Median and range of the wall-clock times."""
    seconds = [run.seconds for run in runs]
    return f"{median(seconds):.1f} ({min(seconds):.1f}–{max(seconds):.1f})"


def row(label: str, tests: int, mini_cluster: Sequence[Run], rowstone: Sequence[Run]) -> str:
    """A row of the table: seconds, saved seconds, and CPU seconds."""
    saved = median(run.seconds for run in mini_cluster) - median(run.seconds for run in rowstone)
    cpu = [f"{median(run.cpu_seconds for run in runs):.1f}" for runs in (mini_cluster, rowstone)]
    return f"| {label} | {tests} | {times(mini_cluster)} | {times(rowstone)} | {saved:.1f} | {cpu[0]}, {cpu[1]} |"


def total(columns: Sequence[Sequence[Run]]) -> list[Run]:
    """The sums over all classes, round by round."""
    rounds = zip(*columns, strict=True)
    return [Run(sum(run.seconds for run in runs), sum(run.cpu_seconds for run in runs), {}) for runs in rounds]


def report(runs: Mapping[str, Columns]) -> int:
    """Print the table of the classes that count; 1 if there are others."""
    counted = {name: each for name, each in runs.items() if passed_alike([*each[0], *each[1]])}
    for name in runs.keys() - counted.keys():
        every = [*runs[name][0], *runs[name][1]]
        statuses = [sorted(outcome.status for outcome in run.outcomes.values()) for run in every]
        print(f"{name} does not count, as not all its tests passed in each run: {statuses}")
    if counted:
        print(HEAD)
    for name, (mini_cluster, rowstone) in counted.items():
        print(row(f"`{name}`", len(rowstone[0].outcomes), mini_cluster, rowstone))
    if counted:
        mini_clusters, rowstones = zip(*counted.values(), strict=True)
        tests = sum(len(runs[0].outcomes) for runs in rowstones)
        print(row("together", tests, total(mini_clusters), total(rowstones)))
    return 0 if len(counted) == len(runs) else 1
