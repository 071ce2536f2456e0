"""gohbase's own integration suite, unmodified, against Rowstone's server.

Its sources are part of the module. Tests of features that a single server does not have are skipped, each with its
reason.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import rowstone as rs
from tests.clients.test_gohbase import SOURCES, run_go

MODULE = "github.com/tsuna/gohbase"
LEFT_OUT = {
    "TestChangingRegionServers": "starts and stops region servers with HBase's scripts",
    "TestScannerRenewal": "the same; TestScannerRenewalCancellation is there",
    "TestReplication": "adds replication peers",
    "TestGetNonDefaultNamespace": "reads the table hbase:namespace, which HBase 3 has no longer either",
}
LEASE_MS = 5_000
"""Server settings that the suite requires."""
LEAST_TESTS = 45


def suite(folder: Path) -> Path:
    """The program of the suite."""
    shutil.copytree(SOURCES, folder / "module")
    run_go(["build", "-o", "session", "."], folder / "module")
    found = run_go(["list", "-f", "{{.Dir}}", MODULE], folder / "module").strip()
    # Modules lie in the cache for reading only; and the suite wants libraries which our module does not name.
    shutil.copytree(found, folder / "gohbase", copy_function=shutil.copyfile)
    for place in (folder / "gohbase", *(folder / "gohbase").rglob("*/")):
        place.chmod(0o755)
    run_go(["test", "-c", "-tags", "integration", "-o", "suite", "."], folder / "gohbase")
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
