"""HBase's own REST server, beside a standalone HBase: ``with RestServer(hbase) as rest: rest.port``.

As a program it runs an HBase and the server until Ctrl-C: ``python -m tests.hbase.cluster.rest``.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType

from tests.hbase.cluster import configuration
from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase, end_with_parent, free_ports
from tests.oracle.build import class_path, fetched

POM = Path(__file__).with_name("rest-pom.xml")
HEAP = "256m"
SETTINGS = {"hbase.client.retries.number": "4", "hbase.client.pause": "20", "hbase.rest.host": "127.0.0.1"}
"""What fails fails soon; the default is to try for minutes."""
START_SECONDS = 60.0


def rest_class_path() -> str:
    """The class path of the server, and of its client."""
    jars = fetched(POM, "rest")
    return os.pathsep.join([class_path(), f"{jars}/*"])


class RestServer:
    """The server, on a free port of loopback."""

    def __init__(self, hbase: StandaloneHBase) -> None:
        (self.port,) = free_ports(1)
        values = configuration.settings(hbase.folder, hbase.master_port, hbase.zookeeper_port)
        conf = configuration.write(hbase.folder / "rest", {**values, **SETTINGS})
        places = os.pathsep.join([str(conf), rest_class_path()])
        self._log = hbase.folder / "rest.out"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                ["java", f"-Xmx{HEAP}", *JAVA_OPTIONS, "-Dproc_rest", "-cp", places,
                 "org.apache.hadoop.hbase.rest.RESTServer", "start", "-p", str(self.port), "--infoport", "-1"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, preexec_fn=end_with_parent,
            )  # fmt: skip
        self._wait()

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
        raise RuntimeError(f"the REST server did not start:\n{self._log.read_text()[-3000:]}")

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> RestServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


if __name__ == "__main__":
    with StandaloneHBase(servers=1, heap="512m") as hbase, RestServer(hbase) as rest:
        print(f"http://127.0.0.1:{rest.port} before {hbase.url}, {hbase.folder}", flush=True)
        while True:
            time.sleep(3600)
