"""HBase's own Thrift gateways, before a standalone HBase."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path

from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase, end_with_parent, free_ports
from tests.oracle.build import class_path, fetched

HEAP = "512m"
START_SECONDS = 60.0


class ThriftGateway:
    """HBase's Thrift gateway with its default server and protocol, on a free port of loopback."""

    def __init__(self, hbase: StandaloneHBase, version: int = 1) -> None:
        self.port, information_port = free_ports(2)
        jars = fetched(Path(__file__).parent / "thrift.xml", "thrift")
        places = os.pathsep.join([str(hbase.folder / "conf"), class_path(), f"{jars}/*"])
        self._log = hbase.folder / f"thrift{version}.out"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                ["java", f"-Xmx{HEAP}", *JAVA_OPTIONS, "-Dproc_thrift", "-cp", places,
                 f"org.apache.hadoop.hbase.thrift{'' if version == 1 else version}.ThriftServer", "--bind", "127.0.0.1",
                 "-p", str(self.port), "--infoport", str(information_port), "start"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, preexec_fn=end_with_parent,
            )  # fmt: skip
        self._wait()

    @property
    def process_id(self) -> int:
        """Its process."""
        return self._process.pid

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        self.close()
        raise RuntimeError(f"the Thrift gateway did not start:\n{self._log.read_text()[-3000:]}")

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()
