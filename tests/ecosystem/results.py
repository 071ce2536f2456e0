"""Recorded outcomes of the ecosystem's programs, and the table of `docs/explanation/ecosystem.md`.

Each line of `results.txt` has the program, the test, how it ended on a real HBase and on Rowstone, the seconds on both,
and HBase's answer, with tabs between. `reasons.txt` has the tests that pass on HBase and may fail on Rowstone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.ecosystem.description import HERE, Program, list_keys, read
from tests.ecosystem.running import Outcome

RESULTS = HERE / "results.txt"
REASONS = HERE / "reasons.txt"
DOCUMENT = HERE.parent.parent / "docs" / "explanation" / "ecosystem.md"
MARKS = ("<!-- table -->", "<!-- end of table -->")
NOT_RUN = "none"


@dataclass(frozen=True)
class Row:
    """A test's outcomes on both servers, and HBase's answer."""

    hbase: str = NOT_RUN
    rowstone: str = NOT_RUN
    hbase_seconds: float = 0.0
    rowstone_seconds: float = 0.0
    answer: str = ""


Table = dict[tuple[str, str], Row]


def read_results() -> Table:
    """The recorded table."""
    if not RESULTS.exists():
        return {}
    rows = (line.split("\t") for line in RESULTS.read_text().splitlines())
    return {(row[0], row[1]): Row(row[2], row[3], float(row[4]), float(row[5]), row[6]) for row in rows}


def write_results(table: Table) -> None:
    """Record the table."""
    lines = [
        "\t".join(
            [*test, row.hbase, row.rowstone, f"{row.hbase_seconds:.1f}", f"{row.rowstone_seconds:.1f}", row.answer]
        )
        for test, row in sorted(table.items())
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


def read_reasons() -> dict[tuple[str, str], str]:
    """The tests that may fail on Rowstone, with reasons."""
    rows = (line.split("\t") for line in REASONS.read_text().splitlines())
    return {(key, test): reason for key, test, reason in rows}


def combine(key: str, found: Mapping[str, Mapping[str, Outcome]], recorded: Table) -> Table:
    """The rows of a program: new outcomes, and the recorded ones of a server that did not run."""
    rows: Table = {test: row for test, row in recorded.items() if test[0] == key}
    for name, outcome in found.get("hbase", {}).items():
        row = rows.get((key, name), Row())
        status, answer = ("pass", outcome.answer) if outcome.passed else ("fail", "")
        rows[key, name] = replace(row, hbase=status, hbase_seconds=outcome.seconds, answer=answer)
    for name, outcome in found.get("rowstone", {}).items():
        row = rows.get((key, name), Row())
        passed = outcome.passed and (row.hbase != "pass" or outcome.answer == row.answer)
        rows[key, name] = replace(row, rowstone="pass" if passed else "fail", rowstone_seconds=outcome.seconds)
    return rows


def report(rows: Table, rowstone: Mapping[tuple[str, str], Outcome]) -> int:
    """Print what fails on Rowstone alone; 1 if some of it has no reason."""
    reasons, unexpected = read_reasons(), 0
    for test, row in sorted(rows.items()):
        if row.hbase == "pass" and row.rowstone != "pass":
            reason = reasons.get(test)
            unexpected += reason is None
            found = rowstone[test].answer if test in rowstone else "it did not run"
            print(f"{test[0]}: {test[1]}: {reason or f'UNEXPECTED {found!r}, HBase {row.answer!r}'}")
    passed = [row for row in rows.values() if row.hbase == "pass"]
    both = sum(row.rowstone == "pass" for row in passed)
    print(f"{len(passed)} of {len(rows)} tests pass on HBase, {both} of these on Rowstone")
    return min(unexpected, 1)


def describe(program: Program, table: Table) -> str:
    """A program's line of the documentation's table."""
    passed = [row for (key, _), row in table.items() if key == program.key and row.hbase == "pass"]
    both = [row for row in passed if row.rowstone == "pass"]
    hbase, rowstone = sum(row.hbase_seconds for row in both), sum(row.rowstone_seconds for row in both)
    columns = [
        program.title,
        program.version,
        program.license,
        len(passed),
        len(both),
        f"{hbase:.0f} s",
        f"{rowstone:.0f} s",
    ]
    return f"| {' | '.join(map(str, columns))} |"


def write_document(table: Table) -> None:
    """Write the table of the documentation's page."""
    text = DOCUMENT.read_text()
    before, _, rest = text.partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    head = "| program | version | license | pass on HBase | of these on Rowstone | time on HBase | time on Rowstone |"
    rows = [describe(read(key), table) for key in list_keys() if any(test[0] == key for test in table)]
    lines = [MARKS[0], "", head, "|---|---|---|---|---|---|---|", *rows, "", MARKS[1]]
    DOCUMENT.write_text(before + "\n".join(lines) + after)
