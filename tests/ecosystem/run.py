"""Run the programs of `programs/` on a real HBase and on `rowstone serve`: `make ecosystem`.

    python -m tests.ecosystem.run                      both servers; writes results.txt and the document's table
    python -m tests.ecosystem.run --programs hbase --targets rowstone --tests "RowCounter;Canary"

A test counts if it passes on the real HBase. `reasons.txt` has the tests that may fail on Rowstone. Any other
difference fails the run. Each program gets servers of its own. Both run at the same time: what else the machine does
slows both alike.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.clients.apache.targets import SERVER_SETTINGS, HBaseTarget, RowstoneTarget, Target
from tests.clients.endpoints import jars
from tests.ecosystem import results
from tests.ecosystem.description import Program, list_keys, read
from tests.ecosystem.running import Outcome, Running
from tests.hbase.cluster.server import StandaloneHBase


class HBaseWithEndpoints(HBaseTarget):
    """A real HBase with its own coprocessors on its class path."""

    def __init__(self) -> None:
        self._server = StandaloneHBase(servers=3, heap="1g", settings=SERVER_SETTINGS, more_jars=jars())


def make_target(program: Program, name: str, folder: Path) -> Target:
    """A server of that name. Its clients may bulk load files below ``folder``."""
    if name == "rowstone":
        return RowstoneTarget(settings=(), staging=folder)
    return HBaseWithEndpoints() if program.endpoints else HBaseTarget()


def run_program(program: Program, name: str, folder: Path) -> dict[str, Outcome]:
    """Start a server, run the program's tests against it, and return their outcomes by name."""
    folder.mkdir(parents=True)
    target = make_target(program, name, folder)
    outcomes: dict[str, Outcome] = {}
    running = None
    try:
        target.start()
        running = Running(program, target, folder)
        for test in program.tests:
            outcomes[test.name] = outcome = running.run(test)
            mark = "pass" if outcome.passed else "FAIL"
            print(f"{name:8} {mark} {outcome.seconds:6.1f} s  {test.name}: {outcome.answer}", flush=True)
    finally:
        if running is not None:
            running.close()
        target.close()
    return outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 if every test that passes on HBase passes on Rowstone or has a reason."""
    parser = argparse.ArgumentParser(prog="ecosystem", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", help="with commas, of: " + ", ".join(list_keys()))
    parser.add_argument("--targets", default="hbase,rowstone", help="rowstone alone takes HBase's results as recorded")
    parser.add_argument("--keep", type=Path, help="folder for the outputs of the programs")
    parser.add_argument("--tests", help="with semicolons, the names of tests: these alone, and those that they need")
    options = parser.parse_args(arguments)
    folder = options.keep or Path(tempfile.mkdtemp(prefix="rowstone-ecosystem-"))
    code = 0
    for key in options.programs.split(",") if options.programs else list_keys():
        program = read(key)
        if options.tests:
            program = program.select(options.tests.split(";"))
        with ThreadPoolExecutor() as pool:
            runs = {
                name: pool.submit(run_program, program, name, folder / key / name)
                for name in options.targets.split(",")
            }
            found = {name: run.result() for name, run in runs.items()}
        table = results.read_results()
        rows = results.combine(key, found, table)
        results.write_results({**table, **rows})
        code |= results.report(rows, {(key, name): outcome for name, outcome in found.get("rowstone", {}).items()})
    results.write_document(results.read_results())
    return code


if __name__ == "__main__":
    sys.exit(main())
