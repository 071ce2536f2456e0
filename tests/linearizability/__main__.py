"""See the package's head."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.linearizability.run import run
from tests.linearizability.targets import Cluster, ServedDirectory, Target
from tests.linearizability.workers import Load


def main() -> int:
    """Run it and print the result; 0 if every row is linearizable. The folder is kept otherwise."""
    parser = argparse.ArgumentParser(prog="linearizability")
    parser.add_argument("--target", choices=["serve", "hbase"], default="serve")
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, help="rows in use at a time; 16, or 64 of an HBase, whose outages are long")
    parser.add_argument("--processes", type=int, default=2, help="processes of clients, and of the check")
    parser.add_argument("--servers", type=int, default=3, help="region servers of the HBase")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rowstone-linearizability-"))
    print(f"seed {arguments.seed}, {arguments.target}, in {folder}", flush=True)
    target: Target = ServedDirectory(folder / "db") if arguments.target == "serve" else Cluster(arguments.servers)
    impatient = 150 if arguments.target == "serve" else 1500
    rows = arguments.rows or (16 if arguments.target == "serve" else 64)
    load = Load(
        target.url, arguments.operations, arguments.clients, arguments.seed, rows=rows,
        has_plain_table=target.has_plain_table,
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
