"""Metrics of this process from the operating system."""

from __future__ import annotations

import os
import resource
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """Numbers of a process; -1 if the operating system does not report them."""

    resident_bytes: int
    cpu_seconds: float
    threads: int
    open_files: int
    open_files_limit: int
    started_seconds: float

    @property
    def age_seconds(self) -> float:
        """Time since the process started."""
        return time.time() - self.started_seconds


def process() -> Process:
    """The current numbers."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    times = os.times()
    resident, threads = _of_linux()
    return Process(resident, times.user + times.system, threads, _open_files(), limit, _started())


def _of_linux() -> tuple[int, int]:
    """Memory and threads from /proc; on other systems peak memory and Python's thread count."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        return int(lines["VmRSS"].split()[0]) * 1024, int(lines["Threads"])
    except (OSError, KeyError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, threading.active_count()


def _open_files() -> int:
    for place in ("/proc/self/fd", "/dev/fd"):
        try:
            return len(list(Path(place).iterdir()))
        except OSError:
            continue
    return -1


_IMPORTED = time.time()


def _started() -> float:
    """Start time of the process; on other systems than Linux the import time of this module."""
    try:
        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        boot = next(line for line in Path("/proc/stat").read_text().splitlines() if line.startswith("btime"))
        return int(boot.split()[1]) + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return _IMPORTED
