"""Lets the disk below a database fail while it is written to, as root.

python -m tests.power.failing_disk --disks 20 --seed 1 [--on ext4 xfs]

A disk is a file in a tmpfs. In half of the runs, the tmpfs is smaller than the file: once it is full, the disk refuses
writes. In the others, the file system is shut down, as it does itself when it cannot write its own records. What must
hold:

* The writer gets a `StorageError`, and no signal ends its process.
* What was written can still be read in that process, up to the last put that succeeded.
* Once the disk works again, the database opens, with every write that was acknowledged as FSYNC_WAL.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import rowstone as rs
from rowstone import errors
from tests.power import host
from tests.power.children import Child, say

PATIENCE_SECONDS = 60.0
DISK_BYTES = 1 << 30
VALUE = b"v" * 100
SHUT_DOWN = 0x8004587D
"""`EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN`."""
WITHOUT_LOG_FLUSH = (2).to_bytes(4, sys.byteorder)


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
    # Closing cannot succeed on such a disk.
    with_error = False
    try:
        db.close()
    except errors.StorageError:
        with_error = True
    say(pipe, f"C {with_error}")


def count_rows(place: str, pipe: int) -> None:
    """Say how many rows there are until the first that is missing."""
    with rs.connect(place) as db:
        numbers = (int(row.key) for row in db.table("t").scan())
        say(pipe, f"R {next((count for count, number in enumerate(numbers) if number != count), None)}")


@contextmanager
def memory_disk(folder: Path) -> Iterator[Path]:
    """A tmpfs in `folder`."""
    folder.mkdir()
    host.run("mount", "-t", "tmpfs", "-o", f"size={2 * DISK_BYTES}", "tmpfs", folder)
    try:
        yield folder
    finally:
        host.unmount(folder)


def shut_down(place: Path) -> None:
    """Shut the file system of `place` down, without what it has not yet written."""
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.ioctl(handle, SHUT_DOWN, WITHOUT_LOG_FLUSH)
    finally:
        os.close(handle)


def write_until_it_fails(database: Path, every: int, fail_after: float | None) -> tuple[int, str]:
    """The number of the last synced row, and the writer's error. With `fail_after`, its file system is shut down then.

    Raises:
        Broken: A signal ended the writer, or a row could not be read.
    """
    synced, error = -1, ""
    timer = threading.Timer(fail_after, shut_down, [database.parent]) if fail_after is not None else None
    with Child(lambda pipe: write(str(database), pipe, every)) as child:
        for line in child.lines(PATIENCE_SECONDS):
            kind, _, rest = line.partition(" ")
            if kind == "S":
                synced = int(rest)
                if synced == 0 and timer:
                    timer.start()
            elif kind == "E":
                error = rest
            elif kind == "X":
                raise Broken(rest)
        status = child.wait()
    if timer:
        timer.join()
    if status != 0 or not error:
        raise Broken(f"the writer ended with status {status}, error {error!r}")
    return synced, error


def fail_once(kind: host.FileSystem, folder: Path, dice: random.Random) -> str:
    """One disk. Returns the writer's error.

    Raises:
        Broken: A promise is broken.
    """
    with memory_disk(folder / "memory") as memory:
        image, place = memory / "disk", folder / "disk"
        host.make_image(image, kind, DISK_BYTES)
        every, is_full = dice.choice([50, 1_000, 20_000]), dice.random() < 0.5
        fail_after = None if is_full else dice.uniform(0.0, 1.5)
        if is_full:
            size = image.stat().st_blocks * 512 + dice.randrange(20 << 20, 120 << 20)
            host.run("mount", "-o", f"remount,size={size}", memory)
        with host.loop_device(image) as device:
            with host.mounted(device, kind, place):
                synced, error = write_until_it_fails(place / "db", every, fail_after)
            host.run("mount", "-o", f"remount,size={2 * DISK_BYTES}", memory)
            with (
                host.mounted(device, kind, place),
                Child(lambda pipe: count_rows(str(place / "db"), pipe)) as child,
            ):
                lines = list(child.lines(PATIENCE_SECONDS))
        if not lines or not lines[0].startswith("R ") or (lines[0] != "R None" and int(lines[0][2:]) <= synced):
            raise Broken(f"{lines} after row {synced} was synced")
    return f"{'full device' if is_full else 'shut down'}: {error.partition(':')[0]}"


def main() -> int:
    """See the module's head."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", nargs="+", choices=sorted(host.FILE_SYSTEMS), default=["ext4", "xfs"])
    arguments = parser.parse_args()
    kinds = [host.FILE_SYSTEMS[name] for name in arguments.on]
    missing = host.find_missing(kinds, needs_fuse=False)
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
