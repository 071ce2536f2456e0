"""HBase's own REST server, next to a standalone HBase: ``with RestServer(hbase) as rest: rest.port``.

As a program it runs an HBase and the server until Ctrl-C: ``python -m tests.hbase.cluster.rest``.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.hbase.cluster import configuration
from tests.hbase.cluster.gateway import JavaGateway
from tests.hbase.cluster.server import StandaloneHBase, free_ports
from tests.oracle.build import class_path, fetched

POM = Path(__file__).with_name("rest-pom.xml")
HEAP = "256m"
SETTINGS = {"hbase.client.retries.number": "4", "hbase.client.pause": "20", "hbase.rest.host": "127.0.0.1"}
"""Fail soon; by default, HBase retries for minutes."""


def rest_class_path() -> str:
    """The class path of the server, and of its client."""
    jars = fetched(POM, "rest")
    return os.pathsep.join([class_path(), f"{jars}/*"])


class RestServer(JavaGateway):
    """The server, on a free port of loopback."""

    def __init__(self, hbase: StandaloneHBase) -> None:
        (port,) = free_ports(1)
        values = configuration.settings(hbase.folder, hbase.master_port, hbase.zookeeper_port)
        conf = configuration.write(hbase.folder / "rest", {**values, **SETTINGS})
        main = ["-Dproc_rest", "org.apache.hadoop.hbase.rest.RESTServer", "start", "-p", str(port), "--infoport", "-1"]
        log = hbase.folder / "rest.out"
        super().__init__("REST server", main, [str(conf), rest_class_path()], port=port, heap=HEAP, log=log)


if __name__ == "__main__":
    with StandaloneHBase(servers=1, heap="512m") as hbase, RestServer(hbase) as rest:
        print(f"http://127.0.0.1:{rest.port} before {hbase.url}, {hbase.folder}", flush=True)
        while True:
            time.sleep(3600)
