"""A real HBase of several processes: ZooKeeper, masters and region servers, each of which can be killed or paused.

All share a folder through Hadoop's plain local file system. It passes every sync to the operating system, so what a
server acknowledged survives its kill. Or they share an HDFS, a name node and two data nodes in another process. Only
HDFS keeps a server from writing its log after the master has declared it dead.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import rowstone as rs
from tests.hbase.cluster import configuration
from tests.hbase.cluster.server import JAVA_OPTIONS, START_SECONDS, StartFailed, end_with_parent, free_ports
from tests.hbase.cluster.session import end_session
from tests.oracle.build import CONFIGURATION, class_path, fetched

ZOOKEEPER = "org.apache.hadoop.hbase.zookeeper.HQuorumPeer"
MASTER = "org.apache.hadoop.hbase.master.HMaster"
REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer"
HDFS = "org.apache.hadoop.test.MiniDFSClusterManager"
HDFS_SHELL = "org.apache.hadoop.fs.FsShell"
HDFS_DEBUG = "org.apache.hadoop.hdfs.tools.DebugAdmin"
DATA_NODES = 2
SESSION_SECONDS = 8
"""Time without a sign of life after which ZooKeeper, and so the master, takes a server for dead."""
END_SECONDS = 90
"""Time in which a server whose session has expired must end by itself, and another master must be active."""


def class_path_of(version: str | None) -> str:
    """The class path of an HBase version; of the oracle's by default."""
    if version is None:
        return class_path()
    jars = fetched(Path(__file__).with_name("hbase.xml"), f"hbase-{version}", f"-Dhbase.version={version}-hadoop3")
    return os.pathsep.join([f"{jars}/*", str(CONFIGURATION)])


class HBaseProcesses:
    """The cluster.

    Args:
        folder: Of all files, with the logs; a temporary one, removed at the end, by default.
        version: Of HBase, such as "2.5.12"; the oracle's by default.
        hdfs: Store everything in an HDFS instead of a folder.
        masters: The first one to start is active, the others are backups.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        servers: int = 3,
        masters: int = 1,
        version: str | None = None,
        hdfs: bool = False,
        heap: str = "512m",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.server_count = servers
        self.has_hdfs = hdfs
        self._class_path = class_path_of(version)
        self._heap = heap
        self._settings = dict(settings or {})
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._ended: list[str] = []
        self._is_temporary = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="rowstone-hbase-"))
        self.zookeeper_port, self._hdfs_port, *self.master_ports = free_ports(masters + 2)

    @property
    def url(self) -> str:
        """The URL for `rowstone.connect`."""
        return "hbase://" + ",".join(f"127.0.0.1:{port}" for port in self.master_ports)

    @property
    def zookeeper_url(self) -> str:
        """The same through ZooKeeper."""
        return f"hbase+zk://127.0.0.1:{self.zookeeper_port}/hbase"

    @property
    def root_url(self) -> str:
        """The root directory in HDFS."""
        return f"{self._hdfs_url}/hbase"

    @property
    def _hdfs_url(self) -> str:
        return f"hdfs://127.0.0.1:{self._hdfs_port}"

    def start(self) -> None:
        """Start all processes; return when every region server is known to the master and a put has worked."""
        try:
            if self.has_hdfs:
                self.start_hdfs()
            self._start("zookeeper", ZOOKEEPER)
            for number in range(len(self.master_ports)):
                self._start(f"master-{number}", MASTER)
            for number in range(self.server_count):
                self._start(f"server-{number}", REGION_SERVER)
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _start(self, name: str, main: str) -> None:
        master_port = self.master_ports[int(name.removeprefix("master-"))] if main == MASTER else self.master_ports[0]
        values = configuration.settings(self.folder, master_port, self.zookeeper_port) | {
            "hbase.cluster.distributed": "true",
            "zookeeper.session.timeout": str(SESSION_SECONDS * 1000),
            "hbase.zookeeper.property.tickTime": "1000",
            "hbase.zookeeper.property.minSessionTimeout": "2000",
            # It would use port 8080 of all addresses.
            "hbase.zookeeper.property.admin.enableServer": "false",
            "hbase.master.wait.on.regionservers.mintostart": str(self.server_count),
        }
        if self.has_hdfs:
            values |= {
                "hbase.rootdir": self.root_url,
                "fs.defaultFS": self._hdfs_url,
                "dfs.replication": str(DATA_NODES),
            }
            del values["hbase.unsafe.stream.capability.enforce"]
        else:
            values |= {"fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem", "hbase.wal.provider": "filesystem"}
        # A configuration of its own names its log file.
        conf = configuration.write(self.folder / name, values | self._settings)
        self._run(name, os.pathsep.join([str(conf), self._class_path]), [main, "start"])

    def start_hdfs(self) -> None:
        """Start a name node and data nodes in one process; return when all of them work."""
        home = self.folder / "hdfs"
        home.mkdir(parents=True)
        jars = fetched(Path(__file__).with_name("hdfs.xml"), "hdfs")
        # Hadoop's shell asks for this file.
        (home / "core-site.xml").write_text("<configuration/>")
        self._hdfs_path = os.pathsep.join([str(home), str(CONFIGURATION), f"{jars}/*"])
        details = home / "details"
        arguments = [HDFS, "-format", "-datanodes", str(DATA_NODES), "-nnport", str(self._hdfs_port)]
        arguments += ["-D", f"hdfs.minidfs.basedir={home}/data", "-D", f"dfs.replication={DATA_NODES}"]
        # Data nodes receive commands, such as to recover a block of a killed writer, with the answer to a heartbeat.
        arguments += ["-D", "dfs.heartbeat.interval=1", "-writeDetails", str(details)]
        self._run("hdfs", self._hdfs_path, arguments)
        self._wait_for("HDFS", details.exists, START_SECONDS)

    def _run(self, name: str, path: str, main: Sequence[str]) -> None:
        home = self.folder / name
        command = ["java", f"-Xmx{self._heap}", "-XX:+UseSerialGC", *JAVA_OPTIONS, f"-Dproc_{name}", "-cp", path, *main]
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
        raise StartFailed(f"HBase was not ready after {START_SECONDS:.0f} s: {problem}\n{self.log_end('master-0')}")

    def _probe(self) -> None:
        with rs.connect(self.url, operation_timeout_ms=20_000, connect_timeout_ms=2_000) as db:
            assert len(db.admin.servers.status().servers) == self.server_count, "not all region servers have started"
            if not db.admin.tables.exists("ready"):
                db.create_table("ready", ["f"])
            db.table("ready").put("r", {"f:q": "v"})

    def kill_hbase(self) -> None:
        """Kill all processes but that of HDFS with SIGKILL."""
        for name in [name for name in self._processes if name != "hdfs"]:
            self._kill(name)

    def recover_lease(self, path: str) -> None:
        """Close a file in HDFS that its writer has not closed."""
        self._call_hdfs(HDFS_DEBUG, "recoverLease", "-path", path, "-retries", "30")

    def upload(self, paths: Sequence[Path]) -> None:
        """Copy files and folders of this machine into the root directory in HDFS."""
        self._call_hdfs(HDFS_SHELL, "-mkdir", "-p", self.root_url)
        self._call_hdfs(HDFS_SHELL, "-put", *map(str, paths), self.root_url)

    def _call_hdfs(self, *command: str) -> None:
        subprocess.run(["java", "-cp", self._hdfs_path, *command], check=True, capture_output=True)

    def kill_server(self, number: int) -> None:
        """Kill a region server with SIGKILL."""
        self._kill(f"server-{number}")

    def start_server(self, number: int) -> None:
        """Start a region server. Returns when its process runs."""
        # The session of a server is in its log.
        (self.folder / f"server-{number}" / "hbase.log").rename(self.folder / f"server-{number}-{time.time_ns()}.log")
        self._start(f"server-{number}", REGION_SERVER)

    def wait_for_session(self, number: int) -> int:
        """The ZooKeeper session of a region server, once it serves regions."""
        log = self.folder / f"server-{number}" / "hbase.log"
        found: list[str] = []

        def is_serving() -> bool:
            text = log.read_text(errors="replace") if log.exists() else ""
            found[:] = re.findall(r"Serving as .*sessionid=0x([0-9a-f]+)", text)
            return bool(found)

        self._wait_for(f"server-{number}", is_serving, START_SECONDS)
        return int(found[0], 16)

    def pause_server(self, number: int, seconds: float) -> None:
        """Stop a region server's process, and continue it after this time."""
        process = self._processes[f"server-{number}"]
        process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            process.send_signal(signal.SIGCONT)

    def expire_server(self, number: int) -> None:
        """End the ZooKeeper session of a region server."""
        end_session(self.zookeeper_port, self.wait_for_session(number))

    def wait_for_end(self, number: int) -> None:
        """Wait until a region server whose session has expired ends by itself."""
        name = f"server-{number}"
        process = self._processes[name]
        self._wait_for(f"the end of {name}", lambda: process.poll() is not None, END_SECONDS, may_end=name)
        del self._processes[name]

    def restart_master(self) -> None:
        """Kill the active master with SIGKILL; when a backup is active, start another backup in its place."""
        with rs.connect(self.url) as db:
            active = db.admin.servers.status().master
        name = f"master-{self.master_ports.index(int(active.split(',')[1]))}"
        self._kill(name)

        def is_replaced() -> bool:
            with rs.connect(self.url, operation_timeout_ms=10_000) as db:
                return db.admin.servers.status().master not in ("", active)

        self._wait_for("another active master", is_replaced, END_SECONDS)
        self._start(name, MASTER)

    def _wait_for(self, goal: str, is_reached: Callable[[], bool], seconds: float, may_end: str = "") -> None:
        end = time.monotonic() + seconds
        problem = ""
        while time.monotonic() < end:
            try:
                if is_reached():
                    return
            except rs.errors.RowstoneError as error:
                problem = f": {error}"
            for name, process in self._processes.items():
                if process.poll() is not None and name != may_end:
                    raise StartFailed(f"{name} ended with code {process.returncode}:\n{self.log_end(name)}")
            time.sleep(0.05)
        raise StartFailed(f"waited {seconds:.0f} s for {goal}{problem}")

    def find_ended(self) -> list[str]:
        """Processes that ended by themselves and should not have, with the ends of their logs."""
        for name, process in self._processes.items():
            self._note_end(name, process)
        return self._ended

    def _note_end(self, name: str, process: subprocess.Popen[bytes]) -> None:
        if process.poll() is not None:
            self._ended.append(f"{name} ended with code {process.returncode}:\n{self.log_end(name, 10)}")

    def _kill(self, name: str) -> None:
        process = self._processes.pop(name)
        self._note_end(name, process)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def log_end(self, name: str, lines: int = 30) -> str:
        """The last lines of a process's log and output."""
        files = [self.folder / name / "out", self.folder / name / "hbase.log"]
        texts = [file.read_text(errors="replace").splitlines()[-lines:] for file in files if file.exists()]
        return "\n".join(line for text in texts for line in text)

    def close(self) -> None:
        """Kill all processes, and remove their folder if it is a temporary one; safe to call again."""
        for name in list(self._processes):
            self._kill(name)
        if self._is_temporary:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> HBaseProcesses:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
