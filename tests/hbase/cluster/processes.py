"""A real HBase of several processes: ZooKeeper, a master and region servers, each of which can be killed.

All share a folder through Hadoop's plain local file system. It passes every sync to the operating system, so what a
server acknowledged survives its kill.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import rowstone as rs
from tests.hbase.cluster import configuration
from tests.hbase.cluster.server import JAVA_OPTIONS, START_SECONDS, StartFailed, end_with_parent, free_ports
from tests.oracle.build import class_path

ZOOKEEPER = "org.apache.hadoop.hbase.zookeeper.HQuorumPeer"
MASTER = "org.apache.hadoop.hbase.master.HMaster"
REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer"
SESSION_SECONDS = 4
"""Time without a sign of life after which ZooKeeper, and so the master, takes a server for dead."""


class HBaseProcesses:
    """The cluster, in a temporary folder that is removed at the end."""

    def __init__(self, *, servers: int = 3, heap: str = "512m", settings: Mapping[str, str] | None = None) -> None:
        self.server_count = servers
        self._heap = heap
        self._settings = dict(settings or {})
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="rowstone-hbase-"))
        self.master_port, self.zookeeper_port = free_ports(2)

    @property
    def url(self) -> str:
        """The URL for `rowstone.connect`."""
        return f"hbase://127.0.0.1:{self.master_port}"

    def start(self) -> None:
        """Start all processes; return when every region server is known to the master and a put has worked."""
        try:
            self._start("zookeeper", ZOOKEEPER)
            self._start("master", MASTER)
            for number in range(self.server_count):
                self._start(f"server-{number}", REGION_SERVER)
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _start(self, name: str, main: str) -> None:
        values = configuration.settings(self.folder, self.master_port, self.zookeeper_port) | {
            "hbase.cluster.distributed": "true",
            "fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
            "hbase.wal.provider": "filesystem",
            "zookeeper.session.timeout": str(SESSION_SECONDS * 1000),
            "hbase.zookeeper.property.tickTime": "1000",
            "hbase.zookeeper.property.minSessionTimeout": "2000",
            "hbase.master.wait.on.regionservers.mintostart": str(self.server_count),
        }
        # A configuration of its own names its log file.
        home = self.folder / name
        conf = configuration.write(home, values | self._settings)
        command = ["java", f"-Xmx{self._heap}", "-XX:+UseSerialGC", *JAVA_OPTIONS, f"-Dproc_{name}"]
        command += ["-cp", os.pathsep.join([str(conf), class_path()]), main, "start"]
        with (home / "out").open("ab") as output:
            self._processes[name] = subprocess.Popen(
                command,
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )

    def _wait_until_ready(self) -> None:
        end = time.monotonic() + START_SECONDS
        problem = "it did not answer"
        while time.monotonic() < end:
            for name, process in self._processes.items():
                if process.poll() is not None:
                    raise StartFailed(f"{name} ended with code {process.returncode}:\n{self.log_end(name)}")
            try:
                return self._probe()
            except (rs.errors.RowstoneError, AssertionError) as error:
                problem = str(error)
                time.sleep(0.2)
        raise StartFailed(f"HBase was not ready after {START_SECONDS:.0f} s: {problem}\n{self.log_end('master')}")

    def _probe(self) -> None:
        with rs.connect(self.url, operation_timeout_ms=20_000, connect_timeout_ms=2_000) as db:
            assert len(db.admin.servers.status().servers) == self.server_count, "not all region servers have started"
            if not db.admin.tables.exists("ready"):
                db.create_table("ready", ["f"])
            db.table("ready").put("r", {"f:q": "v"})

    def restart_server(self, number: int) -> None:
        """Kill a region server with SIGKILL, and start another one in its place. Returns when its process runs."""
        name = f"server-{number}"
        self._kill(name)
        self._start(name, REGION_SERVER)

    def _kill(self, name: str) -> None:
        process = self._processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def log_end(self, name: str, lines: int = 30) -> str:
        """The last lines of a process's log and output."""
        files = [self.folder / name / "out", self.folder / name / "hbase.log"]
        texts = [file.read_text(errors="replace").splitlines()[-lines:] for file in files if file.exists()]
        return "\n".join(line for text in texts for line in text)

    def close(self) -> None:
        """Kill all processes and remove their folder; safe to call again."""
        for name in list(self._processes):
            self._kill(name)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> HBaseProcesses:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
