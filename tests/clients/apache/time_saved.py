"""Time that `rowstone serve :memory:` saves in Apache HBase's own client tests, compared with HBase's mini cluster.

    python -m tests.clients.apache.time_saved
    python -m tests.clients.apache.time_saved --classes client.TestAsyncTable --rounds 1

Each run of a class is one JVM, timed from its start to its end. With the mini cluster, Apache's `HBaseTestingUtility`
starts HDFS, ZooKeeper, a master and region servers in that JVM. With Rowstone, the stand-in of the same name connects
to a new server; the time includes the server's start and end. The two alternate. A class counts if all its tests pass
in every run.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.clients.apache import results
from tests.clients.apache.run import HERE, SOURCES, java_command
from tests.clients.apache.targets import RowstoneTarget, write_client_configuration
from tests.clients.apache.time_table import Columns, Run, report
from tests.hbase.cluster import configuration
from tests.hbase.cluster.server import end_with_parent
from tests.oracle.build import compiled, fetched

CLASSES = (
    "client.TestAppendFromClientSide",
    "client.TestAsyncTable",
    "client.TestCheckAndMutate",
    "client.TestMultipleTimestamps",
    "client.TestScannersFromClientSide2",
    "client.TestTimestampsFilter",
    "filter.TestColumnRangeFilter",
    "filter.TestFuzzyRowFilterEndToEnd",
)
"""Classes of which all tests pass on both servers in results.txt."""
MINI_CLUSTER_SETTINGS = {
    "hbase.defaults.for.version.skip": "true",
    "hbase.regionserver.msginterval": "100",
    "hbase.server.thread.wakefrequency": "100",
    "hbase.master.event.waiting.time": "50",
    "hbase.regionserver.handler.count": "3",
    "hbase.regionserver.metahandler.count": "3",
    "hbase.master.handler.count": "7",
    "hbase.master.procedure.threads": "5",
    "hbase.netty.worker.count": "3",
    "hbase.hconnection.threads.max": "6",
    "hbase.master.info.port": "-1",
    "hbase.regionserver.info.port": "-1",
    "hbase.master.port": "0",
    "hbase.regionserver.port": "0",
}
"""Settings of the mini cluster in HBase's own build (`src/test/resources/hbase-site.xml` of its main branch) that
shorten waits and limit threads. The published test jars do not contain them."""
HEAP = "1g"
TEST_SECONDS = 600


class Java:
    """The jars and the compiled runner, with and without the stand-in for HBaseTestingUtility."""

    def __init__(self) -> None:
        jars = fetched(HERE / "pom.xml", "apache-mini-cluster", "-Pmini-cluster")
        self._jars = f"{jars}/*"
        self._stand_in = compiled(SOURCES, [self._jars], "apache-stand-in")
        sources = [source for source in SOURCES if source.stem != "HBaseTestingUtility"]
        self._runner = compiled(sources, [self._jars], "apache-runner")

    def with_mini_cluster(self, name: str, folder: Path) -> results.Outcomes:
        """Run the class with Apache's own HBaseTestingUtility."""
        conf = configuration.write(folder, MINI_CLUSTER_SETTINGS)
        # Only the stand-in reports that a class asked for a cluster.
        (folder / "report").write_text("connected\t\t\n")
        return self._run([str(self._runner), str(conf), self._jars], name, folder)

    def with_rowstone(self, name: str, folder: Path) -> results.Outcomes:
        """Start a server and run the class with the stand-in."""
        server = RowstoneTarget(settings=(), folder=folder / "server", in_memory=True)
        try:
            server.start()
            conf = write_client_configuration(folder, server)
            return self._run([str(self._stand_in), str(conf), self._jars], name, folder)
        finally:
            server.close()

    def _run(self, class_path: Sequence[str], name: str, folder: Path) -> results.Outcomes:
        report = folder / "report"
        with (folder / "out").open("wb") as out:
            subprocess.run(
                java_command(class_path, report, name, TEST_SECONDS, HEAP), cwd=folder, stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, check=False, preexec_fn=end_with_parent,
            )  # fmt: skip
        return results.read_report(report)


def measure(action: Callable[[str, Path], results.Outcomes], name: str) -> Run:
    """Time one run of a class, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="rowstone-time-saved-"))
    cpu, start = children_cpu_seconds(), time.monotonic()
    try:
        outcomes = action(name, folder)
        return Run(time.monotonic() - start, children_cpu_seconds() - cpu, outcomes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def children_cpu_seconds() -> float:
    """CPU time of all processes that this one started and waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 if every class counts."""
    parser = argparse.ArgumentParser(prog="time_saved", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--classes", default=",".join(CLASSES), help="names of classes, with commas")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each class with each of the two")
    options = parser.parse_args(arguments)
    java = Java()
    runs: dict[str, Columns] = {name: ([], []) for name in options.classes.split(",")}
    for number in range(1, options.rounds + 1):
        for name, (mini_cluster, rowstone) in runs.items():
            mini_cluster.append(measure(java.with_mini_cluster, name))
            rowstone.append(measure(java.with_rowstone, name))
            load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
            seconds = f"{mini_cluster[-1].seconds:.1f} s, {rowstone[-1].seconds:.1f} s"
            print(f"round {number} {name}: {seconds}; load {load}", flush=True)
    return report(runs)


if __name__ == "__main__":
    sys.exit(main())
