"""A whole run: start a target, let clients work while it is disturbed, collect the histories, check each row."""

from __future__ import annotations

import pickle
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path

import rowstone as rs
from tests.linearizability import judging
from tests.linearizability.checker import Undecided, Violation, check
from tests.linearizability.disruptions import Disruptions
from tests.linearizability.history import Operation, Outage, with_lost_attempts
from tests.linearizability.model import ANY
from tests.linearizability.targets import Target
from tests.linearizability.workers import LONGEST_START_SECONDS, Load, Outcome, Tickets, live

REPORT_SECONDS = 30


@dataclass
class Report:
    """Result of a run."""

    operations: int = 0
    rows: int = 0
    outages: list[Outage] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    disturbances: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    """Operations whose interval contains an outage, so that the client may have sent them again."""
    judged: str = ""
    """Summary of the judge's episodes."""
    load_seconds: float = 0.0
    check_seconds: float = 0.0
    violations: list[Violation] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether every row is linearizable."""
        return not (self.violations or self.undecided or self.problems)

    def __str__(self) -> str:
        failures = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failures.items()))
        done = ", ".join(f"{count} {kind}" for kind, count in sorted(self.disturbances.items()))
        unknown = ", ".join(f"{count} {kind}" for kind, count in sorted(self.unknown.items()))
        lines = [
            f"{self.operations:,} operations on {self.rows:,} rows in {self.load_seconds:.0f} s",
            f"failures: {failures}; disturbances: {done}",
            f"unknown outcomes: {self.unknown.total():,} ({unknown}); perhaps sent twice: {self.repeated:,}",
            *([self.judged] if self.judged else []),
            f"checked in {self.check_seconds:.0f} s: {len(self.violations)} rows not linearizable, "
            f"{len(self.undecided)} undecided",
            *map(str, self.violations[:3]), *self.undecided[:10], *self.problems,
        ]  # fmt: skip
        return "\n".join(lines)


def _check(history: list[Operation]) -> Violation | str | None:
    try:
        return check(history)
    except Undecided as error:
        return str(error)


def _start(load: Load, tickets: Tickets, folder: Path, processes: int) -> dict[Path, SpawnProcess]:
    """The processes of clients by the files of their histories."""
    context = get_context("spawn")
    workers = {}
    for first in range(processes):
        file, numbers = folder / f"history-{first}", list(range(first, load.clients, processes))
        workers[file] = context.Process(target=live, args=(load, numbers, tickets, file))
        workers[file].start()
    return workers


def _load(target: Target, load: Load, folder: Path, kills: int, processes: int, report: Report) -> list[Operation]:
    """Let the clients work; return what they did."""
    context = get_context("spawn")
    tickets = Tickets(context, load.clients)
    workers = _start(load, tickets, folder, processes)
    # Connecting is not repeated, so nothing is killed before all clients are connected.
    tickets.connected.wait(LONGEST_START_SECONDS)
    judge, judged = None, folder / "judged"
    if load.judge_seed is not None:
        arguments = (load.urls[0], load.judge_seed, load.operations, tickets, judged)
        judge = context.Process(target=judging.live, args=arguments)
        judge.start()
    began = time.monotonic()
    disruptions = Disruptions(target, tickets, operations=load.operations, kills=kills, seed=load.seed)
    disruptions.start()
    _disturb_until_done(disruptions, tickets, list(workers.values()))
    report.load_seconds = time.monotonic() - began
    report.outages, report.failures, report.disturbances = disruptions.outages, disruptions.failures, disruptions.done
    if judge is not None:
        judge.join()
        report.judged, problems = judging.summarize(pickle.loads(judged.read_bytes()), disruptions.recoveries)
        report.problems += problems
    report.problems += disruptions.problems + target.find_problems()
    operations: list[Operation] = []
    for file in workers:
        outcome: Outcome = pickle.loads(file.read_bytes())
        operations += outcome.operations
        report.unknown += outcome.unknown
        report.problems += outcome.problems
    return operations


def _disturb_until_done(disruptions: Disruptions, tickets: Tickets, workers: list[SpawnProcess]) -> None:
    reported = time.monotonic()
    while any(worker.is_alive() for worker in workers):
        time.sleep(0.02)
        disruptions.fail_if_due()
        if time.monotonic() - reported > REPORT_SECONDS:
            reported = time.monotonic()
            print(f"  {tickets.count:,} operations, {disruptions.failures.total()} failures", flush=True)
    disruptions.join()


def run(target: Target, load: Load, folder: Path, *, kills: int, processes: int) -> Report:
    """Run the load on the target, and check every row."""
    report = Report()
    with rs.connect(target.urls[0]) as db:
        target.create_tables(db)
    operations = _load(target, load, folder, kills, processes, report)
    report.operations = len(operations)
    (folder / "outages").write_bytes(pickle.dumps(report.outages))
    operations = with_lost_attempts(operations, report.outages, nonces_survive=target.nonces_survive)
    report.repeated = sum(bool(operation.lost_attempts) or operation.result == ANY for operation in operations)
    rows = defaultdict[int, list[Operation]](list)
    for operation in operations:
        rows[operation.row].append(operation)
    report.rows = len(rows)
    _check_rows(rows, folder, processes, report)
    return report


def _check_rows(rows: Mapping[int, list[Operation]], folder: Path, processes: int, report: Report) -> None:
    """Check rows in processes, and write down the histories that are not known to be linearizable."""
    began = reported = time.monotonic()
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        checks = {pool.submit(_check, history): row for row, history in rows.items()}
        for checked, done in enumerate(as_completed(checks), 1):
            result, row = done.result(), checks[done]
            if isinstance(result, Violation):
                report.violations.append(result)
            elif result is not None:
                report.undecided.append(result)
            if result is not None:
                print(f"  {str(result).splitlines()[0]}", flush=True)
                (folder / f"row-{row}.pickle").write_bytes(pickle.dumps(rows[row]))
            if time.monotonic() - reported > REPORT_SECONDS:
                reported = time.monotonic()
                print(f"  {checked:,} of {len(rows):,} rows checked", flush=True)
    report.check_seconds = time.monotonic() - began
