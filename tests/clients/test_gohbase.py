"""gohbase before our server: a session of more than 50 steps, by way of ZooKeeper.

Skipped where the module is not to be had; the reason says why."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import rowstone as rs

SOURCES = Path(__file__).parent / "go"
LEAST_STEPS = 50


def run_go(arguments: list[str], folder: Path) -> str:
    """Run Go and return its output. Go fetches modules in the usual way, into its own cache."""
    go = shutil.which("go")
    assert go is not None, "the program 'go' is not installed"
    done = subprocess.run([go, *arguments], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def built(folder: Path) -> Path:
    """The program of the session."""
    shutil.copytree(SOURCES, folder)
    run_go(["build", "-o", "session", "."], folder)
    return folder / "session"


def test_gohbase_passes_its_session(tmp_path: Path) -> None:
    program = built(tmp_path / "go")
    with rs.serve(tmp_path / "db", port=0, zk_port=0) as server:
        command = [str(program), f"127.0.0.1:{server.zk_port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    steps = [line for line in done.stdout.splitlines() if line.startswith("ok ")]
    assert len(steps) >= LEAST_STEPS, done.stdout
