"""Starting and stopping a standalone HBase: a master and some region servers in one process.

    with StandaloneHBase() as hbase:
        db = rowstone.connect(hbase.url)

As a program it runs one until Ctrl-C: `python -m tests.hbase.cluster.server`.
"""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import rowstone as rs
from tests.hbase.cluster import configuration
from tests.oracle.build import class_path

START_SECONDS = 180.0
STOP_SECONDS = 60.0

JAVA_OPTIONS = (
    "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
    "-Djava.net.preferIPv4Stack=true",
    "--add-modules=jdk.unsupported",
    *(
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in (
            "java.nio", "sun.nio.ch", "java.lang", "java.lang.reflect", "java.util", "java.util.concurrent",
            "java.io", "java.net", "jdk.internal.ref", "jdk.internal.util.random",
        )
    ),
    *(
        f"--add-exports={package}=ALL-UNNAMED"
        for package in ("java.base/jdk.internal.misc", "java.security.jgss/sun.security.krb5", "java.base/sun.net.dns",
                        "java.base/sun.net.util")
    ),
)  # fmt: skip


def end_with_parent() -> None:
    """Have Linux kill the calling process when its parent ends, however it ended."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


class StartFailed(Exception):
    """HBase did not come up; the message has the end of its log."""


class StandaloneHBase:
    """A standalone HBase in a temporary folder, removed at the end."""

    def __init__(
        self,
        *,
        servers: int = 2,
        heap: str = "1g",
        settings: Mapping[str, str] | None = None,
        java_options: Sequence[str] = (),
        client_options: Mapping[str, Any] | None = None,
        more_jars: Path | None = None,
    ) -> None:
        self._heap = heap
        self._java_options = java_options
        self._client_options = dict(client_options or {})
        self._more_jars = [] if more_jars is None else [f"{more_jars}/*"]
        self._servers = servers
        self._settings = dict(settings or {})
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="rowstone-hbase-"))
        self.master_port, self.zookeeper_port = free_ports(2)

    @property
    def url(self) -> str:
        """The URL for `rowstone.connect`."""
        return f"hbase://127.0.0.1:{self.master_port}"

    @property
    def process_id(self) -> int:
        """Process ID of the JVM that is master and region server; 0 if there is none."""
        return self._process.pid if self._process else 0

    @property
    def zookeeper_url(self) -> str:
        """The same through ZooKeeper."""
        return f"hbase+zk://127.0.0.1:{self.zookeeper_port}/hbase"

    def start(self) -> None:
        """Starts it; returns when a put and a get have worked."""
        values = configuration.settings(self.folder, self.master_port, self.zookeeper_port)
        conf = configuration.write(self.folder, {**values, **self._settings})
        # An exception that is thrown often keeps its stack trace: tests tell HBase's own failures by it.
        tuning = ["-XX:+UseG1GC", "-XX:-OmitStackTraceInFastThrow"]
        command = ["java", f"-Xmx{self._heap}", *tuning, *JAVA_OPTIONS, *self._java_options, "-Dproc_master"]
        command += ["-cp", os.pathsep.join([str(conf), class_path(), *self._more_jars])]
        command += ["org.apache.hadoop.hbase.master.HMaster", f"--localRegionServers={self._servers}", "start"]
        with (self.folder / "hbase.out").open("ab") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        end = time.monotonic() + START_SECONDS
        problem = "it did not answer"
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise StartFailed(f"HBase ended with code {self._process.returncode}:\n{self.log_end()}")
            try:
                return self._probe()
            except rs.errors.RowstoneError as error:
                problem = str(error)
                time.sleep(0.1)
        raise StartFailed(f"HBase was not ready after {START_SECONDS:.0f} s: {problem}\n{self.log_end()}")

    def _probe(self) -> None:
        with rs.connect(self.url, operation_timeout_ms=20_000, connect_timeout_ms=2_000, **self._client_options) as db:
            if not db.admin.tables.exists("ready"):
                db.create_table("ready", ["f"])
            table = db.table("ready")
            table.put("r", {"f:q": "v"})
            assert table.get("r")["f:q"] == b"v"

    def stop(self) -> None:
        """Ends it as an operator would; what it had in memory is in files then."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it at once, as a crash would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def log_end(self, lines: int = 30) -> str:
        """The last lines of its log and output."""
        text = ""
        for name in ("hbase.out", "hbase.log"):
            file = self.folder / name
            if file.exists():
                text += "".join(file.read_text(errors="replace").splitlines(keepends=True)[-lines:])
        return text

    def close(self) -> None:
        """Ends it and removes its folder; safe to call again."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> StandaloneHBase:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def free_ports(count: int) -> list[int]:
    """Distinct loopback ports that are free at the moment.

    They are below the ephemeral ports: an outgoing connection could otherwise occupy the port of a server that is down.
    """
    found: list[int] = []
    for port in random.Random().sample(range(20_000, 32_000), 500):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    raise StartFailed(f"no {count} free ports from 20000 to 32000")


def main() -> None:
    """Runs a server until it is interrupted."""
    with StandaloneHBase(heap=os.environ.get("HEAP", "1g")) as hbase:
        print(f"{hbase.url}\n{hbase.zookeeper_url}\nin {hbase.folder}; Ctrl-C ends it", flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            sys.exit(0)


if __name__ == "__main__":
    main()
