"""Arrow scans compared with the row API: the second half of `make bench`.

One run, one table in the cache. The readers alternate, in reverse order in every second round; the first round is
discarded. Ratios are computed within a round; the table shows their median with the smallest and largest.

    python -m benches.frames --cells 10000000 --rounds 5 --document docs/explanation/measurements.md
"""

from __future__ import annotations

import argparse
import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from benches.report import load, machine, machine_text, publish

import rowstone as rs

VALUE_BYTES = 8
WANTED = 4
"""Smallest required ratio of Arrow's rate to that of the row API."""


@dataclass(frozen=True)
class Shape:
    """Shape of a table: its number of columns per row."""

    columns: int

    @property
    def names(self) -> list[str]:
        return [f"f:c{number}" for number in range(self.columns)]


def fill(table: rs.Table, shape: Shape, cells: int) -> None:
    """Write rows of numbers in key order."""
    with table.batch() as batch:
        for number in range(cells // shape.columns):
            value = number.to_bytes(VALUE_BYTES, "big")
            batch.put(b"%012d" % number, dict.fromkeys(shape.names, value))


def row_values(table: rs.Table, shape: Shape) -> int:
    """Row API: the key, and each value by its column."""
    found = 0
    names = [name.encode() for name in shape.names]
    for row in table.scan():
        row.key  # noqa: B018
        for name in names:
            found += len(row[name]) == VALUE_BYTES
    return found


def row_numbers(table: rs.Table, shape: Shape) -> int:
    """Row API: the same, as numbers."""
    found = 0
    names = [name.encode() for name in shape.names]
    for row in table.scan():
        row.key  # noqa: B018
        for name in names:
            found += int.from_bytes(row[name], "big", signed=True) >= 0
    return found


def row_cells(table: rs.Table, shape: Shape) -> int:
    """Row API: all parts of all cells."""
    found = 0
    for row in table.scan():
        for cell in row.cells:
            cell.row, cell.family, cell.qualifier, cell.timestamp  # noqa: B018
            found += len(cell.value) == VALUE_BYTES
    return found


def cell_records(table: rs.Table, shape: Shape) -> int:
    """Arrow: one record per cell, read by pyarrow."""
    return sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(table.scan().arrow("cells")))


def parallel_cells(table: rs.Table, shape: Shape) -> int:
    """Arrow: the same, with row ranges in parallel."""
    stream = table.scan().arrow("cells", threads=2)
    return sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(stream))


def row_records(table: rs.Table, shape: Shape) -> int:
    """Arrow: one record per row, with binary columns."""
    return _pivot(table, shape, {})


def typed_records(table: rs.Table, shape: Shape) -> int:
    """Arrow: one record per row, with int64 columns."""
    return _pivot(table, shape, {"f": "int64"})


def parallel_records(table: rs.Table, shape: Shape) -> int:
    """Arrow: the same, with row ranges in parallel."""
    return _pivot(table, shape, {"f": "int64"}, threads=2)


def _pivot(table: rs.Table, shape: Shape, codecs: dict[str, str], threads: int = 1) -> int:
    stream = table.scan(columns=shape.names).arrow(codecs=codecs, threads=threads)
    return sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(stream)) * shape.columns


CELLS, VALUES, NUMBERS = "row API, cells", "row API, values", "row API, values as int"
READERS: dict[str, Callable[[rs.Table, Shape], int]] = {
    CELLS: row_cells,
    VALUES: row_values,
    NUMBERS: row_numbers,
    "Arrow, cells": cell_records,
    "Arrow, cells, 2 threads": parallel_cells,
    "Arrow, rows, bytes": row_records,
    "Arrow, rows, `int64`": typed_records,
    "Arrow, rows, `int64`, 2 threads": parallel_records,
}
SAME = {
    "Arrow, cells": CELLS,
    "Arrow, cells, 2 threads": CELLS,
    "Arrow, rows, bytes": VALUES,
    "Arrow, rows, `int64`": NUMBERS,
    "Arrow, rows, `int64`, 2 threads": NUMBERS,
}
"""The reader of the row API with the same result."""


def measure(table: rs.Table, shape: Shape, cells: int, rounds: int) -> dict[str, list[float]]:
    """Measure cells per second of each reader in each round but the first."""
    rates: dict[str, list[float]] = {name: [] for name in READERS}
    for number in range(rounds):
        order = list(READERS) if number % 2 == 0 else list(reversed(READERS))
        for name in order:
            gc.collect()
            gc.disable()
            began = time.perf_counter()
            found = READERS[name](table, shape)
            seconds = time.perf_counter() - began
            gc.enable()
            if found != cells:
                raise AssertionError(f"{name}: {found} of {cells} cells")
            if number > 0:
                rates[name].append(cells / seconds)
        print(f"  {shape.columns} columns: round {number + 1} of {rounds}", file=sys.stderr)
    return rates


def ratio(rates: dict[str, list[float]], name: str, base: str) -> tuple[float, str]:
    """Median over the rounds of the speed-up, with its text."""
    ratios = [rate / other for rate, other in zip(rates[name], rates[base], strict=True)]
    median = statistics.median(ratios)
    return median, f"{median:.1f} ({min(ratios):.1f}–{max(ratios):.1f})"


def lines(shape: Shape, rates: dict[str, list[float]]) -> list[str]:
    """Format the lines of one shape."""
    texts = []
    for name, found in rates.items():
        same = quickest = goal = ""
        if name in SAME:
            median, same = ratio(rates, name, SAME[name])
            goal = "✓" if median >= WANTED else "✗"
            _, quickest = ratio(rates, name, VALUES)
        rate = f"{statistics.median(found) / 1e6:.1f}"
        texts.append(f"| {shape.columns} | {name} | {rate} | {same} | {goal} | {quickest} |")
    return texts


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cells", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, nargs="+", default=[1, 10], help="columns of a row")
    parser.add_argument("--rounds", type=int, default=5, help="the first does not count")
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2: the first does not count")
    facts = machine(f"rowstone {rs.__version__}, pyarrow {pa.__version__}")
    heads = ("columns", "reader", "million cells/s", "vs row API, same data", f"{WANTED} times", "vs row API, values")
    texts = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for columns in options.columns:
        shape = Shape(columns)
        cells = options.cells // columns * columns
        with rs.connect(":memory:", cache_bytes=2 << 30) as db:
            db.create_table("t", ["f"])
            fill(db.table("t"), shape, cells)
            db.admin.flush("t")
            db.admin.major_compact("t")
            texts += lines(shape, measure(db.table("t"), shape, cells, options.rounds))
    facts["load at the end"] = load()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    caption = (
        f"{options.cells:,} cells of {VALUE_BYTES} bytes, keys of 12, from the cache; medians of "
        f"{options.rounds - 1} interleaved rounds with smallest and largest; {peak:,} MB at most. {machine_text(facts)}"
    )
    text = "\n".join([*texts, "", caption])
    publish(text, options.document, "frames")


if __name__ == "__main__":
    main()
