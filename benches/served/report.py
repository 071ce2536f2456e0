"""The tables of `benches/served`: rates and percentiles side by side, start-up and memory, conditions."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from benches.report import machine_text
from benches.served.peers import LIMIT_MB, Peer

GOAL, NULL_GOAL = 1.5, 0.9
# A median of fewer rounds is not meaningful.
MEDIAN_ROUNDS = 5
PE = "HBase's PerformanceEvaluation (rows of 1,000 bytes)"
YCSB = "YCSB 0.17 (ten fields of 100 bytes)"
COLD = (
    "all pending writes went to disk. *Cold*: the operating system's page cache was emptied too; the load then "
    "ran once more. The servers keep their own caches. "
)
TOUCHED = "the machine's free memory was touched and all pending writes went to disk. "
NULL = (
    "The *null server* speaks the same protocol and returns constant results without a store: it shows the limit of "
    "the client. "
)
NULL_TOO = f", or {NULL_GOAL} of the null server's"


@dataclass(frozen=True)
class Block:
    """Measurement of one server under one load in one round."""

    round: int
    load: str
    clients: int
    server: str
    rate: float
    seconds: float
    p99_us: float
    server_us: float
    """The server's CPU time per operation, including its background work meanwhile."""
    resident_mb: float
    most_mb: float


@dataclass(frozen=True)
class Line:
    """One line of the table: ratios of Rowstone's rate to the others', each with its smallest and largest."""

    load: str
    clients: int
    rate: float
    server_us: dict[str, float]
    ratios: dict[str, tuple[float, float, float]]
    p99_us: float
    p99_ratios: dict[str, tuple[float, float, float]]
    """The others' 99th percentile by Rowstone's."""

    def reaches(self) -> bool:
        """Whether Rowstone reaches its goal against the fastest HBase."""
        least = min(ratio[0] for name, ratio in self.ratios.items() if name != "null")
        return least >= GOAL or ("null" in self.ratios and self.ratios["null"][0] >= NULL_GOAL)


def lines_of(blocks: Sequence[Block]) -> list[Line]:
    """Compute rates and ratios."""
    found: dict[tuple[str, int], dict[str, dict[int, Block]]] = {}
    for block in blocks:
        found.setdefault((block.load, block.clients), {}).setdefault(block.server, {})[block.round] = block
    lines = []
    for (title, clients), by_server in found.items():
        ours = by_server["rowstone"]
        server_us = {
            name: statistics.median(block.server_us for block in rounds.values()) for name, rounds in by_server.items()
        }
        others = {name: rounds for name, rounds in by_server.items() if name != "rowstone"}
        rates = {name: _spread([ours[n].rate / rounds[n].rate for n in ours]) for name, rounds in others.items()}
        p99s = {name: _spread([rounds[n].p99_us / ours[n].p99_us for n in ours]) for name, rounds in others.items()}
        rate = statistics.median(block.rate for block in ours.values())
        p99_us = statistics.median(block.p99_us for block in ours.values())
        lines.append(Line(title, clients, rate, server_us, rates, p99_us, p99s))
    return lines


def _spread(ratios: Sequence[float]) -> tuple[float, float, float]:
    return statistics.median(ratios), min(ratios), max(ratios)


def _ratio_cell(ratio: tuple[float, float, float], *, bold: bool) -> str:
    text = f"{ratio[0]:.2f} ({ratio[1]:.2f}–{ratio[2]:.2f})"
    return f"**{text}**" if ratio[0] < 1 and bold else text


def markdown(lines: Sequence[Line]) -> str:
    """Format the table. Above 1 Rowstone is faster; ratios below 1 are bold."""
    names = sorted(lines[0].ratios, key=lambda name: (name == "null", name))
    servers = ["rowstone", *(name for name in names if name != "null")]
    heads = ["load", "clients", "rowstone, 1/s", *(f"vs {name}" for name in names), "goal"]
    heads += ["p99, ms", *(f"p99 of {name}, times" for name in servers[1:])]
    heads += [f"server's µs: {servers[0]}", *servers[1:]]
    texts = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for line in lines:
        cells = [_ratio_cell(line.ratios[name], bold=name != "null") for name in names]
        p99s = [_ratio_cell(line.p99_ratios[name], bold=True) for name in servers[1:]]
        goal = "✓" if line.reaches() else "✗"
        server = [f"{line.server_us[name]:,.{int(line.server_us[name] < 20)}f}" for name in servers]
        parts = [
            line.load,
            str(line.clients),
            f"{line.rate:,.0f}",
            *cells,
            goal,
            f"{line.p99_us / 1000:.2f}",
            *p99s,
            *server,
        ]
        texts.append(f"| {' | '.join(parts)} |")
    return "\n".join(texts)


def costs(blocks: Sequence[Block], peers: Sequence[Peer]) -> str:
    """Format start-up time and memory of both as a table."""
    texts = ["| server | ready after, ms | resident at the end, MB | at most, MB |", "|---|---|---|---|"]
    for peer in peers:
        mine = [block for block in blocks if block.server == peer.name]
        most_mb = max(block.most_mb for block in mine)
        texts.append(f"| {peer.name} | {peer.ready_ms:,.0f} | {mine[-1].resident_mb:,.0f} | {most_mb:,.0f} |")
    return "\n".join(texts)


def caption(options: argparse.Namespace, blocks: Sequence[Block], facts: dict[str, str]) -> str:
    """Describe the tables' contents and origin."""
    seconds = [block.seconds for block in blocks if block.server == "rowstone"]
    rounds = options.rounds
    few = "" if rounds >= MEDIAN_ROUNDS else f" (fewer than {MEDIAN_ROUNDS}: uncertain)"
    heaps = " or ".join(f"{heap.removesuffix('g')} GB" for heap in options.heaps)
    generators = sorted({YCSB if block.load.startswith("YCSB") else PE for block in blocks})
    return (
        f"{' and '.join(generators)}, {options.rows:,} rows. "
        f"A load took Rowstone {min(seconds):.0f} to {max(seconds):.0f} seconds. "
        "Clients run on the server's machine. "
        f"Before each load, {COLD if options.cold else TOUCHED}"
        f"Medians of {rounds} interleaved rounds{few}, with the smallest and largest ratio in parentheses. "
        "Above 1, Rowstone is faster. *p99* is the 99th percentile of the calls as the client measured it, of the "
        "slowest kind of operation in a mix. "
        f"{'' if options.no_null else NULL}*Server's µs* is the server's CPU time per operation, including "
        "background work. It matters most where the client uses most of the CPU time. "
        "Both servers use SYNC_WAL: a write is acknowledged once its log record has reached the operating system. "
        "HBase's files are on Hadoop's RawLocalFileSystem for that reason. "
        f"HBase has 30 handlers and a heap of {heaps}. Rowstone's memstore and block cache have "
        f"{options.limit_mb:,} MB each: HBase's defaults for a heap of {options.limit_mb / LIMIT_MB:.0f} GB. "
        f"The goal is {GOAL} times the rate of the fastest HBase{'' if options.no_null else NULL_TOO}. "
        "*Ready after* is the time from the start of the process until a table was created and a put and a get worked. "
        f"{machine_text(facts)}"
    )
