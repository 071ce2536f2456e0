"""Memory of a process."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path


def resident_bytes(pid: int | None = None) -> int:
    """Resident memory of the process, by default this one: from a file on Linux, otherwise from ``ps``."""
    number = os.getpid() if pid is None else pid
    status = Path(f"/proc/{number}/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize()
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(number)], capture_output=True, text=True, check=True)
    return int(shown.stdout) * 1024
