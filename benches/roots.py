"""A scan of a snapshot of HBase: our `open_root`, HBase's `TableSnapshotScanner`, and its client through a server.

Starts an HBase, fills a table, and takes a snapshot. All readers then read the whole snapshot in turn, forwards in one
round and backwards in the next. Times include opening. The first rounds, in which the JVM warms up, do not count.
Ratios are taken within a round. Ours runs in a new process each time, for its peak memory; it loads its modules, as the
JVM its classes, before the clock starts. ``make bench-roots``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benches.report import load, machine, machine_text, publish
from tests.hbase.cluster.server import StandaloneHBase
from tests.roots.session import LIVE, FastRootSession, snapshot_place

import rowstone as rs

WARM_ROUNDS = 2
TABLE, SNAPSHOT = "bench", "bench_1"
FORMS = {
    "rows": ("rows", None),
    "rows, one thread": ("rows", 0),
    "cells": ("cells", None),
    "cells, one thread": ("cells", 0),
}
"""What a scan of ours returns, and the argument `threads`."""
OURS = "rowstone, "
SNAPSHOT_SCANNER, CLIENT = "TableSnapshotScanner", "Java client"
GOALS = {SNAPSHOT_SCANNER: 3.0, CLIENT: 5.0}
MEMORY_GOAL_MB = 300.0
SPLITS = "250000 500000 750000"


@dataclass(frozen=True)
class Block:
    """One scan of one reader."""

    round: int
    reader: str
    seconds: float
    cells: int
    memory_mb: float


def scan(root: str, snapshot: str, name: str, limit: int | None = None) -> int:
    """Open a snapshot and count its cells."""
    form, threads = FORMS[name]
    with rs.open_root(root, snapshot=snapshot, threads=threads) as db, db.table(TABLE).scan(limit=limit) as scanner:
        return sum(map(len, scanner if form == "rows" else scanner.arrow("cells")))


def scan_once(root: str, snapshot: str, name: str) -> tuple[float, int, float]:
    """Scan a snapshot in this process: seconds, cells, peak memory in MB."""
    scan(root, snapshot, name, limit=1)
    began = time.perf_counter()
    cells = scan(root, snapshot, name)
    seconds = time.perf_counter() - began
    return seconds, cells, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_ours(root: Path, name: str) -> tuple[float, int, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benches.roots", "--scan", str(root), SNAPSHOT, name]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(words[0]), int(words[1]), float(words[2])


def measure_java(session: FastRootSession, reader: str) -> tuple[float, int, float]:
    """A scan in the JVM; its memory is not measured."""
    place = LIVE if reader == CLIENT else snapshot_place(SNAPSHOT)
    nanoseconds, _, cells = session.run(f"time {place} scan")[0].split()
    return int(nanoseconds) / 1e9, int(cells), 0.0


def fill(session: FastRootSession, cells: int, files: int, family: str) -> None:
    """Make the table, with this many files in each region, and its snapshot."""
    session.run(f"named {TABLE} {SPLITS}", f"table t f,{family}", "compactions off")
    for number in range(files):
        session.run(f"fill {cells // files} {number} {1_600_000_000_000} {1_600_000_100_000}", "flush")
    if files == 1:
        session.run("compactions on", "major", "compactions off")
    session.run(f"snapshot {SNAPSHOT}")


def run(session: FastRootSession, rounds: int) -> Iterator[Block]:
    """Measure; all readers must find as many cells."""
    readers = [f"{OURS}{name}" for name in FORMS] + [SNAPSHOT_SCANNER, CLIENT]
    expected: int | None = None
    for number in range(rounds):
        for reader in readers if number % 2 == 0 else readers[::-1]:
            ours = reader.startswith(OURS)
            name = reader.removeprefix(OURS)
            seconds, cells, memory = measure_ours(session.root, name) if ours else measure_java(session, reader)
            expected = cells if expected is None else expected
            if cells != expected:
                raise AssertionError(f"{reader}: {cells} cells instead of {expected}")
            yield Block(number, reader, seconds, cells, memory)
        print(f"round {number + 1} of {rounds}: load {load()}", file=sys.stderr, flush=True)


def rates_of(blocks: Sequence[Block]) -> dict[str, dict[int, float]]:
    """Cells per second by reader and round, without the warm-up rounds."""
    rates: dict[str, dict[int, float]] = {}
    for block in blocks:
        if block.round >= WARM_ROUNDS:
            rates.setdefault(block.reader, {})[block.round] = block.cells / block.seconds
    return rates


def ratio_text(ours: Mapping[int, float], theirs: Mapping[int, float], goal: float) -> str:
    """Format the ratio; bold where it is below its goal."""
    found = [ours[number] / theirs[number] for number in ours]
    text = f"{statistics.median(found):.1f} ({min(found):.1f}–{max(found):.1f})"
    return text if statistics.median(found) >= goal else f"**{text}**"


def table(blocks: Sequence[Block]) -> str:
    """Format the table."""
    rates = rates_of(blocks)
    lines = [f"| reader | cells/s | vs {SNAPSHOT_SCANNER} | vs {CLIENT} | peak memory, MB |", "|---|---|---|---|---|"]
    for reader, by_round in rates.items():
        cells = [reader, f"{statistics.median(by_round.values()):,.0f}", "", "", ""]
        if reader.startswith(OURS):
            cells[2:4] = [ratio_text(by_round, rates[other], goal) for other, goal in GOALS.items()]
            memory = max(block.memory_mb for block in blocks if block.reader == reader)
            cells[4] = f"{memory:,.0f}" if memory < MEMORY_GOAL_MB else f"**{memory:,.0f}**"
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def caption(cells: int, options: argparse.Namespace, facts: dict[str, str]) -> str:
    """Describe the table."""
    return (
        f"{cells:,} cells of one family ({options.family}) in four regions, {options.files} file in each. Rowstone "
        f"reads ahead with as many threads as the machine has cores, or with none (one thread). "
        f"Medians of {options.rounds - WARM_ROUNDS} interleaved rounds, ratios with smallest and largest; above 1 "
        f"Rowstone is faster. The goals: {GOALS[SNAPSHOT_SCANNER]:.0f} times {SNAPSHOT_SCANNER}, "
        f"{GOALS[CLIENT]:.0f} times the client, less than {MEMORY_GOAL_MB:.0f} MB; missed ones are bold. "
        f"{machine_text(facts)}"
    )


def main() -> None:
    """Measure, print the table, write all blocks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cells", type=int, default=8_000_000, help="cells to write; about half replace others")
    parser.add_argument("--files", type=int, default=1, help="files of each region")
    parser.add_argument("--family", default="VERSIONS=1,ENC=FAST_DIFF,COMP=SNAPPY", help="as in the command `table`")
    parser.add_argument("--rounds", type=int, default=7, help=f"the first {WARM_ROUNDS} do not count")
    parser.add_argument("--json", type=Path, default=Path("build/bench/roots.json"))
    parser.add_argument("--document", type=Path, help="write the table into this document")
    parser.add_argument("--scan", nargs=3, metavar=("ROOT", "SNAPSHOT", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.scan:
        print(*scan_once(*options.scan))
        return
    facts = machine(f"rowstone {rs.__version__}, HBase 2.6.4")
    with StandaloneHBase(heap="2g") as server, contextlib.closing(FastRootSession(server)) as session:
        fill(session, options.cells, options.files, options.family)
        blocks = list(run(session, options.rounds))
    facts["load at the end"] = load()
    publish(f"{table(blocks)}\n\n{caption(blocks[0].cells, options, facts)}", options.document, "roots")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"machine": facts, "blocks": [asdict(block) for block in blocks]}, indent=1))


if __name__ == "__main__":
    main()
