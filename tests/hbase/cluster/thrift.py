"""HBase's own Thrift gateways, before a standalone HBase."""

from __future__ import annotations

from pathlib import Path

from tests.hbase.cluster.gateway import JavaGateway
from tests.hbase.cluster.server import StandaloneHBase, free_ports
from tests.oracle.build import class_path, fetched

HEAP = "512m"


class ThriftGateway(JavaGateway):
    """HBase's Thrift gateway with its default server and protocol, on a free port of loopback."""

    def __init__(self, hbase: StandaloneHBase, version: int = 1) -> None:
        port, information_port = free_ports(2)
        jars = fetched(Path(__file__).parent / "thrift.xml", "thrift")
        main = [f"org.apache.hadoop.hbase.thrift{'' if version == 1 else version}.ThriftServer", "--bind", "127.0.0.1"]
        main += ["-p", str(port), "--infoport", str(information_port), "start"]
        places = [str(hbase.folder / "conf"), class_path(), f"{jars}/*"]
        log = hbase.folder / f"thrift{version}.out"
        super().__init__("Thrift gateway", ["-Dproc_thrift", *main], places, port=port, heap=HEAP, log=log)
