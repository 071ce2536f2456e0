"""Power cuts of a disk with a database, at any point of its recorded writes: on real file systems, as root.

python -m tests.power.cuts --images 300 --seed 1 [--on ext4 ext4-writeback xfs]

A workload runs on a file system on a disk that records every write and every flush. Then images are built of what the
disk may hold after a power cut at some moment; each is mounted, its database is opened and held against the journal,
which was kept outside of the disk. What must hold:

* Under FSYNC_WAL, and of what a flush covers in the log's order, every acknowledged write is there.
* Under SYNC_WAL, at most the last 100 ms of acknowledged writes are missing, and none before one that is there.
* Snapshots, backups and bulk loads that were acknowledged are there and whole; others are whole or not there. The index
  fits its table.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

from tests.power import host, workload
from tests.power.checking import Check, Found
from tests.power.children import Child, say
from tests.power.disk import recorded_disk
from tests.power.journal import Broken, Journal, worst
from tests.power.recording import KINDS, Images, Recording, room_for_logs

IMAGES_OF_ONE = 25
WORK_SECONDS = 6.0
PATIENCE_SECONDS = 60.0
MOST_LOST_NS = 100_000_000
SOON_NS = 20_000_000
LOST_KINDS = ("SYNC_WAL", "ASYNC_WAL")


@dataclass
class Figures:
    """Totals over the images of a file system."""

    images: int = 0
    events: int = 0
    loose: int = 0
    actions: int = 0
    acknowledged: int = 0
    snapshots: int = 0
    backups: int = 0
    loads: int = 0
    losses: dict[str, list[int]] = field(default_factory=lambda: {kind: [] for kind in LOST_KINDS})
    broken: list[str] = field(default_factory=list)

    def add(self, found: Found) -> None:
        self.images += 1
        self.acknowledged += found.acknowledged
        self.snapshots += found.snapshots
        self.backups += found.backups
        self.loads += found.loads
        for kind, losses in found.losses.items():
            self.losses[kind] += losses

    def __str__(self) -> str:
        synced, unsynced = worst(self.losses["SYNC_WAL"]), worst(self.losses["ASYNC_WAL"])
        return (
            f"{self.images} images of {self.events} writes and flushes with {self.actions} actions, {self.loose} "
            f"writes not flushed; {self.acknowledged} acknowledged writes, {self.snapshots} snapshots, "
            f"{self.backups} backups, {self.loads} bulk loads found whole; lost under SYNC_WAL: {synced}; "
            f"under ASYNC_WAL: {unsynced}; "
            f"{len(self.broken)} promises broken"
        )


def run_workload(place: Path, files: Path, journal: Journal, seconds: float) -> None:
    """Runs a workload in a new folder.

    Raises:
        Broken: It says that something is wrong.
    """
    place.mkdir()
    with Child(lambda pipe: workload.live(place / "db", files, journal.seed, pipe, seconds)) as child:
        for line in child.lines(PATIENCE_SECONDS):
            journal.read(line)
        if child.wait():
            raise Broken("the workload ended by itself")


def record(kind: host.FileSystem, folder: Path, seed: int) -> tuple[Journal, Recording]:
    """Runs a workload on a recorded disk."""
    journal = Journal(seed)
    files = folder / "files"
    files.mkdir()
    with (
        recorded_disk(folder, host.LEAST_BYTES) as (disk, log),
        host.loop_device(disk, direct=True) as device,
    ):
        host.run(*kind.make, device)
        with host.mounted(device, kind, folder / "disk") as place:
            # Blocks that another database had used: what an unwritten block shows is then as misleading as can be.
            run_workload(place / "before", files, Journal(seed + 1), 1.0)
            shutil.rmtree(place / "before")
            os.sync()
            run_workload(place / "now", files, journal, WORK_SECONDS)
    shutil.rmtree(files)
    journal.complete()
    return journal, Recording(log)


def choose_cuts(journal: Journal, recording: Recording, count: int, dice: random.Random) -> list[int]:
    """After how many events to cut the power.

    A quarter of the cuts are anywhere; a quarter within or soon after an action; a quarter just before flushes, more
    often before those that were long in coming, when most is to be lost; a quarter where many writes were not flushed.
    """
    first, last = recording.first_after(journal.start), len(recording.events)
    slow = [action for action in journal.actions if action.end is not None and action.kind not in ("delete", "merge")]
    flushes = [index for index in range(first, last) if recording.events[index].size is None]
    waits = [now - before for before, now in pairwise(recording.times[index] for index in flushes)]
    loose = [0]
    for event in recording.events[first : last - 1]:
        loose.append(0 if event.size is None else loose[-1] + 1)
    squares = [count * count for count in loose]
    cuts = []
    for number in range(count):
        action = dice.choice(slow)
        low = recording.first_after(action.begin)
        high = recording.first_after((action.end or 0) + SOON_NS)
        choices = [
            dice.randrange(first, last),
            dice.randint(low, max(low, min(high, last - 1))),
            dice.choices(flushes[1:], waits)[0],
            dice.choices(range(first, last), squares)[0],
        ]
        cuts.append(choices[number % len(choices)])
    return sorted(cuts)


def check_image(kind: host.FileSystem, folder: Path, image: Path, journal: Journal, moment: int) -> Found:
    """Mounts an image and checks its database, in a process of its own.

    Raises:
        Broken: A promise is broken.
    """

    def check(pipe: int) -> None:
        say(pipe, json.dumps(asdict(Check(place / "now", journal, moment).run())))

    with (
        host.loop_device(image) as device,
        host.mounted(device, kind, folder / "image-disk") as place,
        Child(check) as child,
    ):
        lines = list(child.lines(PATIENCE_SECONDS))
        status = child.wait()
    if len(lines) != 1 or lines[0].startswith("X "):
        raise Broken(f"the check ended with status {status}: {lines}")
    return Found(**json.loads(lines[0]))


def run_one(kind: host.FileSystem, count: int, seed: int, figures: Figures) -> None:
    """Records a workload and checks `count` images of it."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="rowstone-power-", dir=room_for_logs()) as name:
        folder = Path(name)
        journal, recording = record(kind, folder, seed)
        figures.events += len(recording.events)
        figures.actions += len(journal.actions)
        images = Images(recording, folder, host.LEAST_BYTES)
        for index, end in enumerate(choose_cuts(journal, recording, count, dice)):
            survivors = KINDS[index % len(KINDS)]
            moment = recording.times[end] - 1
            where = f"{kind.name}, seed {seed}, image {index}: cut after {end} events"
            loose = images.build(end, survivors, random.Random(f"{seed} {index}"))
            figures.loose += loose
            try:
                found = check_image(kind, folder, images.image, journal, moment)
            except (Broken, AssertionError) as error:
                figures.images += 1
                figures.broken.append(f"{where}, {survivors.name} of {loose} not flushed: {error}")
            else:
                figures.add(found)
                late = max(found.losses.get("SYNC_WAL", [0]))
                if late > MOST_LOST_NS:
                    figures.broken.append(f"{where}: SYNC_WAL lost {late / 1e6:.1f} ms")
        recording.close()


def main() -> int:
    """See the module's head."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", nargs="+", choices=sorted(host.FILE_SYSTEMS), default=list(host.FILE_SYSTEMS))
    arguments = parser.parse_args()
    kinds = [host.FILE_SYSTEMS[name] for name in arguments.on]
    missing = host.find_missing(kinds, needs_fuse=True)
    if missing:
        print(missing, file=sys.stderr)
        return 2
    host.stop_cleanly()
    is_whole = True
    for place, kind in enumerate(kinds):
        began, figures = time.monotonic(), Figures()
        count = arguments.images // len(kinds) + (place < arguments.images % len(kinds))
        for part, start in enumerate(range(0, count, IMAGES_OF_ONE)):
            run_one(kind, min(IMAGES_OF_ONE, count - start), arguments.seed * 1_000 + part, figures)
            print(f"  {kind.name}: {figures}", flush=True)
        print(f"{kind.name}, seed {arguments.seed}: {figures}; {time.monotonic() - began:.0f} s")
        for text in figures.broken:
            print(f"  broken: {text}")
        is_whole = is_whole and not figures.broken
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
