"""The page about Spark runs as it is printed, in a process of its own: it starts and stops its Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = "from tests.python.test_docs import ELSEWHERE, run; run(*ELSEWHERE)"


def test_the_page_about_spark(tmp_path: Path) -> None:
    # Spark's messages go to stderr, doctest's to stdout.
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
