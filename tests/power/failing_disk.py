"""Lets the disk below a database fail while it is written to, as root.

python -m tests.power.failing_disk --disks 20 --seed 1 [--on ext4 xfs]

From some moment on, the disk refuses all writes (`tests/power/disk.py`). ext4 and xfs then stop working, too. What must
hold:

* The writer gets a `StorageError`, and no signal ends its process.
* What was written can still be read in that process, up to the last put that succeeded.
* Once the disk works again, the database opens, with every write that was acknowledged as FSYNC_WAL.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import rowstone as rs
from rowstone import errors
from tests.power import host
from tests.power.children import Child, say
from tests.power.disk import recorded_disk

PATIENCE_SECONDS = 60.0
VALUE = b"v" * 100


class Broken(AssertionError):
    """The database broke a promise."""


def write(place: str, pipe: int, every: int) -> None:
    """Put rows until an error, one in `every` as FSYNC_WAL; then read the last that succeeded."""
    db = rs.connect(place)
    db.create_table("t", ["f"])
    table = db.table("t")
    number = 0
    try:
        while True:
            is_synced = number % every == 0
            table.put(f"{number:09}", {"f:q": VALUE}, durability="FSYNC_WAL" if is_synced else None)
            if is_synced:
                say(pipe, f"S {number}")
            number += 1
    except errors.StorageError as error:
        say(pipe, f"E {type(error).__name__}: {error}")
    if number and table.value(f"{number - 1:09}", "f:q") != VALUE:
        say(pipe, f"X row {number - 1} cannot be read")
    with suppress(errors.StorageError):
        db.close()


def count_rows(place: str, pipe: int) -> None:
    """Say how many rows there are before the first that is missing."""
    with rs.connect(place) as db:
        numbers = (int(row.key) for row in db.table("t").scan())
        say(pipe, f"R {sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], enumerate(numbers)))}")


def check(lines: list[str], synced: int) -> None:
    """Compare what `count_rows` said with the number of the last row that was acknowledged as FSYNC_WAL.

    Raises:
        Broken: The database did not open, or the row or one before it is missing.
    """
    if not lines or not lines[0].startswith("R ") or int(lines[0][2:]) <= synced:
        raise Broken(f"{lines} after row {synced} was synced")


def write_until_it_fails(database: Path, every: int, fail: Callable[[], None], seconds: float) -> tuple[int, str]:
    """The number of the last synced row, and the writer's error. `fail` is called after a time.

    Raises:
        Broken: A signal ended the writer, or a row could not be read.
    """
    synced, error = -1, ""
    timer = threading.Timer(seconds, fail)
    with Child(lambda pipe: write(str(database), pipe, every)) as child:
        for line in child.lines(PATIENCE_SECONDS):
            kind, _, rest = line.partition(" ")
            if kind == "S":
                synced = int(rest)
                if synced == 0:
                    timer.start()
            elif kind == "E":
                error = rest
            elif kind == "X":
                raise Broken(rest)
        status = child.wait()
    if status != 0 or not error:
        raise Broken(f"the writer ended with status {status}, error {error!r}")
    return synced, error


def fail_once(kind: host.FileSystem, folder: Path, dice: random.Random) -> str:
    """One disk. Returns the kind of the writer's error.

    Raises:
        Broken: A promise is broken.
    """
    broken, every, seconds = folder / "broken", dice.choice([50, 1_000, 20_000]), dice.uniform(0.0, 1.5)
    with recorded_disk(folder, host.LEAST_BYTES) as (disk, _), host.loop_device(disk, direct=True) as device:
        host.run(*kind.make, device)
        with host.mounted(device, kind, folder / "disk") as place:
            synced, error = write_until_it_fails(place / "db", every, broken.touch, seconds)
        broken.unlink()
        with (
            host.mounted(device, kind, folder / "disk") as place,
            Child(lambda pipe: count_rows(str(place / "db"), pipe)) as child,
        ):
            check(list(child.lines(PATIENCE_SECONDS)), synced)
    return error.partition(":")[0]


def main() -> int:
    """See the module's head."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", nargs="+", choices=sorted(host.FILE_SYSTEMS), default=["ext4", "xfs"])
    arguments = parser.parse_args()
    kinds = [host.FILE_SYSTEMS[name] for name in arguments.on]
    missing = host.find_missing(kinds, needs_fuse=True)
    if missing:
        print(missing, file=sys.stderr)
        return 2
    host.stop_cleanly()
    broken = 0
    for kind in kinds:
        dice, outcomes, began = random.Random(arguments.seed), Counter[str](), time.monotonic()
        for number in range(arguments.disks):
            with tempfile.TemporaryDirectory(prefix="rowstone-failing-") as folder:
                try:
                    outcomes[fail_once(kind, Path(folder), dice)] += 1
                except Broken as error:
                    broken += 1
                    print(f"  broken, {kind.name}, disk {number}: {error}", flush=True)
        print(f"{kind.name}, seed {arguments.seed}: {dict(outcomes)}; {time.monotonic() - began:.0f} s", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
