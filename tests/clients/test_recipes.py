"""The recipes for other projects' CI: their own tests, with the server of this source tree as the program `rowstone`.

`integrations/junit5` is a JUnit 5 extension, built by Maven; `integrations/go` a helper for gohbase.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import rowstone as rs

ROOT = Path(__file__).parents[2]
INTEGRATIONS = ROOT / "integrations"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program `rowstone` that runs this package."""
    path = tmp_path / "rowstone"
    package = Path(rs.__file__).parents[1]
    main = "from rowstone.cli import main; main()"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{package}" exec "{sys.executable}" -c "{main}" "$@"\n')
    path.chmod(0o755)
    return path


def run(command: Sequence[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=900, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    return done.stdout


def test_the_junit_extension(tmp_path: Path, program: Path) -> None:
    folder = shutil.copytree(INTEGRATIONS / "junit5", tmp_path / "junit5", ignore=shutil.ignore_patterns("target"))
    output = run(["mvn", "-B", "package", f"-Drowstone.command={program}"], folder)
    assert re.search(r"Tests run: 7, Failures: 0, Errors: 0, Skipped: 0", output), output[-4000:]
    assert (folder / "target" / f"rowstone-junit5-{rs.__version__}.jar").exists()


def test_the_go_helper(tmp_path: Path, program: Path) -> None:
    folder = shutil.copytree(INTEGRATIONS / "go", tmp_path / "go")
    output = run(["go", "test", "-count=1", "-v", "./..."], folder, ROWSTONE_COMMAND=str(program))
    assert len(re.findall(r"^--- PASS: ", output, re.MULTILINE)) == 4, output
