"""Runs of a backup or restore in a process of its own, to be killed.

The program takes ``backup`` or ``restore``, FROM, TO, NAME, OPTIONS and the size of a chunk.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import rowstone as rs
from rowstone._base.remote import chunks, lists

SMALL_CHUNK = 128 << 10
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Run:
    """The end of a run, and the most memory that it had."""

    is_killed: bool
    peak_bytes: int


def run(work: Callable[[], int] | None, by: int, *arguments: str, chunk_bytes: int = SMALL_CHUNK) -> Run:
    """Start the program, and kill it when ``work`` has grown by ``by``. None: let it end."""
    target = None if work is None else work() + by
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "python")])}
    command = [sys.executable, "-m", "tests.storage.runs", *arguments, str(chunk_bytes)]
    peak = 0
    with subprocess.Popen(command, env=environment) as process:
        while process.poll() is None and (work is None or target is None or work() < target):
            peak = max(peak, _peak_bytes(process.pid))
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
    if process.returncode not in (0, -signal.SIGKILL):
        raise AssertionError(f"the run ended with {process.returncode}")
    return Run(process.returncode != 0, peak)


def _peak_bytes(pid: int) -> int:
    with suppress(OSError):
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
        return int(found[1]) * 1024 if found else 0
    return 0


if __name__ == "__main__":
    made, source, target_, name, options = sys.argv[1:6]
    chunks.CHUNK_BYTES = lists.CHUNK_BYTES = int(sys.argv[6])
    getattr(rs, made)(source, target_, name=name, storage_options=json.loads(options))
