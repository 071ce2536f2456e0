"""Outcomes of Apache's tests: the runner's reports, the recorded table, and what a run prints.

Each line of `results.txt` has the class, the test with its parameters, and how it ended on a real HBase and on
Rowstone, with tabs between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results.txt"
REASONS = HERE / "reasons.txt"
CLASS_LEVEL = "(class)"
NOT_RUN = "none"

Test = tuple[str, str]


@dataclass(frozen=True)
class Outcome:
    """Outcome of a test (pass, fail or skip), with the reason."""

    status: str
    reason: str = ""


Outcomes = dict[Test, Outcome]
Table = dict[Test, tuple[str, str]]


def read_report(report: Path) -> Outcomes:
    """The outcomes of one class. No tests if the class never asked for a cluster: it tests no server."""
    if not report.exists():
        return {("", CLASS_LEVEL): Outcome("fail", "the runner did not start")}
    outcomes: Outcomes = {}
    connected = False
    ended: set[str] = set()
    for line in report.read_text(errors="replace").splitlines():
        event, test, reason = line.split("\t", 2)
        if event == "connected":
            connected = True
        elif event == "begin":
            outcomes[("", test)] = Outcome("fail", "the test process ended")
            ended.discard(test)
        elif event != "retry" and test not in ended:
            # After a hang, the process may still report an end.
            outcomes[("", test)] = Outcome(event, reason)
            ended.add(test)
    return outcomes if connected else {}


def read() -> Table:
    """The recorded table."""
    if not RESULTS.exists():
        return {}
    rows = (line.split("\t") for line in RESULTS.read_text().splitlines())
    return {(name, test): (hbase, rowstone) for name, test, hbase, rowstone in rows}


def write(table: Table) -> None:
    """Record the table."""
    lines = ["\t".join([*test, *row]) for test, row in sorted(table.items())]
    RESULTS.write_text("\n".join(lines) + "\n")


def combine(found: Mapping[str, Outcomes], recorded: Table) -> Table:
    """New outcomes next to the recorded ones of a server that did not run."""

    def status(name: str, test: Test) -> str:
        if name in found:
            return found[name][test].status if test in found[name] else NOT_RUN
        return recorded.get(test, (NOT_RUN, NOT_RUN))[name == "rowstone"]

    tests = {test for outcomes in found.values() for test in outcomes}
    tests |= set() if "hbase" in found and "rowstone" in found else set(recorded)
    return {test: (status("hbase", test), status("rowstone", test)) for test in tests}


def read_reasons() -> dict[Test, str]:
    """The tests that may fail on Rowstone, with reasons."""
    rows = (line.split("\t") for line in REASONS.read_text().splitlines())
    return {(name, test): reason for name, test, reason in rows}


def report(table: Table, rowstone: Outcomes) -> int:
    """Print the differences and totals; 1 if Rowstone fails a test without a reason in reasons.txt."""
    reasons = read_reasons()
    counted = {test: row for test, row in table.items() if row[0] == "pass" and test[1] != CLASS_LEVEL}
    failing = sorted(test for test, row in counted.items() if row[1] != "pass")
    for test in failing:
        reason = reasons.get(test) or f"UNEXPECTED {rowstone.get(test, Outcome('none')).reason}"
        print(f"{test[0]}.{test[1]}: {reason}")
    passed = len(counted) - len(failing)
    print(f"{len(counted)} of {len(table)} tests pass on HBase from outside, {passed} of these on Rowstone")
    return 1 if any(test not in reasons for test in failing) else 0
