"""The parent: kills, reads the journal, compares what the next child finds with what all before it did."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import rowstone as rs
from tests.crash.administration import child
from tests.crash.administration.model import Model, Operation, Table
from tests.crash.forked import journal_of
from tests.crash.oracle import Lost

SHORT_LIVES = 0.25
"""Share of children that are killed during or soon after recovery."""


@dataclass
class Report:
    """Result of a run."""

    kills: int = 0
    in_recovery: int = 0
    seconds: float = 0.0
    operations: Counter[str] = field(default_factory=Counter)
    maintenance: Counter[str] = field(default_factory=Counter)
    scans: int = 0
    scans_apart: int = 0
    """Scans that were not compared because a change of all rows ran meanwhile."""
    under_way: int = 0

    def __str__(self) -> str:
        def listed(counts: Counter[str]) -> str:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))
            return f"{counts.total():,} ({kinds})"

        return (
            f"{self.seconds:.0f} s, {self.kills} kills, {self.in_recovery} of them before the recovery was complete; "
            f"operations: {listed(self.operations)}, {self.under_way} under way at a kill; "
            f"maintenance: {listed(self.maintenance)}; {self.scans:,} scans compared, {self.scans_apart:,} not"
        )


class Judge:
    """The model after all acknowledged operations, and after the one that may have been executed or not."""

    def __init__(self) -> None:
        self.model = Model()
        self.pending: Operation | None = None
        self.number = 0
        self.report = Report()
        self._was_cut_short = False
        """Whether a child was killed while it read the contents: a disabled table is enabled for that."""

    def snapshots(self) -> dict[str, Table]:
        """The contents of each possible snapshot."""
        after = self.model.copy()
        if self.pending:
            after.apply(self.pending)
        return {**after.snapshots, **self.model.snapshots}

    def read(self, journal: bytes) -> bool:
        """Read a child's journal; return whether its report of the contents is complete."""
        is_whole, found = False, Model()
        for line in journal.decode().splitlines():
            what = json.loads(line[2:])
            match line[0]:
                case "X":
                    raise Lost(what)
                case "T":
                    name, families, is_enabled, rows = what
                    contents = {row: tuple((column, number) for column, number in pairs) for row, pairs in rows.items()}
                    found.tables[name] = Table(frozenset(families), contents, is_enabled)
                case "N":
                    found.snapshots = {name: Table() for name in what}
                case "E":
                    is_whole = True
                    self.compare(found)
                case "I":
                    number, kind, arguments = what
                    self.pending, self.number = Operation(number, kind, arguments), number
                case "A":
                    self._acknowledged()
                case "C":
                    self.report.scans += what[0]
                    self.report.scans_apart += what[1]
                case "M":
                    self.report.maintenance[what] += 1
        self._was_cut_short = not is_whole
        return is_whole

    def _acknowledged(self) -> None:
        assert self.pending
        self.model.apply(self.pending)
        self.report.operations[self.pending.kind] += 1
        self.pending = None

    def compare(self, found: Model) -> None:
        """Raises Lost where what was found is neither the model nor the model after the operation under way."""
        before, after = self.model, self.model.copy()
        if self.pending:
            self.report.under_way += 1
            after.apply(self.pending)
        if self.pending and self.pending.kind == "batch":
            # Each row of it on its own.
            mixed, name = before.copy(), self.pending.arguments["table"]
            for row in self.pending.arguments["rows"]:
                there = found.tables[name].rows.get(row, ()) if name in found.tables else ()
                if there == after.tables[name].rows.get(row, ()):
                    Model.put(mixed.tables[name], row, there)
            after = mixed
        for candidate in (before, after):
            if self._was_cut_short:
                for name in found.tables.keys() & candidate.tables.keys():
                    candidate.tables[name].is_enabled |= found.tables[name].is_enabled
            if not found.differs(candidate):
                self.model, self.pending = candidate, None
                return
        under_way = f"; or, with {self.pending}, {found.differs(after)}" if self.pending else ""
        raise Lost(f"found is not acknowledged: {found.differs(before)}{under_way}")


def live(directory: Path, seed: int, judge: Judge, seconds: float | None) -> bytes:
    """Run a child until `seconds` have passed, or until it has reported the contents. Return its journal."""
    snapshots = judge.snapshots()

    def at_work(journal: int) -> None:
        child.live(str(directory), seed, journal, snapshots, judge.number, checks_only=seconds is None)

    return journal_of(at_work, seconds)


def lives(dice: random.Random, seconds: float, kills: int) -> list[float]:
    """Lifetimes of the children, about `seconds` in total."""
    short = [dice.random() < SHORT_LIVES for _ in range(kills)]
    weights = [0.0 if is_short else dice.uniform(0.3, 1.7) for is_short in short]
    whole = sum(weights) or 1.0
    return [dice.uniform(0.0, 0.3) if not weight else max(0.3, seconds * weight / whole) for weight in weights]


def run(directory: Path, seconds: float, kills: int, seed: int, progress: bool = False) -> Report:
    """Kills `kills` children within about `seconds`.

    Raises:
        Lost: The database broke a promise; the directory stays as it is.
    """
    dice, judge, start = random.Random(seed), Judge(), time.monotonic()
    report = judge.report
    plan: list[float | None] = [*lives(dice, seconds, kills)]
    # Once after the last kill, once after a clean exit.
    for life, length in enumerate([*plan, None, None]):
        try:
            is_whole = judge.read(live(directory, seed * 1000 + life, judge, length))
            if length is None and not is_whole:
                raise Lost("the last look was not complete")
        except Lost as error:
            raise Lost(f"seed {seed}, life {life}, in {directory}: {error}") from error
        report.kills += length is not None
        report.in_recovery += not is_whole
        report.seconds = time.monotonic() - start
        if progress:
            done = f"{report.operations.total():,} operations, {report.scans:,} scans"
            print(f"  seed {seed}: {report.kills} of {kills} kills, {report.seconds:.0f} s, {done}", flush=True)
    found = rs.check(directory)
    if not found.is_clean:
        raise Lost(f"seed {seed}, in {directory}: {found}")
    return report
