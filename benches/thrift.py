"""happybase with Rowstone's Thrift port and with HBase's Thrift gateway, alternating: `make bench-thrift`.

Both serve the same rows on loopback: `rowstone serve` on a directory, and HBase's gateway on a standalone HBase. For
each round and operation they take turns, forwards in one round and backwards in the next; the first rounds, in which
JVMs warm up, are thrown away. Ratios are taken within a round. Every value that was asked for must come back.

    python -m benches.thrift --rows 10000 --rounds 7 [--document docs/explanation/measurements.md]
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benches.report import load, machine, machine_text, publish
from tests.hbase.cluster.server import StandaloneHBase
from tests.hbase.cluster.thrift import ThriftGateway

import happybase
import rowstone as rs

WARM_ROUNDS = 2
MARK = "thrift"
TABLE = "bench_thrift"
VALUE_BYTES = 100
Items = list[tuple[bytes, bytes]]


def put_batches(table: Any, items: Items) -> int:
    """Put in batches of a thousand rows."""
    with table.batch(batch_size=1_000) as batch:
        for key, value in items:
            batch.put(key, {b"f:q": value})
    return len(items)


def put_singly(table: Any, items: Items) -> int:
    """Put with one call per row."""
    for key, value in items:
        table.put(key, {b"f:q": value})
    return len(items)


def get(table: Any, items: Items) -> int:
    """Get with one call per row."""
    return sum(table.row(key)[b"f:q"] == value for key, value in items)


def get_many(table: Any, items: Items) -> int:
    """Get with one call per thousand rows."""
    found = 0
    for start in range(0, len(items), 1_000):
        wanted = items[start : start + 1_000]
        found += sum(
            row[b"f:q"] == value
            for (_, row), (_, value) in zip(table.rows([key for key, _ in wanted]), wanted, strict=True)
        )
    return found


def scan(table: Any, items: Items) -> int:
    """Scan all rows, a thousand per call."""
    return sum(1 for _ in table.scan(batch_size=1_000))


def count_up(table: Any, items: Items) -> int:
    """Increment a counter in each row, one call each."""
    return sum(table.counter_inc(key, b"f:n") > 0 for key, _ in items)


# Title, function, and share of the rows: single calls take longer.
OPERATIONS: tuple[tuple[str, Callable[[Any, Items], int], float], ...] = (
    ("batched put of 1,000", put_batches, 1.0),
    ("put", put_singly, 0.1),
    ("get", get, 0.2),
    ("multi-get of 1,000", get_many, 1.0),
    ("scan of all rows", scan, 1.0),
    ("increment", count_up, 0.1),
)
SETTINGS = (("buffered", "binary"), ("framed", "compact"))


@contextmanager
def rowstone_port(folder: Path) -> Iterator[int]:
    """Run `rowstone serve` in another process."""
    start = "from rowstone.cli import main; main()"
    command = [sys.executable, "-c", start, "serve", str(folder / "db"), "--port", "0", "--zk-port", "-1"]
    command += ["--thrift-port", "0", "--log-format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["thrift_port"]
        finally:
            process.send_signal(signal.SIGINT)


def measured(ports: dict[str, int], items: Items, rounds: int) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Measure rows per second by setting and operation, and by server."""
    rates: dict[tuple[str, str], dict[str, list[float]]] = {}
    for transport, protocol in SETTINGS:
        # HBase's gateway supports one transport and protocol; with the others, only Rowstone is measured.
        servers = ports if (transport, protocol) == SETTINGS[0] else {"rowstone": ports["rowstone"]}
        tables = {}
        for name, port in servers.items():
            connection = happybase.Connection("127.0.0.1", port, transport=transport, protocol=protocol)
            if TABLE.encode() not in connection.tables():
                connection.create_table(TABLE, {"f": {"bloom_filter_type": "ROW", "block_cache_enabled": True}})
            tables[name] = connection.table(TABLE)
        for number in range(rounds):
            order = list(tables) if number % 2 == 0 else list(tables)[::-1]
            for title, operation, part in OPERATIONS:
                some = items[: max(1, int(len(items) * part))]
                for name in order:
                    start = time.perf_counter()
                    done = operation(tables[name], some)
                    seconds = time.perf_counter() - start
                    expected = len(items) if operation is scan else len(some)
                    if done != expected:
                        raise AssertionError(f"{name}, {title}: {done} of {expected} answers")
                    if number >= WARM_ROUNDS:
                        place = rates.setdefault((f"{transport}, {protocol}", title), {})
                        place.setdefault(name, []).append(expected / seconds)
            print(f"  {transport}, {protocol}: round {number + 1} of {rounds}", file=sys.stderr)
        for table in tables.values():
            table.connection.close()
    return rates


def markdown(rates: dict[tuple[str, str], dict[str, list[float]]]) -> str:
    """Format the table. A ratio below 1 means that HBase's gateway is faster, and is bold."""
    lines = ["| transport, protocol | operation | rowstone, 1/s | HBase, 1/s | ratio |", "|---|---|---|---|---|"]
    for (setting, title), found in rates.items():
        ours = found["rowstone"]
        cells = [setting, title, f"{statistics.median(ours):,.0f}", "", ""]
        if "hbase" in found:
            ratios = [mine / theirs for mine, theirs in zip(ours, found["hbase"], strict=True)]
            ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
            cells[3:] = [
                f"{statistics.median(found['hbase']):,.0f}",
                f"**{ratio}**" if statistics.median(ratios) < 1 else ratio,
            ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7, help=f"the first {WARM_ROUNDS} do not count")
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    facts = machine(f"rowstone {rs.__version__}, happybase {version('happybase')}, HBase 2.6.4")
    chance = random.Random(1)
    items = [
        (b"user%012d" % number, chance.randbytes(VALUE_BYTES)) for number in chance.sample(range(10**12), options.rows)
    ]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        hbase = stack.enter_context(StandaloneHBase(servers=1, heap="512m"))
        gateway = ThriftGateway(hbase)
        stack.callback(gateway.close)
        ports = {"rowstone": stack.enter_context(rowstone_port(folder)), "hbase": gateway.port}
        rates = measured(ports, items, options.rounds)
    facts["load at the end"] = load()
    counted = options.rounds - WARM_ROUNDS
    caption = (
        f"happybase in one process, the servers on the same machine; {options.rows:,} rows of {VALUE_BYTES} bytes in "
        f"random order. Medians of {counted} interleaved rounds, ratios with smallest and largest; "
        f"above 1 Rowstone is faster. {machine_text(facts)}"
    )
    text = f"{markdown(rates)}\n\n{caption}"
    publish(text, options.document, MARK)


if __name__ == "__main__":
    main()
