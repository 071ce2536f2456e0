"""Kills writers, one after the other, on one directory.

python -m tests.crash.harness --kills 100 --seed 1 [--at DIR]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from tests.crash.oracle import Lost, Oracle


@dataclass
class Report:
    """What a run of kills came to."""

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
    """One life of a writer, which ends after `seconds`, or by itself once it said what it found. Gives its journal."""
    reading, writing = os.pipe()
    starts = ",".join(map(str, oracle.starts))
    task = "check" if seconds is None else "write"
    command = [sys.executable, "-m", "tests.crash.writer", str(directory), str(seed), str(writing), starts, task]
    with subprocess.Popen(command, pass_fds=[writing], cwd=Path(__file__).parents[2]) as process:
        os.close(writing)
        timer = threading.Timer(seconds or 0.0, process.send_signal, [signal.SIGKILL])
        with os.fdopen(reading, "rb") as pipe:
            journal = pipe.readline()
            if seconds is not None:
                timer.start()
            journal += pipe.read()
        code = process.wait()
        timer.cancel()
    if code != (0 if seconds is None else -signal.SIGKILL) and b"\nX " not in b"\n" + journal:
        raise Lost(f"the writer ended with {code}")
    # The last line may be cut: a kill can come between two bytes of nothing else.
    return journal[: journal.rfind(b"\n") + 1]


def run(directory: Path, kills: int, seed: int, longest: float) -> Report:
    """Kills `kills` writers at random moments.

    Raises:
        Lost: The database broke a promise; the directory stays as it is.
    """
    dice, oracle, in_recovery = random.Random(seed), Oracle(), 0
    for kill in range(kills):
        # Some die while they recover, the others at work.
        seconds = dice.uniform(0.0, 0.06) if dice.random() < 0.3 else dice.uniform(0.1, longest)
        try:
            in_recovery += not oracle.read(live(directory, seed * 1000 + kill, oracle, seconds))
        except Lost as error:
            raise Lost(f"seed {seed}, after kill {kill}, in {directory}: {error}") from error
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
    print(run(directory, arguments.kills, arguments.seed, arguments.longest))


if __name__ == "__main__":
    main()
