"""Gets from millions of rows, in the block cache and beyond it, compared with rocksdict and lmdb: `make bench-large`.

The rows are loaded once, settled, and read once in order, so that all files are in the page cache of the operating
system. In each round the engines alternate, and each round reverses their order. Rowstone is measured twice with its
default limits: opened for writing, and read-only, which has a smaller block cache.

    python -m benches.large --rows 5000000 --rounds 7 --folder /tmp/large
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benches import report
from benches.embedded import versions
from benches.peers import Engine, Items, Lmdb, Rocksdict, Rowstone
from benches.report import machine, machine_text, publish

import rowstone as rs

PORTION = 100_000


class ReadOnly(Rowstone):
    """The directory of `Rowstone`, opened read-only."""

    name = "rowstone, read-only"

    def open(self, folder: Path) -> None:
        self.db = rs.connect(folder.with_name(Rowstone.name), read_only=True)
        self.table = self.db.table("t")


OWN: tuple[type[Rowstone], ...] = (Rowstone, ReadOnly)
PEERS: tuple[type[Engine], ...] = (Rocksdict, Lmdb)
Rates = dict[str, dict[str, list[float]]]


def key_of(number: int) -> bytes:
    """The key of a row; numbers in sequence have keys far apart."""
    return b"user%022d" % (number * 982_451_653 % 10**12)


def load(engine: Engine, folder: Path, rows: int, value_bytes: int) -> None:
    """Write all rows in random order, unless the folder has them already, and settle them."""
    engine.open(folder / engine.name)
    if isinstance(engine, ReadOnly) or (folder / f"{engine.name}.loaded").exists():
        return
    source = random.Random(value_bytes)
    began = time.perf_counter()
    for start in range(0, rows, PORTION):
        items: Items = [(key_of(n), source.randbytes(value_bytes)) for n in range(start, min(start + PORTION, rows))]
        engine.put_batched(items)
    engine.finish_writes()
    (folder / f"{engine.name}.loaded").touch()
    print(f"  {engine.name}: {rows:,} rows loaded in {time.perf_counter() - began:.0f} s", file=sys.stderr)


def operations(keys: Sequence[bytes], misses: Sequence[bytes]) -> dict[str, tuple[int, Callable[[Engine], int]]]:
    """Each operation with the number of values it must find."""
    return {
        # The other engines have only this kind of get.
        "get, one value": (len(keys), lambda engine: getattr(engine, "get_value", engine.get)(keys)),
        "get": (len(keys), lambda engine: engine.get(keys)),
        "get, miss": (0, lambda engine: engine.get(misses)),
        "multi-get of 1,000": (len(keys), lambda engine: engine.get_many(keys)),
    }


def measure(engines: list[Engine], rows: int, gets: int, rounds: int) -> Rates:
    """Rates by operation and engine, one for each round after the first."""
    dice = random.Random(7)
    rates: Rates = {}
    for number in range(rounds):
        keys = [key_of(dice.randrange(rows)) for _ in range(gets)]
        work = operations(keys, [key + b"-" for key in keys])
        for name, (expected, read) in work.items():
            for engine in engines if number % 2 else reversed(engines):
                began = time.perf_counter()
                found = read(engine)
                seconds = time.perf_counter() - began
                if found != expected:
                    raise AssertionError(f"{engine.name}, {name}: {found} of {expected} values")
                if number > 0:
                    rates.setdefault(name, {}).setdefault(engine.name, []).append(gets / seconds)
        print(f"  round {number + 1} of {rounds}", file=sys.stderr)
    return rates


def markdown(rates: Rates, cache_mebibytes: dict[str, int]) -> str:
    """Format the table: medians, and ratios with smallest and largest."""
    peers = [engine.name for engine in PEERS]
    lines = [f"| block cache | operation | rowstone, 1,000/s | {' | '.join(f'vs {peer}' for peer in peers)} |"]
    lines.append("|---|---|---|---|---|")
    for own in OWN:
        for name, by_engine in rates.items():
            ours = by_engine[own.name]
            cells = []
            for peer in peers:
                found = [mine / other for mine, other in zip(ours, by_engine[peer], strict=True)]
                text = f"{statistics.median(found):.2f} ({min(found):.2f}–{max(found):.2f})"
                cells.append(f"**{text}**" if statistics.median(found) < 1 else text)
            rate = f"{statistics.median(ours) / 1000:,.0f}"
            lines.append(f"| {cache_mebibytes[own.name]:,} MiB | {name} | {rate} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Load, measure, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--values", type=int, default=100, help="bytes of a value")
    parser.add_argument("--gets", type=int, default=200_000, help="reads of an operation in each round")
    parser.add_argument("--rounds", type=int, default=7, help="the first does not count")
    parser.add_argument("--folder", type=Path, help="keep the loaded data here, and use it again")
    parser.add_argument("--json", type=Path, default=Path("build/bench/large.json"))
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    facts = machine(versions())
    with tempfile.TemporaryDirectory(prefix="rowstone-bench-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        own = [engine() for engine in OWN]
        engines: list[Engine] = [*own, *(peer() for peer in PEERS)]
        for engine in engines:
            load(engine, folder, options.rows, options.values)
            engine.scan()
        caches = {each.name: each.db.admin.metrics.memory_limits().cache_bytes >> 20 for each in own}
        rates = measure(engines, options.rows, options.gets, options.rounds)
        for engine in engines:
            engine.close()
    facts["load at the end"] = report.load()
    text = (
        f"{markdown(rates, caches)}\n\n"
        f"{options.rows:,} rows, keys of 26 bytes, values of {options.values}; {options.gets:,} random reads of each "
        f"kind in a round, one thread. Medians of {options.rounds - 1} interleaved rounds, ratios with smallest and "
        "largest. Files in the page cache. The block cache has its default size: 5 % of the memory, at most 2 GiB if "
        "the database is open for writing, and 256 MiB if it is read-only. "
        f"{machine_text(facts)}"
    )
    publish(text, options.document, "bench-large")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"machine": facts, "rates": rates}, indent=1))


if __name__ == "__main__":
    main()
