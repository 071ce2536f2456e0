"""Kills writers in sequence on one directory.

python -m tests.crash.harness --kills 100 --seed 1 [--at DIR]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.crash import writer
from tests.crash.forked import journal_of
from tests.crash.oracle import Lost, Oracle

PROGRESS_SECONDS = 5.0


@dataclass
class Report:
    """Result of a run of kills."""

    kills: int
    in_recovery: int
    acknowledged: int
    unknown: int
    lost_async: int
    lost_skip: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.in_recovery} of them before the recovery was complete; {self.acknowledged} "
            f"acknowledged operations found, {self.unknown} under way; never promised and not found: {self.lost_async} "
            f"ASYNC_WAL, {self.lost_skip} SKIP_WAL"
        )


def live(directory: Path, seed: int, oracle: Oracle, seconds: float | None) -> bytes:
    """Run a writer until `seconds` have passed, or until it has reported the contents. Return its journal."""

    def child(journal: int) -> None:
        writer.live(str(directory), seed, journal, oracle.starts, checks_only=seconds is None)

    return journal_of(child, seconds)


def seconds_to_live(dice: random.Random, longest: float) -> float:
    """Some die while they recover, most soon after, a few when there are many files and logs."""
    kind = dice.random()
    if kind < 0.3:
        return dice.uniform(0.0, 0.06)
    return dice.uniform(0.05, 0.5) if kind < 0.9 else dice.uniform(0.5, longest)


def run(directory: Path, kills: int, seed: int, longest: float, progress: bool = False) -> Report:
    """Kills `kills` writers at random moments.

    Raises:
        Lost: The database broke a promise; the directory stays as it is.
    """
    dice, oracle, in_recovery, told = random.Random(seed), Oracle(), 0, time.monotonic()
    for kill in range(kills):
        seconds = seconds_to_live(dice, longest)
        try:
            in_recovery += not oracle.read(live(directory, seed * 1000 + kill, oracle, seconds))
        except Lost as error:
            raise Lost(f"seed {seed}, after kill {kill}, in {directory}: {error}") from error
        if progress and time.monotonic() - told > PROGRESS_SECONDS:
            told = time.monotonic()
            print(f"  seed {seed}: {kill + 1} of {kills} kills, {oracle.acknowledged} operations found", flush=True)
    for _ in range(2):
        # Once after the last kill, once after a clean exit.
        if not oracle.read(live(directory, 0, oracle, None)):
            raise Lost(f"seed {seed}, in {directory}: the last look was not complete")
    return Report(kills, in_recovery, oracle.acknowledged, oracle.unknown, oracle.lost_async, oracle.lost_skip)


def main() -> None:
    """See the module's head."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=2.5, help="seconds of a writer's life, at most")
    parser.add_argument("--at", type=Path, help="an empty directory; kept")
    arguments = parser.parse_args()
    directory = arguments.at or Path(tempfile.mkdtemp(prefix="rowstone-crash-"))
    print(f"seed {arguments.seed} in {directory}")
    start = time.monotonic()
    report = run(directory, arguments.kills, arguments.seed, arguments.longest, progress=True)
    print(f"seed {arguments.seed}: {report}; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
