"""Run random scripts on a real HBase, the reference model and the store, and compare their answers.

    python -m tests.hbase.judge                      300 scripts, and the recorded cases again
    python -m tests.hbase.judge --scripts 2000 --seed 7000
    python -m tests.hbase.judge --model-only         without the store
    python -m tests.hbase.judge --script FILE        one script from a file

HBase's answers are the expected ones. A difference is shrunk to a small script and printed; `--write` stores it as a
recorded case. A script on which HBase itself hangs is compared up to that command and listed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.cases.record import needs_foreign_files
from tests.oracle.oracle import Oracle, is_command, with_answers
from tests.oracle.process import HANG
from tests.script.answers import Answer
from tests.script.compare import Difference, first_difference
from tests.script.generate.scripts import random_script
from tests.script.generate.shrink import shrink
from tests.script.parse import ParseError, parse_script
from tests.script.recorded import CASES, load_cases
from tests.script.runners.base import run_script
from tests.script.runners.model import ModelRunner
from tests.script.runners.store import StoreRunner, needs_disk

SCRIPTS = 300
COMMAND_TIMEOUT_MS = 8_000
SHRUNK_FAILURES = 5
"""Number of failed scripts to shrink. Shrinking sends hundreds of scripts to HBase."""


@dataclass(frozen=True)
class Verdict:
    """Result of one script: the first difference of each party, and whether HBase hung."""

    differences: dict[str, Difference]
    hang_line: str | None = None


@dataclass
class Totals:
    """Results of all scripts."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)


class Judge:
    """Runs scripts on all parties. Owns the HBase process; use as a context manager."""

    def __init__(self, with_store: bool) -> None:
        self._with_store = with_store
        self._oracle = Oracle(COMMAND_TIMEOUT_MS)

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *details: object) -> None:
        self._oracle.close()

    def judge(self, lines: Sequence[str]) -> Verdict:
        """Runs one script on all parties and compares the answers."""
        commands = parse_script(lines)
        asked = [line for line in lines if is_command(line)]
        expected = self._oracle.run(asked)
        differences: dict[str, Difference] = {}
        model = run_script(ModelRunner(), commands)
        if found := first_difference(asked, commands, expected, model):
            differences["model"] = found
        if self._with_store:
            store = run_script(StoreRunner(on_disk=needs_disk(commands)), commands)
            if found := first_difference(asked, commands, expected, store, with_store=True):
                differences["store"] = found
        return Verdict(differences, _hang_line(asked, expected))

    def shrunk(self, lines: Sequence[str], party: str, found: Difference) -> list[str]:
        """Shrinks a script to a small one on which this party still differs at the same kind of command."""
        kind = found.line.split()[0]

        def fails(candidate: list[str]) -> bool:
            try:
                still = self.judge(candidate).differences.get(party)
            except (ParseError, KeyError):
                return False
            return still is not None and still.line.split()[0] == kind

        return shrink(lines, fails)

    def recorded(self, lines: Sequence[str]) -> list[str]:
        """The script with HBase's answers, as a case file."""
        return with_answers(lines, self._oracle.run(lines))


def _hang_line(lines: Sequence[str], answers: Sequence[Answer]) -> str | None:
    for line, answer in zip(lines, answers, strict=True):
        if HANG in answer:
            return line
    return None


def judge_all(judge: Judge, scripts: Iterable[tuple[str, list[str]]], write: bool) -> Totals:
    """Judges named scripts; prints what differs."""
    totals = Totals()
    for name, lines in scripts:
        verdict = judge.judge(lines)
        if verdict.hang_line is not None:
            totals.hangs.append(f"{name}: {verdict.hang_line}")
        if not verdict.differences:
            totals.passed += 1
            continue
        totals.failed.append(name)
        for party, difference in verdict.differences.items():
            print(f"\n{name}: the {party} differs from HBase\n{difference}")
            if len(totals.failed) <= SHRUNK_FAILURES:
                _report_shrunk(judge, name, judge.shrunk(lines, party, difference), party, write)
    return totals


def _report_shrunk(judge: Judge, name: str, small: list[str], party: str, write: bool) -> None:
    print("shrunk to:\n  " + "\n  ".join(small))
    if write:
        stem = f"found_{name.replace(' ', '_')}_{party}"
        (CASES / f"{stem}.txt").write_text("\n".join(small) + "\n")
        (CASES / f"{stem}.out").write_text("\n".join(judge.recorded(small)) + "\n")
        print(f"written as tests/cases/{stem}")


def check_recorded() -> list[str]:
    """Returns the names of the recorded cases that HBase now answers differently."""
    with Oracle(COMMAND_TIMEOUT_MS) as oracle:
        own = [case for case in load_cases() if not needs_foreign_files(case.lines)]
        return [case.name for case in own if oracle.run(case.lines) != case.answers]


def random_scripts(first_seed: int, count: int) -> Iterator[tuple[str, list[str]]]:
    """(name, lines) of `count` random scripts."""
    for seed in range(first_seed, first_seed + count):
        yield f"seed {seed}", random_script(seed)


def with_progress(scripts: Iterable[tuple[str, list[str]]], total: int) -> Iterable[tuple[str, list[str]]]:
    """The scripts, with a progress bar on a terminal."""
    if not sys.stdout.isatty():
        return scripts
    try:
        from rich.progress import track
    except ImportError:
        return scripts
    return track(scripts, description="judging", total=total)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if all answers equal HBase's."""
    parser = argparse.ArgumentParser(prog="judge", description="Model and store against HBase.")
    parser.add_argument("--scripts", type=int, default=SCRIPTS, help="number of random scripts")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--model-only", action="store_true", help="leave the store out")
    parser.add_argument("--script", type=Path, help="judge this script instead")
    parser.add_argument("--write", action="store_true", help="write shrunk failures as cases")
    options = parser.parse_args(arguments)
    if options.script:
        named = [(options.script.stem, options.script.read_text().splitlines())]
        scripts: Iterable[tuple[str, list[str]]] = named
        changed: list[str] = []
    else:
        scripts = with_progress(random_scripts(options.seed, options.scripts), options.scripts)
        changed = check_recorded()
    with Judge(with_store=not options.model_only) as judge:
        totals = judge_all(judge, scripts, options.write)
    totals.failed += [f"recorded case {name}: HBase answers differently now" for name in changed]
    print_totals(totals)
    return 1 if totals.failed else 0


def print_totals(totals: Totals) -> None:
    """The summary: failures, hangs of HBase, and the counts as the last line."""
    for failure in totals.failed:
        print(f"failed: {failure}")
    for hang in totals.hangs:
        print(f"HBase hangs: {hang}")
    print(f"{totals.passed} passed, {len(totals.failed)} failed")


if __name__ == "__main__":
    sys.exit(main())
