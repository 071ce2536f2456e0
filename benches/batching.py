"""Benchmark of write buffering and scan caching against ``rowstone serve``: rows per second by rows per call.

Server and client are separate processes. The variants alternate within each round, so that a busy machine affects all
of them alike. ``make bench-batching``.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benches.report import load, machine, machine_text, publish

import rowstone as rs

ROWS = 5_000
AT_ONCE = (1, 10, 100, 1_000)
VALUE = b"v" * 100
SERVER = """
import sys
import rowstone as rs
with rs.serve(sys.argv[1], port=0, zk_port=None) as server:
    server.database.create_table("t", ["f"])
    print(server.url, flush=True)
    sys.stdin.readline()
"""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Start a server in another process with a table, and yield its URL."""
    command = [sys.executable, "-c", SERVER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def put(table: rs.Table, at_once: int) -> None:
    """Put all rows, with this many per call."""
    for first in range(0, ROWS, at_once):
        with table.batch() as writer:
            for number in range(first, first + at_once):
                writer.put(f"row{number:08}", {"f:q": VALUE})


def scan(table: rs.Table, at_once: int) -> None:
    """Scan all rows, with this many per answer."""
    with table.scan(caching=at_once) as rows:
        assert sum(1 for _ in rows) == ROWS


def measured(table: rs.Table, rounds: int) -> dict[str, dict[int, list[float]]]:
    """Measure rows per second by operation and by rows per call."""
    loads: dict[str, Callable[[rs.Table, int], None]] = {"put": put, "scan": scan}
    found: dict[str, dict[int, list[float]]] = {name: {at_once: [] for at_once in AT_ONCE} for name in loads}
    put(table, 1_000)
    for number in range(rounds):
        for name, work in loads.items():
            for at_once in AT_ONCE:
                began = time.perf_counter()
                work(table, at_once)
                found[name][at_once].append(ROWS / (time.perf_counter() - began))
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return found


def table_text(found: dict[str, dict[int, list[float]]]) -> str:
    """Format the table of the document."""
    lines = [
        "| rows per call | rows put per second | vs 1 row | rows scanned per second | vs 1 row |",
        "|" + "---:|" * 5,
    ]
    for at_once in AT_ONCE:
        cells = []
        for name in ("put", "scan"):
            rate, alone = statistics.median(found[name][at_once]), statistics.median(found[name][1])
            cells += [f"{rate:,.0f}", f"{rate / alone:.1f}"]
        lines.append(f"| {at_once:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table, and write it to a document on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--document", type=Path, help="a document with a place for the table")
    arguments = parser.parse_args()
    facts = machine(f"rowstone {rs.__version__}")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "db") as url, rs.connect(url) as db:
        found = measured(db.table("t"), arguments.rounds)
    facts["load at the end"] = load()
    about = f"{ROWS:,} rows of {len(VALUE)} bytes, median of {arguments.rounds} rounds. {machine_text(facts)}"
    text = f"{table_text(found)}\n\n{about}"
    publish(text, arguments.document, "batching")


if __name__ == "__main__":
    main()
