"""Fills a disk with a database, kills its process, opens it again: on small file systems of real kinds, as root.

python -m tests.power.full_disk --cycles 10 --seed 1 [--on ext4 xfs]

A cycle is one process: it opens the database, says what is there, drops tables and compacts another, and writes until
the disk is full and beyond. It is killed before that, when it is full, or while room is made. What must hold:

* The database opens every time, and holds every acknowledged write.
* Dropping a table and compacting work on the full disk, and writes are taken within 5 s from then on.
* No write waits for more than 5 s, and the refusal is `DiskFull`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.power import filling, host
from tests.power.children import Child

FREE_BYTES = 64 << 20
PATIENCE_SECONDS = 60.0
MOST_MS = 5_000
KILLS = ["filling", "full", "full", "dropping", "dropping"]


class Broken(AssertionError):
    """The database broke a promise."""


@dataclass
class Content:
    """Knowledge of a row: its last acknowledged operation, and those with an unknown outcome."""

    number: int = 0
    open: frozenset[int] = frozenset()


@dataclass
class Figures:
    """Totals of a run."""

    cycles: int = 0
    full: int = 0
    acknowledged: int = 0
    refused: int = 0
    drops: int = 0
    compactions: int = 0
    compactions_refused: int = 0
    slowest_open_ms: int = 0
    slowest_write_ms: int = 0
    slowest_room_ms: int = 0
    broken: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.cycles} cycles, {self.full} of them to a full disk; {self.acknowledged} acknowledged writes found, "
            f"{self.refused} refused with DiskFull; {self.drops} drops, {self.compactions} compactions, "
            f"{self.compactions_refused} refused beside writers; slowest: open {self.slowest_open_ms} ms, "
            f"write or refusal {self.slowest_write_ms} ms, room for writes {self.slowest_room_ms} ms; "
            f"{len(self.broken)} promises broken"
        )


class Oracle:
    """Follows a database through its processes."""

    def __init__(self) -> None:
        self.figures = Figures()
        self.rows: dict[tuple[str, str], Content] = {}
        self.starts = list(range(filling.THREADS))
        self._found: dict[tuple[str, str], int] = {}
        self._doing: dict[int, tuple[str, str]] = {}
        self._dropping: set[str] = set()
        self._dropped: set[str] = set()

    def read(self, line: str) -> None:
        """Process one line of a child's output.

        Raises:
            Broken: An acknowledged write is missing.
        """
        kind, _, rest = line.partition(" ")
        figures, parts = self.figures, rest.split(" ")
        if kind == "O":
            self._found, self._doing = {}, {}
            figures.slowest_open_ms = max(figures.slowest_open_ms, int(rest))
        elif kind == "R":
            self._found[parts[0], parts[1]] = int(parts[2])
        elif kind == "E":
            self.check()
        elif kind == "D":
            self._dropping.add(rest)
        elif kind == "d":
            figures.drops += 1
            self._forget(rest)
        elif kind in "FX":
            figures.broken.append(rest)
        elif kind == "M":
            figures.compactions_refused += 1
        elif kind == "C":
            figures.compactions += 1
        elif kind == "W":
            figures.slowest_room_ms = max(figures.slowest_room_ms, int(rest))
        elif kind in "IAN":
            self._read_write(kind, parts, rest)

    def _read_write(self, kind: str, parts: list[str], rest: str) -> None:
        thread, number = int(parts[0]), int(parts[1])
        if kind == "I":
            self.starts[thread] = number
            self._doing[thread] = (parts[2], parts[3])
            known = self.rows.get(self._doing[thread], Content())
            self._note(self._doing[thread], Content(known.number, known.open | {number}))
            return
        self.figures.slowest_write_ms = max(self.figures.slowest_write_ms, int(parts[2]))
        if int(parts[2]) > MOST_MS:
            self.figures.broken.append(f"a write took longer than {MOST_MS} ms: {rest}")
        place = self._doing.pop(thread)
        if kind == "A":
            self.figures.acknowledged += 1
            self._note(place, Content(number))
        elif parts[3] == "DiskFull:":
            self.figures.refused += 1
        elif place[0] not in self._dropping:
            self.figures.broken.append(f"a write was refused without the reason: {rest}")

    def _note(self, place: tuple[str, str], content: Content) -> None:
        if place[0] not in self._dropped:
            self.rows[place] = content

    def _forget(self, table: str) -> None:
        self._dropped.add(table)
        self.rows = {place: content for place, content in self.rows.items() if place[0] != table}

    def check(self) -> None:
        """Compares the rows that a process found with the acknowledged operations, and goes on from there.

        Raises:
            Broken: Something is missing, or a row was never written.
        """
        tables = {table for table, _ in self._found}
        if tables & self._dropped:
            raise Broken(f"dropped, and there again: {sorted(tables & self._dropped)}")
        for table in self._dropping - tables:
            self._forget(table)
        self._dropping = set()
        for place in {*self.rows, *self._found}:
            known, found = self.rows.get(place, Content()), self._found.get(place, 0)
            if found != known.number and found not in known.open:
                raise Broken(f"{place}: found {found}, acknowledged {known.number}, open {sorted(known.open)}")
        self.rows = {place: Content(number) for place, number in self._found.items()}


def live(database: Path, cycle: int, oracle: Oracle, dice: random.Random) -> None:
    """One process: from opening to its kill."""
    kind, newest, starts = KILLS[cycle % len(KILLS)], f"t{cycle:04}", list(oracle.starts)
    drops = kind == "dropping"
    timer: threading.Timer | None = None
    was_full, drops_before = False, 0
    with Child(lambda pipe: filling.live(str(database), pipe, starts, newest, drops=drops)) as child:
        for line in child.lines(PATIENCE_SECONDS):
            oracle.read(line)
            if line.startswith("X "):
                # The next process continues from here.
                break
            is_full = line.startswith("N ") and " DiskFull:" in line
            if is_full and not was_full:
                was_full, drops_before = True, oracle.figures.drops
            begins = (
                (kind == "filling" and line.startswith("I "))
                or (kind == "full" and is_full)
                or (drops and was_full and (line.startswith("D ") or oracle.figures.drops > drops_before))
            )
            if begins and timer is None:
                timer = threading.Timer(dice.random() * (0.3 if drops and dice.random() < 0.5 else 1.5), child.kill)
                timer.start()
        if timer is not None:
            timer.join()
    oracle.figures.cycles += 1
    oracle.figures.full += was_full


def run(kind: host.FileSystem, cycles: int, seed: int, folder: Path, *, progress: bool = False) -> Figures:
    """Runs `cycles` processes on a file system of that kind.

    Raises:
        Broken: A promise is broken.
    """
    dice, oracle = random.Random(seed), Oracle()
    image, place = folder / f"{kind.name}.img", folder / kind.name
    host.make_image(image, kind, host.LEAST_BYTES)
    with host.loop_device(image) as device, host.mounted(device, kind, place):
        space = os.statvfs(place)
        with (place / "ballast").open("wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, space.f_bavail * space.f_frsize - FREE_BYTES)
        for cycle in range(cycles):
            live(place / "db", cycle, oracle, dice)
            if progress:
                print(f"  {kind.name}: {oracle.figures}", flush=True)
        for _ in range(2):
            with Child(lambda pipe: filling.leave(str(place / "db"), pipe)) as child:
                for line in child.lines(PATIENCE_SECONDS):
                    oracle.read(line)
    return oracle.figures


def main() -> int:
    """See the module's head."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", nargs="+", choices=sorted(host.FILE_SYSTEMS), default=["ext4", "xfs"])
    arguments = parser.parse_args()
    kinds = [host.FILE_SYSTEMS[name] for name in arguments.on]
    missing = host.find_missing(kinds, needs_fuse=False)
    if missing:
        print(missing, file=sys.stderr)
        return 2
    host.stop_cleanly()
    is_whole = True
    for kind in kinds:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="rowstone-full-") as folder:
            figures = run(kind, arguments.cycles, arguments.seed, Path(folder), progress=True)
        print(f"{kind.name}, seed {arguments.seed}: {figures}; {time.monotonic() - began:.0f} s")
        for text in figures.broken:
            print(f"  broken: {text}")
        is_whole = is_whole and not figures.broken
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
