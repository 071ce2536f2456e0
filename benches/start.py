"""Time until `rowstone serve` reports that it is ready: plain, with each additional port, and with all of them.

Measured from the start of the process, including Python's own start. The variants alternate, so that a busy machine
affects all of them alike; CPU time does not depend on that. ``make bench-start``.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benches.report import load, machine, machine_text, publish

import rowstone

PORTS = {
    "Thrift": ["--thrift-port", "0"],
    "Thrift 2": ["--thrift2-port", "0"],
    "REST": ["--rest-port", "0"],
    "dashboard and metrics": ["--info-port", "0"],
}
TLS = Path(__file__).resolve().parents[1] / "tests" / "served" / "tls"
RIGHTS = ["--set", "hbase.security.authorization=true"]
ENCRYPTED = ["--tls-certificate", str(TLS / "certificate.pem"), "--tls-key", str(TLS / "key.pem")]


def variants(users: Path) -> dict[str, list[str]]:
    """Command line options by what they enable."""
    every_port = [option for options in PORTS.values() for option in options]
    logins = [*ENCRYPTED, "--auth", "password", "--users", str(users)]
    return {
        "plain": [],
        **PORTS,
        "all ports": every_port,
        "all ports, access control, passwords, TLS": every_port + RIGHTS + logins,
    }


def environment(folder: Path) -> dict[str, str]:
    """An environment with a writable folder for bytecode. An installed package has its bytecode next to its files,
    which may be read-only here."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def measured(options: Sequence[str], folder: Path) -> tuple[float, float]:
    """Milliseconds until the ready line, and milliseconds of CPU time."""
    command = [sys.executable, "-c", "from rowstone.cli import main; main()", "serve", str(folder / "db")]
    command += ["--port", "0", "--zk-port", "0", *options]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(folder)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        wall = time.perf_counter() - began
        busy = processor_seconds(process.pid)
        process.send_signal(signal.SIGTERM)
    if not line.startswith("ready"):
        raise RuntimeError(f"the server did not start: {line}")
    return wall * 1000, busy * 1000


def processor_seconds(process: int) -> float:
    """CPU time of all threads of a process. Linux only."""
    files = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(file.read_text().split()[0]) for file in files) / 1e9


def run(rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Run all measurements."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        users = folder / "users.toml"
        rowstone.server.security.Users(users).add("ann", password="secret")
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in variants(users)}
        for number in range(-1, rounds):
            for name, options in variants(users).items():
                pair = measured(options, folder)
                # The first run writes bytecode.
                found[name] += [pair] * (number >= 0)
            print(f"round {number + 1} of {rounds}: load {load()}", flush=True)
    return found


def table(found: Mapping[str, Sequence[tuple[float, float]]], facts: dict[str, str]) -> str:
    """Format the document's table."""
    lines = ["| with | ready after, ms (smallest to largest) | CPU time, ms |", "|---|---|---|"]
    for name, pairs in found.items():
        wall, busy = zip(*pairs, strict=True)
        spread = f"{statistics.median(wall):,.0f} ({min(wall):,.0f}–{max(wall):,.0f})"
        lines.append(f"| {name} | {spread} | {statistics.median(busy):,.0f} |")
    rounds = len(next(iter(found.values())))
    return "\n".join(
        [*lines, "", f"Medians of {rounds} interleaved rounds on an empty directory. {machine_text(facts)}"]
    )


def main() -> None:
    """Measure, print the table, and write it into a document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--document", type=Path, help="where to put the table")
    options = parser.parse_args()
    facts = machine(f"rowstone {rowstone.__version__}")
    text = table(run(options.rounds), facts | {"load at the end": load()})
    publish(text, options.document, "start")


if __name__ == "__main__":
    main()
