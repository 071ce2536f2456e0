"""A limit on the kernel's page cache for this process, so that tables of all sizes are read with the same share of it.

The limit is that of a memory cgroup (version 1 or 2), which needs the right to create one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
CHUNK_BYTES = 1 << 20
LOGS = {".wal", ".log"}
"""Suffixes of files that no read needs."""


@contextmanager
def limited(folder: Path, share: float) -> Iterator[None]:
    """Let the files below ``folder`` have page cache for ``share`` of their bytes, filled, while the block runs.

    The memory that the process has now is added to the limit. Raises OSError without the right to create a cgroup.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in LOGS]
    for path in files:
        drop(path)
    file_bytes = sum(path.stat().st_size for path in files)
    is_version_1 = (GROUPS / "memory").is_dir()
    parent = GROUPS / "memory" if is_version_1 else GROUPS
    group = parent / f"rowstone-scale-{os.getpid()}"
    group.mkdir()
    limit = group / ("memory.limit_in_bytes" if is_version_1 else "memory.max")
    try:
        limit.write_text(str(own_bytes() + int(share * file_bytes)))
        (group / "cgroup.procs").write_text(str(os.getpid()))
        for path in files:
            read(path)
        yield
    finally:
        (parent / "cgroup.procs").write_text(str(os.getpid()))
        group.rmdir()


def own_bytes() -> int:
    """The memory of this process that no file backs."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["RssAnon"].split()[0]) * 1024


def drop(path: Path) -> None:
    """Remove a file's pages from the page cache: pages that are there already are not charged to the cgroup."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def read(path: Path) -> None:
    """Read a file, so that its pages are in the page cache as far as they fit."""
    with path.open("rb", buffering=0) as file:
        while file.read(CHUNK_BYTES):
            pass
