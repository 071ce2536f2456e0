"""The loads of `benches/served`: HBase's PerformanceEvaluation and YCSB, unmodified, each in its own JVM.

Each takes four clients about ten seconds. A JVM spends four to five seconds of CPU time on compiling its code,
whatever the server; a load that ends by then compares little else.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path

from benches.served.peers import Peer
from tests.hbase.cluster.server import JAVA_OPTIONS
from tests.oracle.build import POM, compiled, fetched

JAVA = Path(__file__).resolve().parent.parent / "java"
HEAP = "1g"
LIMIT_SECONDS = 1_800
ROWS = 100_000
"""Rows of the table for which shares and cycles are given."""
CORE = "site.ycsb.workloads.CoreWorkload"


class LoadFailed(Exception):
    """A load failed; the message contains its output."""


@dataclass(frozen=True)
class Load:
    """Work of one block: a `share` of the rows, `cycles` times. Some operations cost a hundred times more than others.

    PerformanceEvaluation only supports key ranges that start at the first row; its random reads use such a range.
    `every` is its sampling: one operation for so many rows of the range. `reads_once` is for scans: a scanner at the
    end of the table answers further calls at no cost. Such a load runs one cycle on `ROWS` rows. On a larger table,
    `cycles` sets the number of operations, as for other loads.
    """

    suite: str
    title: str
    command: str
    options: tuple[str, ...] = ()
    share: float = 1.0
    cycles: int = 1
    every: int = 1
    reads_once: bool = False

    def scaled_to(self, rows: int, part: float) -> Load:
        """This part of the operations, over all rows of a table of `rows` rows."""
        larger = max(rows / ROWS, 1) / part
        if self.suite == "ycsb":
            return replace(self, share=self.share / larger)
        if larger == 1:
            return replace(self, cycles=1) if self.reads_once else self
        return replace(self, share=1.0, cycles=1, every=max(round(larger / (self.share * self.cycles)), 1))

    def filling(self) -> Load:
        """The same command once for each row."""
        return replace(self, options=(), share=1.0, cycles=1, every=1)

    def operations(self, rows: int) -> int:
        """The number of operations on a table of this many rows."""
        return max(int(rows * self.share), 100) * self.cycles // self.every


@dataclass(frozen=True)
class Outcome:
    """Report of a load generator: its rate, and the 99th percentile of its slowest kind of operation."""

    rate: float
    p99_us: float


def _pe(title: str, command: str, *options: str, share: float = 1.0, cycles: int = 1, reads_once: bool = False) -> Load:
    return Load("pe", title, command, options, share, cycles, reads_once=reads_once)


def _ycsb(letter: str, *proportions: str, share: float = 1.5, distribution: str = "zipfian") -> Load:
    given = {"read": 0.0, "update": 0.0, "insert": 0.0, "scan": 0.0, "readmodifywrite": 0.0}
    given.update({name: float(number) for name, number in (each.split("=") for each in proportions)})
    properties = [f"{name}proportion={number}" for name, number in given.items()]
    return Load("ycsb", f"YCSB {letter}", "-t", (*properties, f"requestdistribution={distribution}"), share)


# Loads that write come first: the others read what they wrote.
LOADS = (
    _pe("sequentialWrite", "sequentialWrite", cycles=40),
    _pe("randomWrite", "randomWrite", cycles=40),
    _pe("randomWrite, autoFlush", "randomWrite", "--autoFlush=true", share=0.3, cycles=5),
    _pe("multiPut of 100", "randomWrite", "--autoFlush=true", "--multiPut=100", cycles=22),
    _pe("randomRead", "randomRead", share=0.6, cycles=7),
    _pe("multiGet of 100", "randomRead", "--multiGet=100", cycles=16),
    _pe("sequentialRead", "sequentialRead", share=0.6, cycles=7),
    _pe("scan", "scan", cycles=20, reads_once=True),
    _pe("scanRange10000", "scanRange10000", share=0.0025, cycles=2),
    _pe("scanRange100", "scanRange100", share=0.05, cycles=11),
    _pe("increment", "increment", share=0.3, cycles=4),
    _pe("append", "append", share=0.3, cycles=4),
    _pe("checkAndPut", "checkAndPut", share=0.25, cycles=3),
    _ycsb("A", "read=0.5", "update=0.5"),
    _ycsb("B", "read=0.95", "update=0.05"),
    _ycsb("C", "read=1"),
    _ycsb("D", "read=0.95", "insert=0.05", distribution="latest"),
    _ycsb("E", "scan=0.95", "insert=0.05", share=0.08),
    _ycsb("F", "read=0.5", "readmodifywrite=0.5", share=1.0),
)


def fill(peer: Peer, suite: str, rows: int) -> None:
    """Write the rows that are read later."""
    if suite == "pe":
        run(peer, LOADS[0].filling(), rows, 1)
    else:
        _ycsb_run(peer, ("-load",), ("insertbatch=500",), rows, rows, 4)


def run(peer: Peer, load: Load, rows: int, clients: int) -> Outcome:
    """Run it on a table of this many rows."""
    count = max(int(rows * load.share), 100)
    if load.suite == "ycsb":
        return _ycsb_run(peer, (load.command,), load.options, rows, count, clients)
    each = max(count // clients, 1)
    # Slightly below 1 / every: PerformanceEvaluation rounds its reciprocal down.
    sample = () if load.every == 1 else (f"--sampleRate={0.9999 / load.every:.9f}",)
    options = [f"--rows={each}", f"--cycles={load.cycles}", *sample, *load.options]
    text = _java(
        peer,
        "pe",
        ["org.apache.hadoop.hbase.PerformanceEvaluation", "--nomapred", *options, load.command, str(clients)],
    )
    found = re.findall(r"Summary of timings \(ms\): \[([\d, ]+)\]", text)
    latencies = [float(each) for each in re.findall(r"Latency \(us\) : .*?99th=([\d.]+)", text)]
    if not found or not latencies or re.search(r"\b(ERROR|FATAL|Exception)\b", text):
        raise LoadFailed(f"{load.title} on {peer.name}:\n{text[-3000:]}")
    slowest_ms = max(int(part) for part in found[-1].split(","))
    return Outcome(load.operations(rows) * 1000 / max(slowest_ms, 1), statistics.mean(latencies))


def _ycsb_run(
    peer: Peer, commands: tuple[str, ...], properties: tuple[str, ...], rows: int, count: int, clients: int
) -> Outcome:
    given = [
        f"workload={CORE}",
        f"recordcount={rows}",
        f"operationcount={count}",
        "measurementtype=hdrhistogram",
        *properties,
    ]
    options = [part for each in given for part in ("-p", each)]
    text = _java(peer, "ycsb", ["site.ycsb.Client", *commands, "-db", "YcsbHBase", "-threads", str(clients), *options])
    rate = re.search(r"\[OVERALL\], Throughput\(ops/sec\), ([\d.E]+)", text)
    latencies = re.findall(r"\[(?!CLEANUP)[A-Z-]+\], 99thPercentileLatency\(us\), ([\d.E]+)", text)
    bad = [line for line in text.splitlines() if "Return=" in line and "Return=OK" not in line]
    if rate is None or bad or not latencies or "Exception" in text:
        raise LoadFailed(f"YCSB on {peer.name}: {bad}\n{text[-3000:]}")
    return Outcome(float(rate[1]), max(float(each) for each in latencies))


def _java(peer: Peer, suite: str, arguments: list[str]) -> str:
    jars = fetched(POM, "lib")
    if suite == "pe":
        own = [f"{fetched(JAVA / 'hbase-tests.xml', 'hbase-tests')}/*"]
    else:
        ycsb = f"{fetched(JAVA / 'ycsb.xml', 'ycsb')}/*"
        own = [str(compiled([JAVA / "YcsbHBase.java"], [ycsb, f"{jars}/*"], "ycsb-hbase")), ycsb]
    path = os.pathsep.join([str(peer.configuration()), *own, f"{jars}/*"])
    command = ["java", f"-Xmx{HEAP}", *JAVA_OPTIONS, "-cp", path, *arguments]
    status, text = _wait(peer, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    if status != 0:
        raise LoadFailed(f"{' '.join(arguments)} on {peer.name}:\n{text[-4000:]}")
    return text


def _wait(peer: Peer, client: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the client; return its exit status and output. Stop it if the server ends, or after the time limit."""
    end = time.monotonic() + LIMIT_SECONDS
    while True:
        try:
            text, _ = client.communicate(timeout=1)
            return client.returncode, text
        except subprocess.TimeoutExpired:
            is_running = peer.is_running()
            if is_running and time.monotonic() < end:
                continue
        client.kill()
        text, _ = client.communicate()
        reason = f"took more than {LIMIT_SECONDS:,} s" if is_running else "ended, because the server did"
        raise LoadFailed(f"A client of {peer.name} {reason}:\n{text[-4000:]}")
