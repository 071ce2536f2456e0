"""asynchbase, the client of OpenTSDB, before our server: a session of more than 60 steps, by way of ZooKeeper."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import rowstone as rs
from tests.oracle.build import compiled, fetched

HERE = Path(__file__).parent
LEAST_STEPS = 60
# Its libraries are from 2013, and it logs at length.
JAVA = ["java", "-Xmx512m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"]


def test_asynchbase_passes_its_session(tmp_path: Path) -> None:
    jars = fetched(HERE / "asynchbase-pom.xml", "asynchbase")
    classes = compiled([HERE / "asynchbase" / "AsynchbaseSession.java"], [f"{jars}/*"], "asynchbase")
    path = os.pathsep.join([str(classes), f"{jars}/*"])
    with rs.serve(tmp_path / "db", port=0, zk_port=0) as server:
        # It cannot create tables.
        server.database.create_table("session", {"f": rs.Family(max_versions=3), "g": {}}, splits=["h", "p"])
        command = [*JAVA, "-cp", path, "AsynchbaseSession", f"127.0.0.1:{server.zk_port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    steps = [line for line in done.stdout.splitlines() if line.startswith("ok ")]
    assert len(steps) >= LEAST_STEPS, done.stdout
