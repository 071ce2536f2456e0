"""`rowstone serve` compared with Apache HBase, under HBase's own load generators: `make bench-serve`.

Starts `rowstone serve`, an HBase for each size of heap, and a server that answers the same protocol with canned
answers, all on loopback. For each round and each load the servers take turns, forwards in one round and backwards in
the next. Each load is PerformanceEvaluation or YCSB in a JVM of its own; one that meets an error ends the comparison.
Ratios are taken within a round, and the median over rounds is shown with the smallest and the largest. Losing cells
stay in.

    python -m benches.served --rows 100000 --rounds 5 --heaps 1g --only "YCSB A" scan

More data than the caches hold: `make bench-served-large`. With `--cold`, the operating system's page cache is emptied
before each load, and the load is then repeated with what it left there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from benches.report import load, machine, publish
from benches.served.loads import LOADS, ROWS, Load, fill, run
from benches.served.memory import UsedMemory, drop_page_cache
from benches.served.peers import HBASE_HEAPS, HBASE_VERSION, LIMIT_MB, HBase, Null, Peer, Rowstone, build_null
from benches.served.report import MEDIAN_ROUNDS, Block, caption, costs, lines_of, markdown

import rowstone as rs

# CPU seconds in one second below which the servers count as idle.
QUIET_SECONDS = 0.2


class Bench:
    """The servers and the measurements."""

    def __init__(self, peers: dict[str, list[Peer]], rows: int, memory: UsedMemory, *, cold: bool) -> None:
        self._peers = peers
        self._rows = rows
        self._memory = memory
        self._cold = cold
        self.blocks: list[Block] = []

    def fill(self, suites: Sequence[str]) -> None:
        """Create the tables, with the rows to read in files of both servers."""
        for suite in suites:
            for peer in self._peers[suite]:
                # The null server stores no rows, but needs the table.
                fill(peer, suite, self._rows if peer.name != "null" else min(self._rows, ROWS))
                if peer.name != "null":
                    # HBase 2.6.4 may never finish the flush of a table if one of its regions is already being flushed.
                    self._wait_until_quiet([peer])
                    with rs.connect(f"hbase://{peer.address}", operation_timeout_ms=120_000) as db:
                        db.admin.flush("TestTable" if suite == "pe" else "usertable")
                print(f"  {peer.name} has its rows of {suite}", file=sys.stderr)

    def run(self, rounds: int, loads: Sequence[Load], clients: Sequence[int]) -> None:
        """Run all loads in `rounds` rounds."""
        for number in range(rounds):
            for each in loads:
                for count in clients:
                    peers = self._peers[each.suite]
                    for peer in peers if number % 2 == 0 else peers[::-1]:
                        self._wait_until_quiet(peers)
                        if self._cold:
                            drop_page_cache()
                            self._block(number, each, count, peer, f"{each.title}, cold")
                        self._block(number, each, count, peer, each.title)
            print(f"  round {number + 1} of {rounds}", file=sys.stderr)

    @staticmethod
    def _wait_until_quiet(peers: Sequence[Peer], limit_seconds: int = 900) -> None:
        """Wait until no server works for itself: compactions of one would slow another."""
        for _ in range(limit_seconds):
            before = sum(peer.processor_seconds() for peer in peers)
            time.sleep(1)
            if sum(peer.processor_seconds() for peer in peers) - before < QUIET_SECONDS:
                return

    def _block(self, number: int, each: Load, clients: int, peer: Peer, title: str) -> None:
        # Dirty pages that one server left are not charged to the next one.
        os.sync()
        if not self._cold:
            self._memory.fill()
        before = peer.processor_seconds()
        outcome = run(peer, each, self._rows, clients)
        operations = each.operations(self._rows)
        server_us = (peer.processor_seconds() - before) * 1e6 / operations
        memory = peer.memory()
        self.blocks.append(
            Block(
                number,
                title,
                clients,
                peer.name,
                outcome.rate,
                operations / outcome.rate,
                outcome.p99_us,
                server_us,
                *memory,
            )
        )
        text = f"{outcome.rate:,.0f}/s, p99 {outcome.p99_us:,.0f} us, {server_us:.1f} us of the server each"
        print(f"    {title}, {clients} clients, {peer.name}: {text}, {memory[0]:.0f} MB", file=sys.stderr)


def main() -> None:
    """Measure, print the tables, write all blocks."""
    titles = [each.title for each in LOADS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--rounds", type=int, default=MEDIAN_ROUNDS)
    parser.add_argument("--heaps", nargs="+", default=list(HBASE_HEAPS), help="HBase's heaps, one server for each")
    parser.add_argument("--limit-mb", type=int, help="of Rowstone's memstore and of its block cache (0.4 of a heap)")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--only", nargs="+", default=titles, choices=titles, metavar="LOAD", help=", ".join(titles))
    parser.add_argument("--cold", action="store_true", help="each load twice: without a page cache, then with it")
    parser.add_argument("--no-null", action="store_true", help="without the null server")
    parser.add_argument("--part", type=float, default=1.0, help="of the operations of each load")
    parser.add_argument("--alone", action="store_true", help="rowstone only: whether every load runs to its end")
    parser.add_argument("--json", type=Path, default=Path("build/bench/served.json"))
    parser.add_argument("--document", type=Path, help="write the tables into this document")
    parser.add_argument("--mark", default="bench served", help="the comments around the tables in it")
    options = parser.parse_args()
    options.limit_mb = options.limit_mb or LIMIT_MB * min(int(heap.removesuffix("g")) for heap in options.heaps)
    facts = machine(f"rowstone {version('rowstone')}, HBase {HBASE_VERSION}")
    loads = [each.scaled_to(options.rows, options.part) for each in LOADS if each.title in options.only]
    suites = sorted({each.suite for each in loads})
    with ExitStack() as stack:
        memory = UsedMemory()
        stack.callback(memory.close)
        if not options.cold:
            memory.fill()
        servers: list[Peer] = [Rowstone(options.limit_mb)]
        stack.callback(servers[0].close)
        if not options.alone:
            for heap in options.heaps:
                servers.append(HBase(heap))
                stack.callback(servers[-1].close)
        peers = {suite: list(servers) for suite in suites}
        for suite in suites if not (options.alone or options.no_null) else ():
            build_null()
            null = Null(suite)
            stack.callback(null.close)
            peers[suite].append(null)
        bench = Bench(peers, options.rows, memory, cold=options.cold)
        bench.fill(suites)
        bench.run(options.rounds, loads, options.clients)
        if options.alone:
            return
        texts = [markdown(lines_of(bench.blocks)), costs(bench.blocks, servers)]
    facts["load at the end"] = load()
    text = "\n\n".join([*texts, caption(options, bench.blocks, facts)])
    publish(text, options.document, options.mark)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    report = {"machine": facts, "rows": options.rows, "blocks": [asdict(block) for block in bench.blocks]}
    options.json.write_text(json.dumps(report, indent=1))
    print(f"every block: {options.json}", file=sys.stderr)


if __name__ == "__main__":
    main()
