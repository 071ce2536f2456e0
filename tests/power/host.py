"""Loop devices, file systems and mounts of this machine. All of it needs root.

Whatever is set up here is a context manager that takes it down again, also after an error.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

COMMAND_SECONDS = 60.0


@dataclass(frozen=True)
class FileSystem:
    """A kind of file system: how it is made and how it is mounted."""

    name: str
    make: tuple[str, ...]
    options: str = "noatime"


_EXT4 = ("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0")
FILE_SYSTEMS = {
    kind.name: kind
    for kind in [
        FileSystem("ext4", _EXT4),
        FileSystem("ext4-writeback", _EXT4, "noatime,data=writeback"),
        FileSystem("xfs", ("mkfs.xfs", "-q", "-f", "-K")),
    ]
}
LEAST_BYTES = 304 << 20
"""mkfs.xfs makes nothing below 300 MiB."""


def find_missing(kinds: list[FileSystem], needs_fuse: bool) -> str | None:
    """Describe what this machine or user lacks to run the programs; ``None`` if nothing is missing."""
    if os.geteuid() != 0:
        return "mounting file systems needs root: run it as root, for example with sudo"
    devices = ["/dev/loop-control", *(["/dev/fuse"] if needs_fuse else [])]
    absent = [device for device in devices if not Path(device).exists()]
    absent += [name for name in ["losetup", "mount", *(kind.make[0] for kind in kinds)] if shutil.which(name) is None]
    return f"{', '.join(absent)} not found; on Debian: apt-get install mount e2fsprogs xfsprogs" if absent else None


def stop_cleanly() -> None:
    """Make SIGINT and SIGTERM raise an exception, so that mounts and loop devices are removed."""

    def stop(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def run(*command: str | Path) -> str:
    """The output of a command.

    Raises:
        RuntimeError: It failed; with what it said.
    """
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def loop_device(file: Path, *, direct: bool = False) -> Iterator[str]:
    """The name of a block device whose bytes are those of `file`."""
    device = run("losetup", "--find", "--show", f"--direct-io={'on' if direct else 'off'}", file)
    try:
        yield device
    finally:
        run("losetup", "--detach", device)


@contextmanager
def mounted(device: str, kind: FileSystem, folder: Path) -> Iterator[Path]:
    """The folder in which the file system of a device is mounted."""
    folder.mkdir(exist_ok=True)
    program = "ext4" if kind.name.startswith("ext4") else kind.name
    run("mount", "-t", program, "-o", kind.options, device, folder)
    try:
        yield folder
    finally:
        unmount(folder)


def unmount(folder: Path) -> None:
    """Unmounts; a file system whose last process was just killed may still be busy."""
    for _ in range(50):
        try:
            run("umount", folder)
            return
        except RuntimeError as error:
            if "busy" not in str(error):
                raise
            time.sleep(0.1)
    run("umount", folder)


def make_image(file: Path, kind: FileSystem, size: int) -> None:
    """Makes an empty file system of `size` bytes in a file."""
    with file.open("wb") as image:
        image.truncate(size)
    run(*kind.make, file)
