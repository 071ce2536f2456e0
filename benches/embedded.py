"""Rowstone compared with rocksdict, lmdb and sqlite3: `make bench`.

One run, one machine, one data set. In each round and for each operation the engines alternate, and each round reverses
their order, so that a slow minute of the machine affects all of them. The first round is discarded. Ratios are computed
within a round; the table has their median, smallest and largest. Cells that Rowstone loses are included.

    python -m benches.embedded --rows 100000 --rounds 7 --json build/bench/embedded.json
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from benches.peers import ENGINES, Engine, Items
from benches.report import load, machine, machine_text, publish

# Minimum goals for 100-byte values, in operations per second of one thread.
FLOORS = {
    ("put", ""): 300_000,
    ("batched put", ""): 1_000_000,
    ("get, hit", "settled"): 600_000,
    ("scan, key and value", "settled"): 4_000_000,
}
WRITTEN, SETTLED = "just written", "settled"


@dataclass(frozen=True)
class Block:
    """Measurement of one engine doing one operation in one round."""

    round: int
    value_bytes: int
    state: str
    operation: str
    engine: str
    count: int
    seconds: float
    cpu_seconds: float


class Bench:
    """Run rounds and collect the measurements."""

    def __init__(self, folder: Path, rows: int, value_bytes: int) -> None:
        self.folder = folder
        self.value_bytes = value_bytes
        source = random.Random(value_bytes)
        numbers = source.sample(range(10**12), rows)
        self.items: Items = [(b"user%022d" % number, source.randbytes(value_bytes)) for number in numbers]
        self.keys = [key for key, _ in self.items]
        source.shuffle(self.keys)
        taken = set(numbers)
        self.misses = [b"user%022d" % (number + 1) for number in numbers if number + 1 not in taken]
        self.blocks: list[Block] = []

    def run(self, rounds: int) -> None:
        """Run all operations in `rounds` rounds after the first one, which is discarded."""
        for number in range(rounds):
            order = list(ENGINES) if number % 2 == 0 else list(reversed(ENGINES))
            self._round(number, [engine() for engine in order])
            print(f"  {self.value_bytes} bytes: round {number + 1} of {rounds}", file=sys.stderr)

    def _round(self, number: int, engines: list[Engine]) -> None:
        for operation, write in (("put", "put"), ("batched put", "put_batched")):
            for engine in engines:
                folder = self.folder / f"{engine.name}-{write}"
                shutil.rmtree(folder, ignore_errors=True)
                engine.open(folder)
                self._measure(number, "", operation, engine, lambda w=write, e=engine: getattr(e, w)(self.items))
                if write == "put":
                    engine.close()
        for state in (WRITTEN, SETTLED):
            if state == SETTLED:
                for engine in engines:
                    engine.finish_writes()
            for operation, expected, read in self._reads(state):
                for engine in engines:
                    found = self._measure(number, state, operation, engine, lambda r=read, e=engine: r(e))
                    if found != expected:
                        raise AssertionError(f"{engine.name}, {operation}: {found} of {expected} values")
            self._lazy(number, state, engines)
        for engine in engines:
            engine.close()

    def _reads(self, state: str) -> list[tuple[str, int, Callable[[Engine], int]]]:
        rows = len(self.items)

        def values(engine: Engine, keys: Sequence[bytes]) -> int:
            return getattr(engine, "get_value", engine.get)(keys)

        # After the compaction, no block is in Rowstone's cache: the first reads load and verify all of them.
        first = [("first reads, one value", rows, lambda engine: values(engine, self.keys))] if state == SETTLED else []
        return [
            *first,
            ("get, one value", rows, lambda engine: values(engine, self.keys)),
            ("get, one value, miss", 0, lambda engine: values(engine, self.misses)),
            ("get, hit", rows, lambda engine: engine.get(self.keys)),
            ("get, miss", 0, lambda engine: engine.get(self.misses)),
            ("multi-get of 1,000", rows, lambda engine: engine.get_many(self.keys)),
            ("scan, key and value", rows, lambda engine: engine.scan()),
            ("reverse scan, key and value", rows, lambda engine: engine.scan_reversed()),
        ]

    def _lazy(self, number: int, state: str, engines: list[Engine]) -> None:
        """The other engines have no lazy rows: compare their scans with Rowstone's lazy ones too."""
        for engine in engines:
            scan = getattr(engine, "scan_lazy", engine.scan)
            self._measure(number, state, "scan, lazy rows", engine, scan)

    def _measure(self, number: int, state: str, operation: str, engine: Engine, work: Callable[[], int]) -> int:
        gc.collect()
        gc.disable()
        cpu, began = time.process_time(), time.perf_counter()
        found = work()
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        gc.enable()
        count = len(self.misses) if "miss" in operation else len(self.items)
        self.blocks.append(Block(number, self.value_bytes, state, operation, engine.name, count, seconds, cpu))
        return found


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    value_bytes: int
    state: str
    operation: str
    rate: float
    ratios: dict[str, tuple[float, float, float]]

    @property
    def floor(self) -> int | None:
        """The minimum goal; None if there is none."""
        return FLOORS.get((self.operation, self.state)) if self.value_bytes == 100 else None


def lines_of(blocks: list[Block]) -> list[Line]:
    """Compute rates and ratios without the first round."""
    rates: dict[tuple[int, str, str], dict[str, dict[int, float]]] = {}
    for block in blocks:
        if block.round > 0:
            place = rates.setdefault((block.value_bytes, block.state, block.operation), {})
            place.setdefault(block.engine, {})[block.round] = block.count / block.seconds
    lines = []
    for (value_bytes, state, operation), by_engine in rates.items():
        ours = by_engine.pop("rowstone")
        ratios = {}
        for name, theirs in by_engine.items():
            found = [ours[number] / theirs[number] for number in ours]
            ratios[name] = (statistics.median(found), min(found), max(found))
        lines.append(Line(value_bytes, state, operation, statistics.median(ours.values()), ratios))
    return lines


def rate_text(rate: float) -> str:
    """Format a rate in thousands per second."""
    return f"{rate / 1000:,.0f}"


def markdown(lines: list[Line]) -> str:
    """Format the table. Above 1 Rowstone is faster; ratios below 1 are bold."""
    peers = list(lines[0].ratios)
    heads = ["value", "state", "operation", "rowstone, 1,000/s", *(f"vs {peer}" for peer in peers), "floor, 1,000/s"]
    texts = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for line in lines:
        cells = []
        for peer in peers:
            median, least, most = line.ratios[peer]
            text = f"{median:.2f} ({least:.2f}–{most:.2f})"
            cells.append(f"**{text}**" if median < 1 else text)
        floor = "" if line.floor is None else f"{rate_text(line.floor)} {'✓' if line.rate >= line.floor else '✗'}"
        parts = [f"{line.value_bytes} B", line.state, line.operation, rate_text(line.rate), *cells, floor]
        texts.append(f"| {' | '.join(parts)} |")
    return "\n".join(texts)


def versions() -> str:
    """Versions of the compared engines."""
    names = ", ".join(f"{name} {version(name)}" for name in ("rowstone", "rocksdict", "lmdb"))
    return f"{names}, sqlite {sqlite3.sqlite_version}"


def caption(rows: int, rounds: int, facts: dict[str, str]) -> str:
    """Describe the table's contents and origin."""
    return (
        f"{rows:,} rows in random order, keys of 26 bytes, one thread. Medians of {rounds - 1} interleaved rounds, "
        "ratios with smallest and largest; above 1 Rowstone is faster. *Just written*: from memory and small files; "
        "*settled*: after flush and compaction. Durability: a write has reached the operating system, but not the disk "
        "(`benches/peers.py` has the options of each). *Get, one value* is `Table.value`; *get, hit* and *get, miss* "
        "are `Table.get`. *First reads*: the same, before any block is in Rowstone's cache. "
        "*Lazy rows*: a scan that does not use the rows; other engines read keys and values. "
        "The floor is the minimum goal. "
        f"{machine_text(facts)}"
    )


def main() -> None:
    """Measure, print the table, write all blocks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7, help="the first does not count")
    parser.add_argument("--values", type=int, nargs="+", default=[100, 1_000], help="bytes of a value")
    parser.add_argument("--json", type=Path, default=Path("build/bench/embedded.json"))
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2: the first does not count")
    begin, blocks = machine(versions()), []
    for value_bytes in options.values:
        with tempfile.TemporaryDirectory(prefix="rowstone-bench-") as folder:
            bench = Bench(Path(folder), options.rows, value_bytes)
            bench.run(options.rounds)
            blocks += bench.blocks
    lines = lines_of(blocks)
    facts = {**begin, "load at the end": load()}
    text = f"{markdown(lines)}\n\n{caption(options.rows, options.rounds, facts)}"
    publish(text, options.document, "bench")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    report = {"machine": facts, "rows": options.rows, "blocks": [asdict(block) for block in blocks]}
    options.json.write_text(json.dumps(report, indent=1))
    print(f"every block: {options.json}", file=sys.stderr)


if __name__ == "__main__":
    main()
