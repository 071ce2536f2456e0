"""Writes down again what HBase's gateways answer: `python -m tests.thrift.record` (needs Java and Maven)."""

from __future__ import annotations

from tests.hbase.cluster.server import StandaloneHBase
from tests.hbase.cluster.thrift import ThriftGateway
from tests.thrift.scripts import SCRIPTS, recording, run


def main() -> None:
    """Start an HBase with both gateways, and record their answers."""
    with StandaloneHBase(servers=1) as hbase:
        for version in SCRIPTS:
            gateway = ThriftGateway(hbase, version)
            try:
                lines = run(version, gateway.port)
            finally:
                gateway.close()
            recording(version).write_text("\n".join(lines) + "\n")
            print(f"{recording(version).name}: {len(lines)} answers")


if __name__ == "__main__":
    main()
