"""Rowstone, happybase, hbase-driver and HBase's Java client against one real HBase: `make bench-cluster`.

Starts an HBase, its Thrift gateway and a JVM with the Java client, all on loopback. For each round and each operation
the clients take turns, forwards in one round and backwards in the next; the first rounds, in which JVMs warm up, are
thrown away. Ratios are taken within a round, and the median over rounds is shown with the smallest and the largest.
Losing cells stay in. Every value that was asked for must come back, and every value that was written must be there.

    python -m benches.cluster --rows 20000 --rounds 9 --json build/bench/cluster.json
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from benches.cluster_peers import Client, Happybase, HbaseDriver, Items, Java, Rowstone
from benches.gateway import java_client
from benches.report import cpu_seconds_of, load, machine, machine_text, publish
from tests.hbase.cluster.server import StandaloneHBase
from tests.hbase.cluster.thrift import ThriftGateway

import rowstone as rs

WARM_ROUNDS = 2
READ, WRITTEN, COUNTED = "bench_read", "bench_written", "bench_counted"
# Start keys of the regions after the first.
SPLITS = [b"user%012d" % (10**12 * part // 4) for part in range(1, 4)]


@dataclass(frozen=True)
class Operation:
    """An operation and the number of rows and repetitions of a block."""

    method: str
    title: str
    table: str
    # Number of rows, or of calls for single operations.
    count: int | None = None
    # Whole tables per block: quick operations need more to be measured.
    times: int = 1
    # Rows for a client that sends one request per row.
    slow_count: int = 1_000
    # Smallest ratio to happybase that we aim for.
    goal: float = 1.0
    only_small: bool = False


OPERATIONS = (
    Operation("put_batched", "batched put of 1,000", WRITTEN, times=2, goal=3),
    Operation("put", "put", WRITTEN, count=1_500),
    Operation("get", "get", READ, count=2_500),
    Operation("get_many", "multi-get of 1,000", READ, times=2, goal=3),
    Operation("scan", "scan, key and value", READ, times=8, goal=3),
    Operation("increment", "increment", COUNTED, count=1_500, only_small=True),
    Operation("check_and_put", "check-and-put", COUNTED, count=1_000, only_small=True),
)
JAVA_GOAL = 0.9
PEERS = ("happybase", "hbase-driver", "java")


@dataclass(frozen=True)
class Block:
    """Measurement of one client doing one operation in one round."""

    round: int
    value_bytes: int
    operation: str
    threads: int
    client: str
    count: int
    seconds: float
    cpu_seconds: float
    # CPU time of HBase itself during the block.
    hbase_cpu_seconds: float


class Bench:
    """Run rounds for values of one size and collect the measurements."""

    def __init__(
        self, clients: list[Client], db: rs.Database, hbase: StandaloneHBase, rows: int, value_bytes: int
    ) -> None:
        self.clients, self.db, self.value_bytes = clients, db, value_bytes
        self.hbase_process = hbase.process_id
        source = random.Random(value_bytes)
        numbers = source.sample(range(10**12), rows)
        self.items: Items = [(b"user%012d" % number, source.randbytes(value_bytes)) for number in numbers]
        ends = [*SPLITS, b"v"]
        self.region_rows = [
            sum(start <= key < end for key, _ in self.items) for start, end in zip([b"", *SPLITS], ends, strict=False)
        ]
        self.blocks: list[Block] = []
        self._stamps = 0
        for client in clients:
            client.load(self.items, hbase.folder / "items")

    def _name(self, table: str) -> str:
        """Name of a table for this size. hbase-driver never stops looking for the regions of a dropped table."""
        return f"{table}_{self.value_bytes}"

    def prepare(self) -> None:
        """Create new tables. The rows to read are in one file per region, and in the cache."""
        for name in (READ, WRITTEN, COUNTED):
            # Prevent compactions between the rounds.
            self.db.create_table(self._name(name), ["f"], splits=SPLITS, attributes={"COMPACTION_ENABLED": "false"})
        with self.db.table(self._name(READ)).batch() as batch:
            for key, value in self.items:
                batch.put(key, {b"f:q": value})
        self.db.admin.flush(self._name(READ))

    def run(self, rounds: int, only: Sequence[str]) -> None:
        """Run all operations in `rounds` rounds after the warm-up rounds."""
        for number in range(rounds):
            order = self.clients if number % 2 == 0 else self.clients[::-1]
            for operation in OPERATIONS:
                if only and operation.method not in only:
                    continue
                if self.value_bytes > 100 and operation.only_small:
                    continue
                for threads in (1, 4):
                    for client in order:
                        self._block(number, operation, threads, client)
            # Prevent a flush in the middle of a block.
            self.db.admin.flush(self._name(WRITTEN))
            print(f"  {self.value_bytes} bytes: round {number + 1} of {rounds}", file=sys.stderr)

    def _block(self, number: int, operation: Operation, threads: int, client: Client) -> None:
        if threads > 1 and client.name not in ("rowstone", "java"):
            return
        if not hasattr(client, operation.method) and client.name != "java":
            return
        items = self._items_for(operation, client)
        self._stamps += 1
        stamp = b"%06d" % self._stamps
        gc.collect()
        gc.disable()
        cpu, hbase_cpu = client.cpu_seconds(), cpu_seconds_of(self.hbase_process)
        seconds, found = client.seconds(operation.method, self._name(operation.table), threads, items, stamp)
        cpu, hbase_cpu = client.cpu_seconds() - cpu, cpu_seconds_of(self.hbase_process) - hbase_cpu
        gc.enable()
        what = f"{client.name}, {operation.title}, {threads} threads"
        count = len(items)
        if client.name == "hbase-driver" and operation.method == "scan" and found in self.region_rows:
            # It scans only the first of several regions, so its rate is for that region.
            count = found
        if found != count:
            raise AssertionError(f"{what}: {found} of {count} answers")
        if operation.method.startswith("put"):
            self._check_written(what, len({key for key, _ in items}), stamp)
        block = Block(number, self.value_bytes, operation.title, threads, client.name, count, seconds, cpu, hbase_cpu)
        self.blocks.append(block)

    def _items_for(self, operation: Operation, client: Client) -> Items:
        if client.name == "hbase-driver":
            return self.items[: operation.count or operation.slow_count]
        return list(self.items) * operation.times if operation.count is None else self.items[: operation.count]

    def _check_written(self, what: str, expected: int, stamp: bytes) -> None:
        pairs = self.db.table(self._name(WRITTEN)).scan(columns=["f:q"]).pairs(b"f:q")
        found = sum(value.startswith(stamp) and len(value) == self.value_bytes for _, value in pairs)
        if found != expected:
            raise AssertionError(f"{what}: {found} of {expected} rows are in the table")


@contextmanager
def clients_of(hbase: StandaloneHBase) -> Iterator[list[Client]]:
    """Connect all clients."""
    with ExitStack() as stack:
        gateway = ThriftGateway(hbase)
        stack.callback(gateway.close)
        clients: list[Client] = []
        for make in (
            lambda: Rowstone(hbase.url),
            lambda: Happybase(gateway.port, gateway.process_id),
            lambda: HbaseDriver(hbase.zookeeper_port),
            lambda: Java(java_client(hbase), hbase.folder / "java.err"),
        ):
            client = make()
            stack.callback(client.close)
            clients.append(client)
        yield clients


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    value_bytes: int
    operation: Operation
    threads: int
    rate: float
    ratios: dict[str, tuple[float, float, float]]
    # CPU time of the client per row in microseconds, over all rounds; without that of HBase.
    cpu_us: dict[str, float]
    # CPU time of HBase per row during Rowstone's blocks.
    hbase_cpu_us: float
    # Upper bound of the ratio to happybase on this machine: see `limit_of`.
    limit: float | None

    def misses(self) -> list[str]:
        """List the goals that are not reached."""
        goals = {"happybase": self.operation.goal, "java": JAVA_GOAL}
        return [peer for peer, goal in goals.items() if peer in self.ratios and self.ratios[peer][0] < goal]

    def verdict(self) -> str:
        """The last cell: the missed goals, and whether this machine is fast enough for them."""
        if not self.misses():
            return "✓"
        is_out_of_reach = self.limit is not None and self.limit < self.operation.goal
        return f"✗ {', '.join(self.misses())}" + (f" (limit {self.limit:.1f})" if is_out_of_reach else "")


def lines_of(blocks: list[Block]) -> list[Line]:
    """Compute rates and ratios without the warm-up rounds."""
    rates: dict[tuple[int, str, int], dict[str, dict[int, float]]] = {}
    for block in blocks:
        if block.round >= WARM_ROUNDS:
            place = rates.setdefault((block.value_bytes, block.operation, block.threads), {})
            place.setdefault(block.client, {})[block.round] = block.count / block.seconds
    operations = {operation.title: operation for operation in OPERATIONS}
    lines = []
    for (value_bytes, title, threads), by_client in rates.items():
        ours = by_client.pop("rowstone")
        ratios = {}
        for name, theirs in by_client.items():
            found = [ours[number] / theirs[number] for number in ours]
            ratios[name] = (statistics.median(found), min(found), max(found))
        rate = statistics.median(ours.values())
        costs = {name: cpu_of(blocks, (value_bytes, title, threads, name)) for name in ("rowstone", *by_client)}
        cpu_us = {name: client_us for name, (client_us, _) in costs.items()}
        hbase_us = costs["rowstone"][1]
        limit = limit_of(hbase_us + cpu_us["rowstone"], by_client.get("happybase"))
        lines.append(Line(value_bytes, operations[title], threads, rate, ratios, cpu_us, hbase_us, limit))
    return lines


def limit_of(cpu_us: float, happybase_rates: dict[int, float] | None) -> float | None:
    """Upper bound of the ratio to happybase: all CPUs of this machine busy all the time, with the measured CPU time
    per row in HBase and in the client."""
    if not happybase_rates or not cpu_us:
        return None
    return (os.cpu_count() or 1) * 1e6 / cpu_us / statistics.median(happybase_rates.values())


def cpu_of(blocks: list[Block], which: tuple[int, str, int, str]) -> tuple[float, float]:
    """CPU time per row in microseconds: the client's and HBase's."""
    chosen = [
        block
        for block in blocks
        if block.round >= WARM_ROUNDS and (block.value_bytes, block.operation, block.threads, block.client) == which
    ]
    rows = sum(block.count for block in chosen)
    ours, hbase = (sum(getattr(block, name) for block in chosen) for name in ("cpu_seconds", "hbase_cpu_seconds"))
    return ours / rows * 1e6, hbase / rows * 1e6


def cpu_text(cpu_us: dict[str, float]) -> str:
    """Format Rowstone's and the others' values of one line, with a dash for a client that does not take part."""
    return " / ".join(f"{cpu_us[name]:.1f}" if name in cpu_us else "–" for name in ("rowstone", *PEERS))


def markdown(lines: list[Line]) -> str:
    """Format the table. Above 1 Rowstone is faster; ratios below 1 are bold."""
    heads = [
        "value",
        "operation",
        "threads",
        "rowstone, 1/s",
        *(f"vs {peer}" for peer in PEERS),
        "CPU, µs",
        "HBase, µs",
        "goals",
    ]
    texts = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for line in lines:
        cells = []
        for peer in PEERS:
            if peer not in line.ratios:
                cells.append("")
                continue
            median, least, most = line.ratios[peer]
            text = f"{median:.2f} ({least:.2f}–{most:.2f})"
            cells.append(f"**{text}**" if median < 1 else text)
        parts = [f"{line.value_bytes} B", line.operation.title, str(line.threads), f"{line.rate:,.0f}", *cells]
        parts += [cpu_text(line.cpu_us), f"{line.hbase_cpu_us:.1f}", line.verdict()]
        texts.append(f"| {' | '.join(parts)} |")
    return "\n".join(texts)


def caption(rows: int, rounds: int, facts: dict[str, str]) -> str:
    """Describe the table's contents and origin."""
    return (
        f"One Apache HBase and all clients on one machine; {rows:,} rows in random order, {len(SPLITS) + 1} regions on "
        f"two region servers. Medians of {rounds - WARM_ROUNDS} interleaved rounds, ratios with smallest and largest; "
        "above 1 Rowstone is faster. happybase goes through HBase's Thrift 1 gateway, hbase-driver sends a request per "
        "row, java is HBase's own client. Durability is the table's for all. *CPU* is the CPU time per row of each "
        "client in turn, including the gateway but not HBase; *HBase* is the CPU time of HBase with Rowstone as "
        "client. The goals: never below happybase, three times its rate for batches, multi-gets and scans; "
        f"{JAVA_GOAL} of the Java client. *limit* is the highest possible ratio to happybase, reached if all CPUs "
        "worked only on these rows, in HBase and in Rowstone. If HBase alone takes too long, three times is out of "
        f"reach. {machine_text(facts)}"
    )


def main() -> None:
    """Measure, print the table, write all blocks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=9, help=f"the first {WARM_ROUNDS} do not count")
    parser.add_argument("--values", type=int, nargs="+", default=[100, 1_000], help="bytes of a value")
    parser.add_argument("--only", nargs="+", default=[], help="methods to measure: put_batched, put, get, ...")
    parser.add_argument("--clients", nargs="+", default=[], help="clients to measure; all are the default")
    parser.add_argument("--json", type=Path, default=Path("build/bench/cluster.json"))
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    if options.rounds <= WARM_ROUNDS:
        parser.error(f"--rounds must be above {WARM_ROUNDS}: the first do not count")
    logging.disable(logging.CRITICAL)  # kazoo and hbase-driver log every connection
    names = ", ".join(f"{name} {version(name)}" for name in ("rowstone", "happybase", "hbase-driver"))
    facts, blocks = machine(names), []
    with StandaloneHBase() as hbase, clients_of(hbase) as clients, rs.connect(hbase.url) as db:
        chosen = [client for client in clients if not options.clients or client.name in options.clients]
        for value_bytes in options.values:
            bench = Bench(chosen, db, hbase, options.rows, value_bytes)
            bench.prepare()
            bench.run(options.rounds, options.only)
            blocks += bench.blocks
    facts["load at the end"] = load()
    lines = lines_of(blocks)
    text = f"{markdown(lines)}\n\n{caption(options.rows, options.rounds, facts)}"
    publish(text, options.document, "bench cluster")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    report = {"machine": facts, "rows": options.rows, "blocks": [asdict(block) for block in blocks]}
    options.json.write_text(json.dumps(report, indent=1))
    print(f"every block: {options.json}; {time.strftime('%H:%M', time.gmtime())} UTC", file=sys.stderr)


if __name__ == "__main__":
    main()
