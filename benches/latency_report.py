"""Percentiles, the table and the plot of `benches/latency.py`."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benches.latency_peers import Event
from benches.report import machine_text
from benches.svg import page, text

OPERATIONS = ("put", "get", "scan")
NOTHING, OUTSIDE = "nothing, same process", "nothing, other process"
STALL_MS = 50
GOAL = 5
_LEFT, _WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _TOP = 58, 350, 110, 22, 46, 62
# The axis of latencies: powers of ten in milliseconds.
_LOWEST, _HIGHEST = -2, 3
_EMBEDDED = (
    "Default settings; a write has reached the operating system, but not the disk. Rowstone also syncs its log every "
    "100 ms, RocksDB does not."
)
_SERVED = (
    "Both servers use SYNC_WAL, and 410 MB each for memstore and block cache: HBase's defaults for its heap of 1 GB. "
    "HBase's files are on Hadoop's RawLocalFileSystem. The client is Rowstone's. The writer sends rows that are due "
    "together."
)
_STYLE = """
.flush { fill: #bf8700; } .compaction { fill: #8250df; opacity: 0.5; } .roll { fill: #cf222e; }
@media (prefers-color-scheme: dark) {
.flush { fill: #e3b341; } .compaction { fill: #bc8cff; } .roll { fill: #ff7b72; }
}"""
_COLORS = {"p50": "green", "p99": "blue", "max": "red"}


@dataclass(frozen=True)
class Quantiles:
    """Milliseconds."""

    p50: float
    p99: float
    p999: float
    most: float
    stalls: int
    """Calls that took longer than `STALL_MS`."""

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Quantiles:
        """Exact quantiles of a sample: the smallest latency that so large a part of the calls did not exceed."""
        found = sorted(1000 * latency for latency in seconds)
        rank = [found[math.ceil(part * len(found)) - 1] for part in (0.5, 0.99, 0.999)]
        return cls(*rank, found[-1], sum(latency > STALL_MS for latency in found))


@dataclass(frozen=True)
class Phase:
    """Latencies of each operation in seconds, in the order in which calls were due at a fixed rate."""

    seconds: float
    rates: Mapping[str, float]
    latencies: Mapping[str, Sequence[float]]
    events: Sequence[Event]
    lags: Sequence[float]
    """How late the writer finished each tick, in seconds."""

    def quantiles(self, operation: str) -> Quantiles:
        return Quantiles.of(self.latencies[operation])

    def by_second(self, operation: str) -> list[Quantiles]:
        """Quantiles of the calls that were due in each second."""
        found, count = self.latencies[operation], int(self.rates[operation])
        return [Quantiles.of(found[start : start + count]) for start in range(0, len(found), count)]


@dataclass(frozen=True)
class Result:
    """One store with values of one size."""

    store: str
    value_bytes: int
    write_rate: int
    idle: Phase
    busy: Phase
    load: str

    def summary(self) -> dict[str, Any]:
        """Everything but the single calls, for a JSON file."""
        phases = {}
        for name, phase in (("idle", self.idle), ("busy", self.busy)):
            phases[name] = {
                "total": {each: vars(phase.quantiles(each)) for each in phase.latencies},
                "by second": {each: [vars(one) for one in phase.by_second(each)] for each in phase.latencies},
                "events": [vars(event) for event in phase.events],
            }
        lags_ms = [round(1000 * lag, 3) for lag in self.busy.lags]
        facts = {"store": self.store, "value_bytes": self.value_bytes, "write_rate": self.write_rate, "load": self.load}
        return {**facts, **phases, "writer_lag_ms": vars(Quantiles.of(self.busy.lags)), "lags_ms": lags_ms}


def _milliseconds(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def _quantiles(found: Quantiles) -> str:
    return " / ".join(map(_milliseconds, (found.p50, found.p99, found.p999, found.most)))


def markdown(results: Sequence[Result]) -> str:
    """Format the table. A ratio above the goal is bold, and so are stalls."""
    lines = [
        "| value | store | operation | idle, ms | under load, ms | p99.9, load to idle | calls > 50 ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for result in results:
        for operation in (*OPERATIONS, NOTHING, OUTSIDE):
            idle, busy = result.idle.quantiles(operation), result.busy.quantiles(operation)
            ratio, stalls = f"{busy.p999 / idle.p999:.1f}", str(busy.stalls)
            if operation in ("put", "get") and busy.p999 > GOAL * idle.p999:
                ratio = f"**{ratio}**"
            if busy.stalls:
                stalls = f"**{stalls}**"
            cells = [f"{result.value_bytes} B", result.store, operation, _quantiles(idle), _quantiles(busy)]
            lines.append(f"| {' | '.join([*cells, ratio, stalls])} |")
    return "\n".join([*lines, "", *_work(results)])


def _work(results: Sequence[Result]) -> list[str]:
    """A table of the writers and the background work."""
    lines = [
        "| value | store | writer, rows/s | writer's lag, p99 / max, ms | flushes | compactions | machine's load |",
        "|---|---|---|---|---|---|---|",
    ]
    for result in results:
        lag, events = Quantiles.of(result.busy.lags), result.busy.events
        counts = [str(sum(event.kind == kind for event in events)) for kind in ("flush", "compaction")]
        delay = f"{_milliseconds(lag.p99)} / {_milliseconds(lag.most)}"
        cells = [f"{result.value_bytes} B", result.store, f"{result.write_rate:,}", delay, *counts, result.load]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def caption(options: argparse.Namespace, facts: dict[str, str]) -> str:
    """Describe the table's contents and origin."""
    sizes = " and ".join(f"{rows:,} rows of {size} B" for rows, size in zip(options.rows, options.values, strict=True))
    kind = _SERVED if options.served else _EMBEDDED
    return (
        "Each cell of latencies is p50 / p99 / p99.9 / max. A latency counts from the time when the call was due, so "
        "a stall delays all calls that fall into it. "
        f"There are {options.probe_rate} puts, {options.probe_rate} gets and {options.scan_rate} scans of 100 rows per "
        f"second, each kind in its own thread: {options.idle_seconds:.0f} s without a writer, then "
        f"{options.seconds:.0f} s with one that overwrites random rows at the given rate. Tables of {sizes}. {kind} "
        "*Nothing* is the same schedule without a call. In the same process it shows the cost of Python's threads; in "
        f"another process, the delays of the machine. The goals: p99.9 under load at most {GOAL} times idle, and no "
        f"call above {STALL_MS} ms. The writer's lag is how late it finished the rows of 5 ms. {machine_text(facts)}"
    )


def picture(results: Sequence[Result]) -> str:
    """Plot the latencies of each second under load: a row of panels for each operation, a column for each store."""
    size = max(result.value_bytes for result in results)
    shown = [result for result in results if result.value_bytes == size]
    parts = []
    for column, result in enumerate(shown):
        x = _LEFT + column * (_WIDTH + _GAP_X)
        parts.append(text(x, _TOP - 10, f"{result.store}, {size:,} B", weight="bold"))
        for row, operation in enumerate(OPERATIONS):
            parts.append(_panel(result, operation, x, _TOP + row * (_HEIGHT + _GAP_Y), with_axis=column == 0))
    width = _LEFT + len(shown) * (_WIDTH + _GAP_X)
    height = _TOP + len(OPERATIONS) * (_HEIGHT + _GAP_Y) + 4
    title = "Latency of each second under sustained writes"
    heading = f"{text(_LEFT, 18, title + ', ms', weight='bold')}{_legend()}"
    return page(width, height, title, [heading, *parts], _STYLE)


def _legend() -> str:
    parts, x = [], _LEFT
    for name in ("p50", "p99", "max"):
        parts.append(f'<path class="line {_COLORS[name]}" d="M{x} 32h18"/>{text(x + 22, 36, name)}')
        x += 62
    for name in ("flush", "compaction", "log roll"):
        parts.append(f'<rect class="{name.split()[-1]}" x="{x}" y="28" width="14" height="8"/>{text(x + 18, 36, name)}')
        x += 38 + 7 * len(name)
    return "".join(parts)


def _panel(result: Result, operation: str, x: float, y: float, *, with_axis: bool) -> str:
    """The lines of one operation, and below them a strip with the background work."""
    seconds = result.busy.by_second(operation)
    parts = []
    for power in range(_LOWEST, _HIGHEST + 1):
        height = _y_of(10.0**power, y)
        parts.append(f'<path class="grid" d="M{x} {height:.1f}h{_WIDTH}"/>')
        if with_axis:
            parts.append(text(x - 5, height + 4, f"{10.0**power:g}", anchor="end", kind="weak"))
    step = _WIDTH / max(len(seconds), 1)
    for name, field in (("max", "most"), ("p99", "p99"), ("p50", "p50")):
        points = (
            f"{x + (second + 0.5) * step:.1f} {_y_of(getattr(found, field), y):.1f}"
            for second, found in enumerate(seconds)
        )
        parts.append(f'<path class="line {_COLORS[name]}" d="M{" L".join(points)}"/>')
    parts.append(text(x + 4, y + 11, operation))
    parts.append(_strip(result.busy, x, y + _HEIGHT + 3))
    for share in (0, 0.5, 1):
        anchor = {0: "start", 1: "end"}.get(share, "middle")
        label = f"{share * result.busy.seconds:.0f} s"
        parts.append(text(x + share * _WIDTH, y + _HEIGHT + 28, label, anchor=anchor, kind="weak"))
    return "".join(parts)


def _strip(phase: Phase, x: float, y: float) -> str:
    """Flushes above, compactions below, rolls of the log as ticks."""
    parts = []
    for event in phase.events:
        start, end = (min(max(at / phase.seconds, 0), 1) for at in (event.start, event.end))
        kind = event.kind.split()[-1]
        top = {"flush": 0, "compaction": 6}.get(kind, 3)
        width = max((end - start) * _WIDTH, 1.5)
        if kind in ("flush", "compaction", "roll"):
            parts.append(
                f'<rect class="{kind}" x="{x + start * _WIDTH:.1f}" y="{y + top}" width="{width:.1f}" height="5"/>'
            )
    return "".join(parts)


def _y_of(milliseconds: float, top: float) -> float:
    power = math.log10(max(milliseconds, 10.0**_LOWEST))
    return top + _HEIGHT * (1 - (min(power, _HIGHEST) - _LOWEST) / (_HIGHEST - _LOWEST))
