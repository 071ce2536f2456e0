"""The two servers that Apache's tests run against: a real HBase, and `rowstone serve`."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from tests.hbase.cluster.configuration import LOG4J
from tests.hbase.cluster.server import StandaloneHBase, end_with_parent

SERVER_SETTINGS = {
    "hbase.quota.enabled": "true",
    "hbase.coprocessor.user.region.classes": "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint",
    # As in HBase's own builds: no wait of a test depends on a slow report.
    "hbase.regionserver.msginterval": "500",
    "hbase.server.thread.wakefrequency": "1000",
    # A busy machine must not end the session of a region server.
    "zookeeper.session.timeout": "300000",
    "hbase.zookeeper.property.maxSessionTimeout": "300000",
}
"""Settings that Apache's test classes give their own cluster, for the real HBase."""
ROWSTONE_SETTINGS = ("hbase.quota.enabled=true", "rowstone.unique.timestamps=true")
"""Some tests expect that calls which follow each other have different timestamps, as they do on a slower server."""
CLIENT_SETTINGS = {
    "hbase.zookeeper.quorum": "127.0.0.1",
    "hbase.defaults.for.version.skip": "true",
    "fs.defaultFS": "file:///",
    # A call that fails for good ends in less than 20 s.
    "hbase.client.retries.number": "10",
    "hbase.client.pause": "50",
}


class HBaseTarget:
    """A real HBase, in one process with ZooKeeper."""

    name = "hbase"

    def __init__(self) -> None:
        self._server = StandaloneHBase(servers=3, heap="1g", settings=SERVER_SETTINGS)

    def start(self) -> None:
        """Start it; return when it answers."""
        self._server.start()
        self.port, self.zookeeper_port = self._server.master_port, self._server.zookeeper_port
        self.root = self._server.folder / "data"
        self.url = f"hbase://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Stop it and remove its files."""
        self._server.close()


class RowstoneTarget:
    """`rowstone serve DIR` or `rowstone serve :memory:`, as an operator starts it."""

    name = "rowstone"

    def __init__(
        self,
        settings: Sequence[str] = ROWSTONE_SETTINGS,
        staging: Path | None = None,
        folder: Path | None = None,
        *,
        in_memory: bool = False,
    ) -> None:
        self._settings, self._staging = settings, staging
        self._folder = folder or Path(tempfile.mkdtemp(prefix="rowstone-apache-"))
        self._database = ":memory:" if in_memory else str(self._folder / "db")
        self._process: subprocess.Popen[str] | None = None
        self.port, self.zookeeper_port = 0, 0

    def start(self) -> None:
        """Start it, on the ports of its last start if there was one; return when it answers."""
        self._launch()
        self._wait_until_ready()

    def _launch(self) -> None:
        main = "from rowstone.cli import main; main()"
        command = [sys.executable, "-c", main, "serve", self._database]
        command += ["--port", str(self.port), "--zk-port", str(self.zookeeper_port)]
        for setting in self._settings:
            command += ["--set", setting]
        if self._staging is not None:
            command += ["--bulk-load-staging-dir", str(self._staging)]
        self._folder.mkdir(exist_ok=True)
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=end_with_parent
            )

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        ready = self._process.stdout.readline()
        ports = re.match(r"ready: hbase://[\d.]+:(\d+), ZooKeeper port (\d+)", ready)
        if ports is None:
            raise RuntimeError(f"rowstone serve did not start: {ready}")
        self.port, self.zookeeper_port = int(ports[1]), int(ports[2])
        self.root = self._folder / "db"
        self.url = f"hbase://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def close(self) -> None:
        """Stop it and remove its files."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


Target = HBaseTarget | RowstoneTarget


def is_answering(target: Target) -> bool:
    """Whether the server still accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", target.port), timeout=5).close()
    except OSError:
        return False
    return True


def write_client_configuration(folder: Path, target: Target) -> Path:
    """Write the configuration that leads clients to the target; return its folder."""
    address = f"127.0.0.1:{target.port}"
    values = {
        **CLIENT_SETTINGS,
        "hbase.zookeeper.property.clientPort": str(target.zookeeper_port),
        "hbase.masters": address,
        "hbase.client.bootstrap.servers": address,
        "hbase.rootdir": f"file://{folder}/root",
        "hbase.tmp.dir": f"{folder}/tmp",
        "hadoop.tmp.dir": f"{folder}/tmp/hadoop",
    }
    conf = folder / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    properties = "\n".join(
        f"<property><name>{escape(name)}</name><value>{escape(value)}</value></property>"
        for name, value in values.items()
    )
    (conf / "hbase-site.xml").write_text(f"<configuration>\n{properties}\n</configuration>\n")
    (conf / "log4j.properties").write_text(LOG4J.format(log=folder / "client.log"))
    return conf
