"""Apache HBase's own client tests, run from outside: against a real HBase, and against `rowstone serve`.

    python -m tests.clients.apache.run                      both servers; writes results.txt
    python -m tests.clients.apache.run --classes TestAdmin1 --targets rowstone

A test counts if it passes on the real HBase. Many need the objects of HBase's mini cluster and cannot.
`reasons.txt` has the tests that may fail on Rowstone, each with its reason. Any other difference fails the run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.clients.apache import results
from tests.clients.apache.targets import (
    HBaseTarget,
    RowstoneTarget,
    Target,
    is_answering,
    write_client_configuration,
)
from tests.hbase.cluster.server import JAVA_OPTIONS, end_with_parent
from tests.oracle.build import compiled, fetched

HERE = Path(__file__).parent
SOURCES = sorted((HERE / "java").rglob("*.java"))
TARGETS: dict[str, type[HBaseTarget] | type[RowstoneTarget]] = {"hbase": HBaseTarget, "rowstone": RowstoneTarget}
PACKAGE = "org.apache.hadoop.hbase"
HUNG, NOT_EMPTIED = 3, 4
MOST_STARTS = 12
"""Number of JVMs for one class: each hang of a test costs one."""
MOST_SERVERS = 2
"""Number of servers for one class: one that looks for another cluster finds none that it can empty."""


def java_command(
    class_path: Sequence[str], report: Path, name: str, test_seconds: int, heap: str = "512m"
) -> list[str]:
    """The command that runs a test class in a JVM of its own."""
    command = ["java", f"-Xmx{heap}", "-XX:TieredStopAtLevel=1", "-Djava.security.manager=allow", *JAVA_OPTIONS]
    command += ["-cp", os.pathsep.join(class_path)]
    return [*command, f"{PACKAGE}.RunTests", str(report), f"{PACKAGE}.{name}", str(test_seconds)]


class Runner:
    """Runs test classes, one JVM each, against one server; replaces the server when it no longer answers."""

    def __init__(self, kind: type[HBaseTarget] | type[RowstoneTarget], folder: Path, test_seconds: int) -> None:
        jars = fetched(HERE / "pom.xml", "apache-tests")
        classes = compiled(SOURCES, [f"{jars}/*"], "apache-stand-in")
        self._path = [str(classes), f"{jars}/*"]
        self._kind = kind
        self._folder = folder / kind.name
        self._folder.mkdir(parents=True)
        self._test_seconds = test_seconds
        self._target: Target | None = None

    def run_class(self, name: str) -> results.Outcomes:
        """Run one class and return how each of its tests ended."""
        report = self._folder / f"{name}.report"
        servers = 1
        for _ in range(MOST_STARTS):
            code = self._start(name, report)
            if code == NOT_EMPTIED and servers < MOST_SERVERS:
                servers += 1
                print(f"{self._kind.name:8} {name}: a new server, as the old one could not be emptied", flush=True)
                self.close()
            elif code != HUNG:
                break
        return results.read_report(report)

    def _start(self, name: str, report: Path) -> int:
        if self._target is not None and not is_answering(self._target):
            self.close()
        if self._target is None:
            self._target = self._kind()
            self._target.start()
        conf = write_client_configuration(self._folder, self._target)
        command = java_command([self._path[0], str(conf), *self._path[1:]], report, name, self._test_seconds)
        with (self._folder / f"{name}.out").open("ab") as out:
            done = subprocess.run(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                check=False, preexec_fn=end_with_parent,
            )  # fmt: skip
        return done.returncode

    def close(self) -> None:
        """Stop the server."""
        if self._target is not None:
            self._target.close()
            self._target = None


def run_target(name: str, classes: Sequence[str], folder: Path, test_seconds: int) -> results.Outcomes:
    """Run the classes against one server, one after another."""
    runner = Runner(TARGETS[name], folder, test_seconds)
    outcomes: results.Outcomes = {}
    try:
        for each in classes:
            start = time.monotonic()
            found = runner.run_class(each)
            outcomes |= {(each, test): outcome for (_, test), outcome in found.items()}
            passed = sum(outcome.status == "pass" for outcome in found.values())
            print(f"{name:8} {each}: {passed} of {len(found)} pass ({time.monotonic() - start:.0f} s)", flush=True)
    finally:
        runner.close()
    return outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 if Rowstone fails no test that a real HBase passes, but those in reasons.txt."""
    parser = argparse.ArgumentParser(prog="apache", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--classes", help="names of classes, with commas; by default, all of classes.txt")
    parser.add_argument("--targets", default="hbase,rowstone", help="rowstone alone takes HBase's results as recorded")
    parser.add_argument("--test-seconds", type=int, default=120, help="time after which a test has failed")
    parser.add_argument("--keep", type=Path, help="folder for the outputs of the tests")
    options = parser.parse_args(arguments)
    every = (HERE / "classes.txt").read_text().split()
    chosen = [each for each in every if not options.classes or each.rpartition(".")[2] in options.classes.split(",")]
    folder = options.keep or Path(tempfile.mkdtemp(prefix="rowstone-apache-"))
    names = options.targets.split(",")
    with ThreadPoolExecutor(len(names)) as pool:
        runs = {name: pool.submit(run_target, name, chosen, folder, options.test_seconds) for name in names}
        found = {name: run.result() for name, run in runs.items()}
    recorded = results.read()
    table = {test: outcome for test, outcome in recorded.items() if test[0] not in chosen}
    table |= results.combine(found, {test: row for test, row in recorded.items() if test[0] in chosen})
    results.write(table)
    return results.report({test: row for test, row in table.items() if test[0] in chosen}, found.get("rowstone", {}))


if __name__ == "__main__":
    sys.exit(main())
