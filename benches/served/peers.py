"""The servers that `benches/served` compares: Rowstone, Apache HBase, and a null server without data."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benches.report import cpu_seconds_of
from tests.hbase.cluster.configuration import write
from tests.hbase.cluster.server import StandaloneHBase, end_with_parent

import rowstone as rs

ROOT = Path(__file__).resolve().parents[2]
HBASE_VERSION = "2.6.4"
HBASE_HEAPS = ("1g", "4g")
# Memory that an HBase with a heap of 1 GB has for the memstore, and again for the block cache: 0.4 of the heap each.
LIMIT_MB = 410
# The raw file system writes a log to the operating system on request; the checksummed one buffers it in memory.
HBASE_SETTINGS = {
    "fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
    "hbase.regionserver.handler.count": "30",
    # Replaced files and logs are removed after a minute: otherwise 10 GB of rows need 40 GB of disk.
    "hbase.master.cleaner.interval": "30000",
    "hbase.master.hfilecleaner.ttl": "60000",
    "hbase.master.logcleaner.ttl": "60000",
}
# Shapes of the null server's answers: the rows of PerformanceEvaluation and those of YCSB.
NULL_SHAPES = {
    "pe": ["--family", "info0", "--columns", "1", "--value", "1000"],
    "ycsb": ["--family", "family", "--columns", "10", "--prefix", "field", "--value", "100"],
}


class Peer:
    """A running server. Clients connect to `address`; `ready_ms` is the time from its start until a put and a get
    worked."""

    name: str
    address: str
    process_id: int
    ready_ms: float
    data_folder: Path
    """The folder with a folder for each namespace."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rowstone-served-"))

    def configuration(self) -> Path:
        """A folder with the configuration of a client."""
        settings = {
            "hbase.client.registry.impl": "org.apache.hadoop.hbase.client.RpcConnectionRegistry",
            "hbase.client.bootstrap.servers": self.address,
            "hbase.defaults.for.version.skip": "true",
            "hbase.tmp.dir": f"{self.folder}/tmp",
        }
        folder = write(self.folder / "client", settings)
        (folder / "log4j.properties").write_text(
            "log4j.rootLogger=WARN,out\nlog4j.logger.org.apache.hadoop.hbase.PerformanceEvaluation=INFO\n"
            "log4j.appender.out=org.apache.log4j.ConsoleAppender\nlog4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
            "log4j.appender.out.layout.ConversionPattern=%p %c{1}: %m%n\n"
        )
        return folder

    def memory(self) -> tuple[float, float]:
        """Resident memory in megabytes: now, and at most."""
        lines = Path(f"/proc/{self.process_id}/status").read_text().splitlines()
        kilobytes = {
            name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if "Vm" in name
        }
        return kilobytes["VmRSS"] / 1024, kilobytes["VmHWM"] / 1024

    def is_running(self) -> bool:
        """Whether the server has not ended."""
        try:
            state = Path(f"/proc/{self.process_id}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return False
        return state != "Z"

    def store_files(self, table: str) -> list[Path]:
        """The files of a table's column families."""
        return list(self.data_folder.glob(f"default/{table}/*/*/*"))

    def processor_seconds(self) -> float:
        """CPU time of all its threads."""
        return cpu_seconds_of(self.process_id)

    def close(self) -> None:
        """Stop it and remove its files."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Process(Peer):
    """A server that is a program of Rowstone and reports when it is ready."""

    def _start(self, command: list[str]) -> None:
        began = time.monotonic()
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("ready:"):
            raise RuntimeError(f"{self.name} did not start: {line}")
        self.process_id = self._process.pid
        self.address = line.split("hbase://", 1)[1].split()[0].rstrip(",")
        probe(f"hbase://{self.address}")
        self.ready_ms = (time.monotonic() - began) * 1000

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        super().close()


class Rowstone(Process):
    """`rowstone serve` of a directory, with the same amount of memory for memstore and block cache."""

    name = "rowstone"

    def __init__(self, limit_mb: int) -> None:
        super().__init__()
        self.data_folder = self.folder / "db" / "data"
        options = ["--port", "0", "--zk-port", "-1", "--memstore-mb", str(limit_mb), "--cache-mb", str(limit_mb)]
        self._start([str(Path(sys.executable).parent / "rowstone"), "serve", str(self.folder / "db"), *options])


class Null(Process):
    """A server of the same protocol with canned answers."""

    name = "null"

    def __init__(self, shape: str) -> None:
        super().__init__()
        program = ROOT / "target" / "release" / "examples" / "null_server"
        self._start([str(program), *NULL_SHAPES[shape]])


class HBase(Peer):
    """Apache HBase in one process with a heap of a given size, its files on this machine's disk.

    As with Rowstone, the operating system has the log when a write is answered.
    """

    def __init__(self, heap: str) -> None:
        super().__init__()
        self.name = f"hbase {heap}"
        began = time.monotonic()
        self._hbase = StandaloneHBase(servers=1, heap=heap, settings=HBASE_SETTINGS)
        self._hbase.start()
        probe(self._hbase.url)
        self.ready_ms = (time.monotonic() - began) * 1000
        self.process_id = self._hbase.process_id
        self.address = f"127.0.0.1:{self._hbase.master_port}"
        self.data_folder = self._hbase.folder / "data" / "data"

    def close(self) -> None:
        self._hbase.close()
        super().close()


def probe(url: str) -> None:
    """Check with a put and a get, and create the table of YCSB."""
    with rs.connect(url, operation_timeout_ms=60_000) as db:
        db.create_table("usertable", ["family"])
        table = db.table("usertable")
        table.put("probe", {"family:q": "v"})
        table.get("probe")
        table.delete("probe")


def build_null() -> None:
    """Build the null server."""
    subprocess.run(
        ["cargo", "build", "--release", "--locked", "--quiet", "-p", "rowstone-rpc", "--example", "null_server"],
        cwd=ROOT,
        check=True,
    )
