"""See the package's head."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.hbase.cluster.processes import HBaseProcesses
from tests.linearizability.run import run
from tests.linearizability.targets import Cluster, ServedDirectory, Target
from tests.linearizability.workers import Load


def _cluster(folder: Path, arguments: argparse.Namespace) -> Cluster:
    return Cluster(
        HBaseProcesses(
            folder / "hbase",
            servers=arguments.servers,
            masters=arguments.masters,
            version=arguments.hbase_version,
            hdfs=arguments.hdfs,
        )
    )


def main() -> int:
    """Run it and print the result; 0 if every row is linearizable. The folder is kept otherwise."""
    parser = argparse.ArgumentParser(prog="linearizability")
    parser.add_argument("--target", choices=["serve", "hbase"], default="serve")
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--kills", type=int, default=100, help="kills, and other failures of an HBase")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, help="rows in use at a time; 16, or 64 of an HBase, whose outages are long")
    parser.add_argument("--processes", type=int, default=2, help="processes of clients, and of the check")
    parser.add_argument("--servers", type=int, default=3, help="region servers of the HBase")
    parser.add_argument("--masters", type=int, default=1, help="masters of the HBase: one is active")
    parser.add_argument("--hbase-version", help="2.5.12, for example; by default the one that judges all answers")
    parser.add_argument("--judge", type=int, metavar="SEED", help="the HBase is also judged, from this episode on")
    parser.add_argument("--hdfs", action="store_true", help="store the HBase's files in an HDFS")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rowstone-linearizability-"))
    print(f"seed {arguments.seed}, {arguments.target}, in {folder}", flush=True)
    is_served = arguments.target == "serve"
    target: Target = ServedDirectory(folder / "db") if is_served else _cluster(folder, arguments)
    impatient = 150 if is_served else 1500
    # Region servers of an HBase may take 200 s to notice another master, and their regions are closed meanwhile.
    options = {} if is_served else {"operation_timeout_ms": 600_000}
    rows = arguments.rows or (16 if is_served else 64)
    load = Load(
        target.urls, arguments.operations, arguments.clients, arguments.seed, rows=rows,
        has_plain_table=target.has_plain_table,
        judge_seed=arguments.judge, options=options,
        impatient_options={"operation_timeout_ms": impatient},
    )  # fmt: skip
    try:
        report = run(target, load, folder, kills=arguments.kills, processes=arguments.processes)
    finally:
        target.close()
    print(f"seed {arguments.seed}: {report}")
    if report.is_good:
        shutil.rmtree(folder)
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
