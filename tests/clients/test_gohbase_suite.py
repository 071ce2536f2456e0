"""gohbase's own integration suite, unmodified, before our server.

Its sources come with the module. Left out are the tests of what one server does not have; the reason stands by each."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import rowstone as rs
from tests.clients.test_gohbase import SOURCES

MODULE = "github.com/tsuna/gohbase"
LEFT_OUT = {
    "TestChangingRegionServers": "starts and stops region servers with HBase's scripts",
    "TestReplication": "adds replication peers",
}
LEASE_MS = 5_000
"""What the suite wants the server to be set to."""
LEAST_TESTS = 45


def suite(folder: Path) -> Path:
    """The program of the suite. Go fetches module and libraries by its ordinary way, into its own cache."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("the program 'go' is not installed")
    command = [go, "list", "-m", "-f", "{{.Dir}}", MODULE]
    shutil.copytree(SOURCES, folder / "module")
    for step in ([go, "mod", "download"], command):
        found = subprocess.run(
            step, cwd=folder / "module", capture_output=True, text=True, timeout=300, check=False
        )
        if found.returncode != 0:
            pytest.skip(f"the module cannot be fetched: {found.stderr.strip()[-300:]}")
    # Modules lie in the cache for reading only; the suite wants the libraries of its own tests, which ours does not name.
    shutil.copytree(found.stdout.strip(), folder / "gohbase", copy_function=shutil.copyfile)
    for place in (folder / "gohbase", *(folder / "gohbase").rglob("*/")):
        place.chmod(0o755)
    build = [go, "test", "-c", "-tags", "integration", "-o", "suite", "."]
    done = subprocess.run(
        build, cwd=folder / "gohbase", capture_output=True, text=True, timeout=600, check=False
    )
    if "dial tcp" in done.stderr or "no such host" in done.stderr:
        pytest.skip(f"a library of the suite cannot be fetched: {done.stderr.strip()[-300:]}")
    assert done.returncode == 0, done.stderr
    return folder / "gohbase" / "suite"


def test_its_own_suite(tmp_path: Path) -> None:
    program = suite(tmp_path)
    with rs.serve(tmp_path / "db", port=0, zk_port=0, lease_ms=LEASE_MS) as server:
        command = [
            str(program), "-test.v", "-test.timeout", "280s", "-test.skip", "|".join(f"^{name}$" for name in LEFT_OUT),
            "-host", f"127.0.0.1:{server.zk_port}",
        ]  # fmt: skip
        done = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, timeout=300, check=False)
    failed = re.findall(r"^--- FAIL: (\S+)", done.stdout, re.MULTILINE)
    assert not failed, failed
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    passed = re.findall(r"^--- PASS: (\S+)", done.stdout, re.MULTILINE)
    assert len(passed) >= LEAST_TESTS, passed
