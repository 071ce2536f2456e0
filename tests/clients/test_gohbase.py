"""gohbase before our server: a session of more than 50 steps, by way of ZooKeeper.

Skipped where Go or the module is not to be had; the reason says which."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import rowstone as rs

SOURCES = Path(__file__).parent / "go"
LEAST_STEPS = 50


def built(folder: Path) -> Path:
    """The program of the session. Go fetches the module by its ordinary way, into its own cache."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("the program 'go' is not installed")
    shutil.copytree(SOURCES, folder)
    fetch = subprocess.run(
        [go, "mod", "download"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    if fetch.returncode != 0:
        pytest.skip(f"the module cannot be fetched: {fetch.stderr.strip()[-300:]}")
    build = [go, "build", "-o", "session", "."]
    done = subprocess.run(build, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "session"


def test_gohbase(tmp_path: Path) -> None:
    program = built(tmp_path / "go")
    with rs.serve(tmp_path / "db", port=0, zk_port=0) as server:
        command = [str(program), f"127.0.0.1:{server.zk_port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    steps = [line for line in done.stdout.splitlines() if line.startswith("ok ")]
    assert len(steps) >= LEAST_STEPS, done.stdout
