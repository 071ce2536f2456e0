"""happybase's own test suite, unmodified, with happybase itself, before our port: in every transport and protocol."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rowstone as rs
from tests.happybase.judge import suite

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder() -> Path:
    return suite()


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("transport", ["buffered", "framed"])
def test_happybase_passes_its_own_suite(folder: Path, transport: str, protocol: str) -> None:
    with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0) as gateway:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "HAPPYBASE_HOST": "127.0.0.1",
            "ROWSTONE_THRIFT_PORT": str(gateway.port),
            "HAPPYBASE_TRANSPORT": transport,
            "ROWSTONE_THRIFT_PROTOCOL": protocol,
        }
        command = [sys.executable, "-m", "pytest", "-p", "tests.thrift.happybase_plugin", f"--rootdir={folder}", "-q"]
        # The suite asserts in threads, too.
        command += ["-W", "error::pytest.PytestUnhandledThreadExceptionWarning", "-c", os.devnull]
        done = subprocess.run(
            [*command, str(folder / "test_api.py")], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
        assert " passed" in done.stdout
        assert "skipped" not in done.stdout
