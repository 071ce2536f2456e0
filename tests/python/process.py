"""Python scripts in other processes, for tests that end or fork a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def start(script: str, *arguments: str | Path, **options: object) -> subprocess.Popen[str]:
    """Start `script`; its output can be read line by line."""
    command = [sys.executable, "-X", "faulthandler", "-u", "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload, no-any-return]


def run(script: str, *arguments: str | Path, expect: int = 0) -> str:
    """Run `script` to its end and return its output."""
    process = start(script, *arguments)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == expect, f"status {process.returncode}\n{output}\n{errors}"
    return output
