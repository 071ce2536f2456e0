"""HBase's own Java clients, unmodified, before our server: a session of more than 60 steps, by either registry."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import rowstone as rs
from tests.oracle.build import CONFIGURATION, POM, compiled, fetched

HERE = Path(__file__).parent
SOURCES = [HERE / "java" / "ClientSession.java"]
SERVERS_OWN = "2.6.4"
"""The version whose jars the tests have anyway: those of the real HBase."""
REGISTRIES = {
    "2.4.18": ["zk"],  # its RPC registry asks the master's service, which later versions replaced
    "2.5.11": ["rpc", "zk"],
    "2.6.2": ["rpc"],
    SERVERS_OWN: ["rpc", "zk"],
    "3.0.0-beta-1": ["rpc", "zk"],
}
SESSIONS = [(version, registry) for version, registries in REGISTRIES.items() for registry in registries]
LEAST_STEPS = 60
JAVA = ["java", "-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"]


def client_jars(version: str) -> Path:
    """The jars of HBase's client of that version."""
    if version == SERVERS_OWN:
        return fetched(POM, "lib")
    return fetched(HERE / "java-pom.xml", f"java-{version}", f"-Dhbase.version={version}")


def session(server: rs.Server, version: str, registry: str, *options: str) -> str:
    """Output of that client's session."""
    jars = client_jars(version)
    classes = compiled(SOURCES, [f"{jars}/*"], f"clients-{version}")
    path = os.pathsep.join([str(classes), f"{jars}/*", str(CONFIGURATION)])
    command = [*JAVA, "-cp", path, "ClientSession", registry, "127.0.0.1", str(server.port), str(server.zk_port)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout


@pytest.mark.parametrize(("version", "registry"), SESSIONS)
def test_the_java_client(tmp_path: Path, version: str, registry: str) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=0) as server:
        output = session(server, version, registry)
    steps = [line for line in output.splitlines() if line.startswith("ok ")]
    assert len(steps) >= LEAST_STEPS, output


def test_the_java_client_with_compressed_cells(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=0) as server:
        output = session(server, SERVERS_OWN, "rpc", "org.apache.hadoop.io.compress.GzipCodec")
    assert "done:" in output


def test_files_are_loaded_by_the_java_tool(tmp_path: Path) -> None:
    """`BulkLoadHFilesTool` looks up the regions, splits files that span several, and loads them."""
    with rs.connect(":memory:") as db:
        db.create_table("made", ["f"])
        with db.table("made").batch() as batch:
            for number in range(2_000):
                batch.put(f"{number:05}", {"f:q": str(number)})
        db.admin.tables.export_hfiles("made", tmp_path / "out")
    with rs.serve(tmp_path / "db", port=0, zk_port=0, bulk_load_staging_dir=tmp_path / "out") as server:
        server.database.create_table("loaded", ["f"], splits=["00500", "01200"])
        path = os.pathsep.join([f"{fetched(POM, 'lib')}/*", str(CONFIGURATION)])
        registry = "-Dhbase.client.registry.impl=org.apache.hadoop.hbase.client.RpcConnectionRegistry"
        places = [registry, f"-Dhbase.client.bootstrap.servers=127.0.0.1:{server.port}", f"-Dhbase.rootdir={tmp_path}"]
        tool = ["org.apache.hadoop.hbase.tool.BulkLoadHFilesTool", *places, f"file://{tmp_path}/out", "loaded"]
        done = subprocess.run([*JAVA, "-cp", path, *tool], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
        rows = {row.key: row["f:q"] for row in server.database.table("loaded").scan()}
    assert rows == {f"{number:05}".encode(): str(number).encode() for number in range(2_000)}
