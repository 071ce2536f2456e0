"""A log of a server of our own: `rowstone serve` before clients of which some are busier than others."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import rowstone as rs
from rowstone.testing import server

HOSTS = 24
THREADS = 4


def server_log(requests: int, seed: int = 8) -> list[dict[str, Any]]:
    """A line for each request that was answered, by time: ``at`` (milliseconds), ``host``, ``event``, ``micros``, …"""
    with server() as url, rs.connect(url) as db:
        db.create_table("t", ["f"])
        with ThreadPoolExecutor(THREADS) as pool:
            pieces = pool.map(lambda worker: _work(db.table("t"), worker, requests // THREADS, seed), range(THREADS))
            lines = sorted((line for piece in pieces for line in piece), key=lambda line: line["at"])
    return [{**line, "seq": place} for place, line in enumerate(lines)]


def _work(table: rs.Table, worker: int, requests: int, seed: int) -> list[dict[str, Any]]:
    """The clients of a thread: client n makes 1/n of the requests of the first."""
    draw = random.Random(seed * 100 + worker)
    weights = [1 / place for place in range(1, HOSTS + 1)]
    lines = []
    for _ in range(requests):
        [host] = draw.choices(range(HOSTS), weights)
        event = draw.choices(("get", "put", "scan", "increment"), (60, 25, 5, 10))[0]
        row = f"row{draw.randrange(500):03}"
        began = time.perf_counter_ns()
        if event == "get":
            table.get(row)
        elif event == "put":
            table.put(row, {"f:q": "value"})
        elif event == "increment":
            table.increment(row, "f:n", 1)
        else:
            with table.scan(row, limit=10) as rows:
                list(rows)
        micros = (time.perf_counter_ns() - began) // 1000
        at = time.time_ns() // 1_000_000
        lines.append({"at": at, "host": f"client{host:02}", "event": event, "micros": micros})
    return lines
