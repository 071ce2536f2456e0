"""Latency of put, get and scan while a writer keeps flushes and compactions going: `make bench-latency`.

Each operation has a thread of its own, whose calls are due at fixed times. A latency counts from the time when the
call was due, so a stall delays all calls that fall into it (no coordinated omission). The writer overwrites random
rows at a fixed rate, the same for all stores. *Idle* is the same schedule without the writer.

Two more threads show what is not the store's: one that does nothing at its times, in the same process (Python's lock
and the machine), and one in another process (the machine alone).

    python -m benches.latency --seconds 60 --idle-seconds 15 --values 1000
    python -m benches.latency --served --write-rates 5000
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benches import report
from benches.embedded import versions
from benches.large import key_of
from benches.latency_peers import SCAN_ROWS, Control, Event, Store, embedded, served
from benches.latency_report import NOTHING, OUTSIDE, Phase, Result, caption, markdown, picture
from benches.report import machine, publish
from benches.served.peers import HBASE_VERSION

PORTION = 10_000
TICK_SECONDS, SAMPLE_SECONDS = 0.005, 0.2
# Seconds before the first call is due: threads and the other process have started by then.
START_SECONDS = 1.0
SIZES: dict[str, dict[str, Any]] = {
    "embedded": {
        "values": [100, 1_000],
        "rows": [1_000_000, 300_000],
        "write_rates": [60_000, 20_000],
        "probe_rate": 500,
        "scan_rate": 200,
        "warm_seconds": 2,
    },
    # Java needs some time until what it runs is compiled.
    "served": {
        "values": [1_000],
        "rows": [300_000],
        "write_rates": [5_000],
        "probe_rate": 200,
        "scan_rate": 50,
        "warm_seconds": 20,
    },
}


@dataclass(frozen=True)
class Plan:
    """Sizes and rates of a run."""

    rows: int
    value_bytes: int
    write_rate: int
    probe_rate: int
    scan_rate: int
    warm_seconds: float
    idle_seconds: float
    seconds: float


class Values:
    """Random values of a size, cut out of a pool that does not compress."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pool = random.Random(size).randbytes(1 << 20)
        self._dice = random.Random(size + 1)

    def next(self) -> bytes:
        start = int(self._dice.random() * ((1 << 20) - self._size))
        return self._pool[start : start + self._size]


def precise_sleep() -> None:
    """Have Linux wake the calling thread on time, instead of up to 50 us later."""
    if sys.platform == "linux":
        set_timer_slack = 29
        ctypes.CDLL(None).prctl(set_timer_slack, 1, 0, 0, 0)


def probe(call: Callable[[], Any], rate: float, begin: float, seconds: float) -> array[float]:
    """Make calls that are due at a fixed rate; returns the seconds from when each was due until it returned."""
    precise_sleep()
    now, sleep = time.perf_counter, time.sleep
    latencies = array("d")
    for number in range(int(rate * seconds)):
        due = begin + number / rate
        while (left := due - now()) > 0:
            sleep(left)
        call()
        latencies.append(now() - due)
    return latencies


def probe_outside(pipe: Connection, rate: float, seconds: float) -> None:
    """The schedule without calls, in a process of its own."""
    gc.disable()
    pipe.send(None)
    begin = time.perf_counter() + pipe.recv() - time.time()
    pipe.send(probe(lambda: None, rate, begin, seconds))


class Run:
    """One store, loaded and settled, under the schedule."""

    def __init__(self, store: Store, plan: Plan) -> None:
        self._store, self._plan = store, plan
        self._misses = 0
        self._failures: list[BaseException] = []

    def load(self) -> None:
        """Write all rows once, and settle them in files."""
        values = Values(self._plan.value_bytes)
        for start in range(0, self._plan.rows, PORTION):
            numbers = range(start, min(start + PORTION, self._plan.rows))
            self._store.load([(key_of(number), values.next()) for number in numbers])
        self._store.wait_for_compactions()

    def warm(self) -> None:
        """Run for a while, uncounted, and settle again."""
        self.phase(self._plan.warm_seconds, self._plan.write_rate)
        self._store.wait_for_compactions()

    def _calls(self) -> dict[str, tuple[float, Callable[[], Any]]]:
        """Each operation with its rate."""
        store, plan = self._store, self._plan
        values = Values(plan.value_bytes)
        dice = {name: random.Random(name) for name in ("put", "get", "scan")}
        # A scan starts far enough from the end of the table to find all its rows.
        starts = sorted(key_of(number) for number in range(plan.rows))[: -SCAN_ROWS + 1]

        def check(found: int, expected: int) -> None:
            self._misses += found != expected

        return {
            "put": (plan.probe_rate, lambda: store.put(key_of(dice["put"].randrange(plan.rows)), values.next())),
            "get": (plan.probe_rate, lambda: check(store.get(key_of(dice["get"].randrange(plan.rows))), 1)),
            "scan": (plan.scan_rate, lambda: check(store.scan(dice["scan"].choice(starts)), SCAN_ROWS)),
            NOTHING: (plan.probe_rate, lambda: None),
        }

    def phase(self, seconds: float, write_rate: int) -> Phase:
        """Measure for so many seconds, with a writer unless its rate is 0."""
        latencies: dict[str, Sequence[float]] = {}
        samples: list[tuple[float, Any]] = []
        lags: list[float] = []
        stop = threading.Event()
        calls = self._calls()
        with outside(self._plan.probe_rate, seconds) as (begin, finish):
            sampler = self._thread(self._sample, samples, stop)
            threads = []
            for place, (name, (rate, call)) in enumerate(calls.items()):
                # The threads' times are apart by a part of a period.
                due = begin + place / len(calls) / rate
                threads.append(self._thread(self._probe, latencies, name, (call, rate, due, seconds)))
            if write_rate:
                threads.append(self._thread(self._write, lags, (begin, seconds, write_rate)))
            for thread in threads:
                thread.join()
            stop.set()
            sampler.join()
            latencies[OUTSIDE] = finish()
        self._check()
        rates = {name: rate for name, (rate, _) in calls.items()} | {OUTSIDE: self._plan.probe_rate}
        return Phase(seconds, rates, latencies, self._events(samples, begin, seconds), lags)

    def _events(self, samples: Sequence[tuple[float, Any]], begin: float, seconds: float) -> list[Event]:
        """Background work of the phase, in seconds since its begin."""
        start = begin + time.time() - time.perf_counter()
        events = [
            event for event in self._store.events(samples) if start <= event.end and event.start - start <= seconds
        ]
        return [Event(event.kind, event.start - start, event.end - start) for event in events]

    def _probe(self, latencies: dict[str, Sequence[float]], name: str, schedule: tuple[Any, ...]) -> None:
        latencies[name] = probe(*schedule)

    def _thread(self, work: Callable[..., None], *arguments: Any) -> threading.Thread:
        def guarded() -> None:
            try:
                work(*arguments)
            except BaseException as error:
                self._failures.append(error)

        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        return thread

    def _check(self) -> None:
        if self._failures:
            raise self._failures[0]
        if self._misses:
            raise AssertionError(f"{self._store.name}: {self._misses} reads did not find all their values")

    def _sample(self, samples: list[tuple[float, Any]], stop: threading.Event) -> None:
        while not stop.wait(SAMPLE_SECONDS):
            samples.append((time.time(), self._store.sample()))

    def _write(self, lags: list[float], schedule: tuple[float, float, int]) -> None:
        """Overwrite random rows, a few every tick; notes how late each tick was done."""
        begin, seconds, rate = schedule
        values, dice, rows = Values(self._plan.value_bytes), random.Random(1), self._plan.rows
        written = 0
        for tick in range(1, round(seconds / TICK_SECONDS) + 1):
            due = begin + tick * TICK_SECONDS
            count = int(tick * TICK_SECONDS * rate) - written
            items = [(key_of(int(dice.random() * rows)), values.next()) for _ in range(count)]
            if (left := due - time.perf_counter()) > 0:
                time.sleep(left)
            self._store.write(items)
            written += count
            lags.append(time.perf_counter() - due)


@contextmanager
def outside(rate: float, seconds: float) -> Iterator[tuple[float, Callable[[], array[float]]]]:
    """Start the other process. Provides the time when calls begin, and a function that waits for its latencies."""
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    process = context.Process(target=probe_outside, args=(other, rate, seconds), daemon=True)
    process.start()
    try:
        pipe.recv()
        pipe.send(time.time() + START_SECONDS)
        yield time.perf_counter() + START_SECONDS, pipe.recv
        process.join()
    finally:
        process.kill()


def measure(store: Store, plan: Plan, folder: Path) -> Result:
    """Load a store, measure it idle and under load."""
    store.open(folder / "db")
    try:
        run = Run(store, plan)
        run.load()
        gc.collect()
        gc.freeze()
        gc.disable()
        run.warm()
        idle = run.phase(plan.idle_seconds, 0)
        busy = run.phase(plan.seconds, plan.write_rate)
    finally:
        gc.enable()
        store.close()
    print(f"  {store.name}, {plan.value_bytes} B: measured", file=sys.stderr)
    return Result(store.name, plan.value_bytes, plan.write_rate, idle, busy, report.load())


def plans(options: argparse.Namespace) -> Iterator[Plan]:
    """A plan for each size of values."""
    for value_bytes, rows, rate in zip(options.values, options.rows, options.write_rates, strict=True):
        rates = (rate, options.probe_rate, options.scan_rate)
        yield Plan(rows, value_bytes, *rates, options.warm_seconds, options.idle_seconds, options.seconds)


def parser() -> argparse.ArgumentParser:
    """Options of the command line. Sizes and rates that are not given depend on ``--served``: see `SIZES`."""
    found = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    found.add_argument("--served", action="store_true", help="rowstone serve and HBase instead of embedded stores")
    found.add_argument("--only", nargs="+", help="names of the stores")
    found.add_argument("--values", type=int, nargs="+", help="bytes of a value")
    found.add_argument("--rows", type=int, nargs="+", help="of the table, for each size of values")
    found.add_argument("--write-rates", type=int, nargs="+", help="rows per second, for each size of values")
    found.add_argument("--probe-rate", type=int, help="puts, and gets, per second")
    found.add_argument("--scan-rate", type=int, help="scans per second")
    found.add_argument("--warm-seconds", type=float, help="under load, before everything else; not counted")
    found.add_argument("--idle-seconds", type=float, default=15)
    found.add_argument("--seconds", type=float, default=60)
    found.add_argument("--json", type=Path, default=Path("build/bench/latency.json"))
    found.add_argument("--document", type=Path, help="write the table into this document")
    found.add_argument("--picture", type=Path, help="write the plot into this SVG file")
    return found


def options_of(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options with their defaults."""
    options = parser().parse_args(arguments)
    for name, default in SIZES["served" if options.served else "embedded"].items():
        if getattr(options, name) is None:
            setattr(options, name, default)
    return options


def stores_of(options: argparse.Namespace, plan: Plan) -> list[Store]:
    """The stores to measure. The control does not depend on the size of values: it is measured once."""
    stores = served() if options.served else embedded()
    skipped = {Control.name} if plan.value_bytes != max(options.values) else set()
    return [store for store in stores if store.name not in skipped and store.name in (options.only or [store.name])]


def main() -> None:
    """Measure, print the table, draw the picture."""
    options = options_of()
    facts = machine(f"rowstone {version('rowstone')}, HBase {HBASE_VERSION}" if options.served else versions())
    results: list[Result] = []
    for plan in plans(options):
        for store in stores_of(options, plan):
            with tempfile.TemporaryDirectory(prefix="rowstone-bench-") as folder:
                results.append(measure(store, plan, Path(folder)))
    facts["load at the end"] = report.load()
    text = f"{markdown(results)}\n\n{caption(options, facts)}"
    publish(text, options.document, "bench latency served" if options.served else "bench latency")
    if options.picture:
        options.picture.write_text(picture(results))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"machine": facts, "results": [result.summary() for result in results]}))


if __name__ == "__main__":
    main()
