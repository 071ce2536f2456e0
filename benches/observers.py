"""Cost of observers, constraints and indexes for a put, in microseconds per row.

    python -m benches.observers [--rows 20000] [--rounds 7]

The variants alternate, each round on new in-memory databases; a number is the median of the rounds. `none` is a table
that never had an observer; `beside one` is a table without one in a database where another table has one. Both should
be equal.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import rowstone as rs

LIMIT_US = 5.0


class Hear(rs.coprocessors.RegionObserver):
    """Observe every put and do nothing."""

    def pre_put(self, context: Any, put: Any, durability: str) -> None:
        return None


class Look(rs.coprocessors.RegionObserver):
    """Read the cells of every put."""

    def pre_put(self, context: Any, put: Any, durability: str) -> None:
        for cell in put.cells:
            if cell.value == b"bad":
                raise rs.errors.ConstraintViolation("bad")


class Rewrite(rs.coprocessors.RegionObserver):
    """Replace every put by another one."""

    def pre_put(self, context: Any, put: Any, durability: str) -> rs.Put:
        return rs.Put(put.row, [(cell.column, cell.value) for cell in put.cells])


def nothing(db: rs.Database) -> None:
    """A table without an observer."""


def beside(db: rs.Database) -> None:
    """A table without an observer, next to one that has one."""
    db.create_table("other", ["f"])
    db.coprocessors.attach("other", Hear())


def observed(observer: type[rs.coprocessors.RegionObserver]) -> Callable[[rs.Database], None]:
    """A table with this observer."""
    return lambda db: db.coprocessors.attach("t", observer())


def ruled(make: Callable[[], rs.coprocessors.constraints.Constraint]) -> Callable[[rs.Database], None]:
    """A table with this constraint."""

    def prepare(db: rs.Database) -> None:
        db.create_table("parents", ["f"])
        db.table("parents").put(b"1".zfill(8), {"f:q": "v"})
        db.constraints("t").add(make())

    return prepare


def indexed(strategy: str) -> Callable[[rs.Database], None]:
    """A table with this index."""
    return lambda db: db.create_index("t", "i", "f:q", strategy=strategy) and None


KINDS: dict[str, Callable[[rs.Database], None]] = {
    "none": nothing,
    "beside one": beside,
    "observer: hears": observed(Hear),
    "observer: looks at cells": observed(Look),
    "observer: rewrites": observed(Rewrite),
    "constraint: Range": ruled(lambda: rs.coprocessors.constraints.Range("f:q", least=0, most=2**63, codec="uint64")),
    "constraint: Regex": ruled(lambda: rs.coprocessors.constraints.Regex("f:q", "[0-9]+")),
    "constraint: ForeignKey": ruled(lambda: rs.coprocessors.constraints.ForeignKey("f:q", "parents")),
    "index: dual": indexed("dual"),
    "index: coprocessor": indexed("coprocessor"),
}


def measure(kind: str, rows: int, *, batched: bool) -> float:
    """Measure microseconds per row."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        KINDS[kind](db)
        target: Any = db.index("t", "i") if kind == "index: dual" else db.table("t")
        value = b"1".zfill(8)
        keys = [b"%09d" % number for number in range(rows)]
        started = time.perf_counter()
        if batched and hasattr(target, "batch"):
            with target.batch() as batch:
                for key in keys:
                    batch.put(key, {b"f:q": value})
        else:
            for key in keys:
                target.put(key, {b"f:q": value})
        return (time.perf_counter() - started) / rows * 1e6


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    found: dict[tuple[str, bool], list[float]] = {(kind, batched): [] for kind in KINDS for batched in (False, True)}
    for _ in range(arguments.rounds):
        for kind, batched in found:
            found[kind, batched].append(measure(kind, arguments.rows, batched=batched))
    numbers = {key: median(values) for key, values in found.items()}
    print("| put of one cell | alone, µs | more than none | in a batch, µs | more than none |")
    print("|---|---|---|---|---|")
    for kind in KINDS:
        alone, batched = numbers[kind, False], numbers[kind, True]
        more = alone - numbers["none", False], batched - numbers["none", True]
        batch = "—" if kind == "index: dual" else f"{batched:.2f} | {more[1]:+.2f}"
        print(f"| {kind} | {alone:.2f} | {more[0]:+.2f} | {batch} |" + (" — |" if kind == "index: dual" else ""))
    more = max(numbers["observer: hears", one] - numbers["none", one] for one in (False, True))
    print(f"\nan observer in Python costs {more:.2f} µs a row; the limit is {LIMIT_US}")


if __name__ == "__main__":
    main()
