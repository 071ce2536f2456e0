"""`rowstone serve` compared with Apache HBase, under HBase's own load generators: `make bench-serve`.

Starts `rowstone serve`, an HBase for each size of heap, and a server that answers the same protocol with canned
answers, all on loopback. For each round and each load the servers take turns, forwards in one round and backwards in
the next. Each load is PerformanceEvaluation or YCSB in a JVM of its own; one that meets an error ends the comparison.
Ratios are taken within a round, and the median over rounds is shown with the smallest and the largest. Losing cells
stay in.

    python -m benches.served --rows 100000 --rounds 5 --heaps 1g --only "YCSB A" scan

More data than the caches hold, with fewer cycles over it: `--rows 1000000 --heaps 1g --mark "bench served large"`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from benches.report import load, machine, machine_text, publish
from benches.served_loads import LOADS, ROWS, Load, fill, run
from benches.served_peers import HBASE_HEAPS, LIMIT_MB, HBase, Null, Peer, Rowstone, build_null

import rowstone as rs

GOAL, NULL_GOAL = 1.5, 0.9
HBASE_VERSION = "2.6.4"
# A median of fewer rounds is not meaningful.
MEDIAN_ROUNDS = 5


@dataclass(frozen=True)
class Block:
    """Measurement of one server under one load in one round."""

    round: int
    load: str
    clients: int
    server: str
    rate: float
    server_us: float
    """The server's CPU time per operation, including its background work meanwhile."""
    resident_mb: float
    most_mb: float


class UsedMemory:
    """Keep all memory but `spare_mb` in use by the page cache, as on a machine that has run for a long time.

    If a hypervisor provides memory page by page, a page of 4 KB costs 12 us when first used and 2.4 us afterwards
    (measured here). A server that allocates at the wrong moment pays. Pages of the cache are already provided.
    """

    def __init__(self, spare_mb: int = 500) -> None:
        self._spare_bytes = spare_mb << 20
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (close() closes it)
        self._length = 0

    def fill(self) -> None:
        """Use the memory that is free now. Memory freed by a client's JVM or by deleted files would otherwise go to
        the hypervisor."""
        meminfo = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        free_bytes = (int(meminfo["MemFree"].split()[0]) << 10) - self._spare_bytes
        if free_bytes <= 0:
            return
        # The file is one hole, which uses pages of the cache but no disk blocks.
        self._file.seek(self._length)
        self._length += free_bytes
        self._file.truncate(self._length)
        piece = bytearray(4 << 20)
        while self._file.readinto(piece):
            pass

    def close(self) -> None:
        """Free all of it."""
        self._file.close()


class Bench:
    """The servers and the measurements."""

    def __init__(self, peers: dict[str, list[Peer]], rows: int, memory: UsedMemory) -> None:
        self._peers = peers
        self._rows = rows
        self._memory = memory
        self.blocks: list[Block] = []

    def fill(self, suites: Sequence[str]) -> None:
        """Create the tables, with the rows to read in files of both servers."""
        for suite in suites:
            for peer in self._peers[suite]:
                # The null server stores no rows, but needs the table.
                fill(peer, suite, self._rows)
                if peer.name != "null":
                    with rs.connect(f"hbase://{peer.address}", operation_timeout_ms=120_000) as db:
                        db.admin.flush("TestTable" if suite == "pe" else "usertable")

    def run(self, rounds: int, loads: Sequence[Load], clients: Sequence[int]) -> None:
        """Run all loads in `rounds` rounds."""
        for number in range(rounds):
            for each in loads:
                for count in clients:
                    peers = self._peers[each.suite]
                    for peer in peers if number % 2 == 0 else peers[::-1]:
                        self._block(number, each, count, peer)
            print(f"  round {number + 1} of {rounds}", file=sys.stderr)

    def _block(self, number: int, each: Load, clients: int, peer: Peer) -> None:
        count = max(int(self._rows * each.share), 100)
        # Dirty pages that one server left are not charged to the next one.
        os.sync()
        self._memory.fill()
        before = peer.processor_seconds()
        rate = run(peer, each, self._rows, count, clients)
        server_us = (peer.processor_seconds() - before) * 1e6 / (count * each.cycles)
        resident_mb, most_mb = peer.memory()
        self.blocks.append(Block(number, each.title, clients, peer.name, rate, server_us, resident_mb, most_mb))
        text = f"{rate:,.0f}/s, {server_us:.1f} us of the server each, {resident_mb:.0f} MB"
        print(f"    {each.title}, {clients} clients, {peer.name}: {text}", file=sys.stderr)


@dataclass(frozen=True)
class Line:
    """One line of the table: ratios of Rowstone's rate to the others', each with its smallest and largest."""

    load: str
    clients: int
    rate: float
    server_us: dict[str, float]
    ratios: dict[str, tuple[float, float, float]]

    def reaches(self) -> bool:
        """Whether Rowstone reaches its goal against the fastest HBase."""
        least = min(ratio[0] for name, ratio in self.ratios.items() if name != "null")
        return least >= GOAL or self.ratios["null"][0] >= NULL_GOAL


def lines_of(blocks: Sequence[Block]) -> list[Line]:
    """Compute rates and ratios."""
    rates: dict[tuple[str, int], dict[str, dict[int, float]]] = {}
    costs: dict[tuple[str, int], dict[str, list[float]]] = {}
    for block in blocks:
        row = (block.load, block.clients)
        rates.setdefault(row, {}).setdefault(block.server, {})[block.round] = block.rate
        costs.setdefault(row, {}).setdefault(block.server, []).append(block.server_us)
    lines = []
    for (title, clients), by_server in rates.items():
        ours = by_server["rowstone"]
        server_us = {name: statistics.median(found) for name, found in costs[title, clients].items()}
        ratios = {}
        for name, theirs in by_server.items():
            if name != "rowstone":
                found = [rate / theirs[number] for number, rate in ours.items()]
                ratios[name] = (statistics.median(found), min(found), max(found))
        lines.append(Line(title, clients, statistics.median(ours.values()), server_us, ratios))
    return lines


def markdown(lines: Sequence[Line]) -> str:
    """Format the table. Above 1 Rowstone is faster; ratios below 1 are bold."""
    names = sorted(lines[0].ratios, key=lambda name: (name == "null", name))
    servers = ["rowstone", *(name for name in names if name != "null")]
    heads = ["load", "clients", "rowstone, 1/s", *(f"vs {name}" for name in names), "goal"]
    heads += [f"server's µs: {servers[0]}", *servers[1:]]
    texts = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for line in lines:
        cells = []
        for name in names:
            median, least, most = line.ratios[name]
            text = f"{median:.2f} ({least:.2f}–{most:.2f})"
            cells.append(f"**{text}**" if median < 1 and name != "null" else text)
        goal = "✓" if line.reaches() else "✗"
        server = [f"{line.server_us[name]:,.{int(line.server_us[name] < 20)}f}" for name in servers]
        parts = [line.load, str(line.clients), f"{line.rate:,.0f}", *cells, goal, *server]
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


def caption(options: argparse.Namespace, facts: dict[str, str]) -> str:
    """Describe the tables' contents and origin."""
    rounds = options.rounds
    few = "" if rounds >= MEDIAN_ROUNDS else f" (fewer than {MEDIAN_ROUNDS}: uncertain)"
    heaps = " or ".join(f"{heap.removesuffix('g')} GB" for heap in options.heaps)
    return (
        "HBase's PerformanceEvaluation (rows of 1,000 bytes) and YCSB 0.17 (ten fields of 100 bytes), "
        f"{options.rows:,} rows. A load takes four clients about ten seconds. Clients run on the server's machine. "
        "Before each load, the machine's free memory was touched and all pending writes went to disk. "
        f"Medians of {rounds} interleaved rounds{few}, with the smallest and largest ratio in parentheses. "
        "Above 1, Rowstone is faster. The *null server* speaks the same protocol and returns constant results without "
        "a store: it shows the limit of the client. *Server's µs* is the server's CPU time per operation, including "
        "background work. It matters most where the client uses most of the CPU time. "
        "Both servers use SYNC_WAL: a write is acknowledged once its log record has reached the operating system. "
        "HBase's files are on Hadoop's RawLocalFileSystem for that reason. "
        f"HBase has 30 handlers and a heap of {heaps}. Rowstone's memstore and block cache have {options.limit_mb} MB "
        "each: HBase's defaults for a heap of 1 GB. "
        f"The goal is {GOAL} times the rate of the fastest HBase, or {NULL_GOAL} of the null server's. "
        "*Ready after* is the time from the start of the process until a table was created and a put and a get worked. "
        f"{machine_text(facts)}"
    )


def main() -> None:
    """Measure, print the tables, write all blocks."""
    titles = [each.title for each in LOADS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--rounds", type=int, default=MEDIAN_ROUNDS)
    parser.add_argument("--heaps", nargs="+", default=list(HBASE_HEAPS), help="HBase's heaps, one server for each")
    parser.add_argument("--limit-mb", type=int, default=LIMIT_MB, help="of Rowstone's memstore and of its block cache")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--only", nargs="+", default=titles, choices=titles, metavar="LOAD", help=", ".join(titles))
    parser.add_argument("--alone", action="store_true", help="rowstone only: whether every load runs to its end")
    parser.add_argument("--json", type=Path, default=Path("build/bench/served.json"))
    parser.add_argument("--document", type=Path, help="write the tables into this document")
    parser.add_argument("--mark", default="bench served", help="the comments around the tables in it")
    options = parser.parse_args()
    facts = machine(f"rowstone {version('rowstone')}, HBase {HBASE_VERSION}")
    loads = [each.scaled_to(options.rows) for each in LOADS if each.title in options.only]
    suites = sorted({each.suite for each in loads})
    with ExitStack() as stack:
        memory = UsedMemory()
        stack.callback(memory.close)
        memory.fill()
        servers: list[Peer] = [Rowstone(options.limit_mb)]
        stack.callback(servers[0].close)
        if not options.alone:
            build_null()
            for heap in options.heaps:
                servers.append(HBase(heap))
                stack.callback(servers[-1].close)
        peers = {suite: list(servers) for suite in suites}
        for suite in suites if not options.alone else ():
            null = Null(suite)
            stack.callback(null.close)
            peers[suite].append(null)
        bench = Bench(peers, options.rows, memory)
        bench.fill(suites)
        bench.run(options.rounds, loads, options.clients)
        if options.alone:
            return
        texts = [markdown(lines_of(bench.blocks)), costs(bench.blocks, servers)]
    facts["load at the end"] = load()
    text = "\n\n".join([*texts, caption(options, facts)])
    publish(text, options.document, options.mark)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    report = {"machine": facts, "rows": options.rows, "blocks": [asdict(block) for block in bench.blocks]}
    options.json.write_text(json.dumps(report, indent=1))
    print(f"every block: {options.json}", file=sys.stderr)


if __name__ == "__main__":
    main()
