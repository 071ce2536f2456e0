"""Python scripts in processes of their own, for what ends or forks a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def start(script: str, *arguments: str | Path, **options: object) -> subprocess.Popen[str]:
    """Starts `script`; its output can be read line by line."""
    command = [sys.executable, "-X", "faulthandler", "-u", "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload, no-any-return]


def run(script: str, *arguments: str | Path, expect: int = 0) -> str:
    """Runs `script` to its end; what it printed."""
    process = start(script, *arguments)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == expect, f"status {process.returncode}\n{output}\n{errors}"
    return output
