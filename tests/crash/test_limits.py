"""A process that may open few files, and one that has little memory: errors and waiting, no loss and no growth."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("limit", ["few_files", "little_memory"])
def test_a_process_with_little_loses_nothing(limit: str, tmp_path: Path) -> None:
    # One arena: what counts here is what the store takes, not what the C library sets aside for every thread.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    command = [sys.executable, "-m", "tests.crash.limited", limit, str(tmp_path / "db")]
    process = subprocess.run(
        command, env=environment, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
