"""Stores whose latencies `benches/latency.py` measures: puts, gets of a value, scans of 100 rows, a writer's rows, and
when they flushed and compacted.

Embedded: Rowstone and rocksdict with the options of `benches/peers.py`, and a `dict` as control. Served: `rowstone
serve` and HBase as in `benches/served/peers.py`, through Rowstone's client.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Protocol

from benches import peers
from benches.peers import Items
from benches.served import peers as served_peers

import rowstone as rs

SCAN_ROWS = 100
COLUMN = b"f:q"
SETTLE_SECONDS = 3.0
Samples = Sequence[tuple[float, Any]]
"""Seconds of `time.time`, and what `Store.sample` returned then."""


@dataclass(frozen=True)
class Event:
    """Background work, in seconds of `time.time`."""

    kind: str
    start: float
    end: float


class Store(Protocol):
    """Interface of the measured stores. Reads return the number of values, so that none can be skipped."""

    name: str

    def open(self, folder: Path) -> None: ...
    def load(self, items: Items) -> None: ...
    def write(self, items: Items) -> None: ...
    def wait_for_compactions(self) -> None: ...
    def put(self, key: bytes, value: bytes) -> int: ...
    def get(self, key: bytes) -> int: ...
    def scan(self, start: bytes) -> int: ...
    def sample(self) -> Any: ...
    def events(self, samples: Samples) -> list[Event]: ...
    def close(self) -> None: ...


class Control:
    """A `dict`: shows the cost of Python, its threads and the machine."""

    name = "dict"

    def open(self, folder: Path) -> None:
        self._values: dict[bytes, bytes] = {}
        self._some: list[bytes] = []

    def load(self, items: Items) -> None:
        self._values.update(items)

    def write(self, items: Items) -> None:
        values = self._values
        for key, value in items:
            values[key] = value

    def wait_for_compactions(self) -> None:
        self._some = list(islice(self._values, SCAN_ROWS))

    def put(self, key: bytes, value: bytes) -> int:
        self._values[key] = value
        return 1

    def get(self, key: bytes) -> int:
        return int(self._values.get(key) is not None)

    def scan(self, start: bytes) -> int:
        values = self._values
        return sum(1 for key in self._some if values[key] is not None)

    def sample(self) -> None:
        return None

    def events(self, samples: Samples) -> list[Event]:
        return []

    def close(self) -> None:
        self._values.clear()


class Rows:
    """Calls of a table, embedded or served."""

    name = "rowstone"
    db: Any
    table: Any

    def load(self, items: Items) -> None:
        with self.table.batch() as batch:
            for key, value in items:
                batch.put(key, {COLUMN: value})

    def write(self, items: Items) -> None:
        put = self.table.put
        for key, value in items:
            put(key, {COLUMN: value})

    def put(self, key: bytes, value: bytes) -> int:
        self.table.put(key, {COLUMN: value})
        return 1

    def get(self, key: bytes) -> int:
        return int(self.table.value(key, COLUMN) is not None)

    def scan(self, start: bytes) -> int:
        return sum(1 for _ in self.table.scan(start, limit=SCAN_ROWS).pairs(COLUMN))


class Rowstone(Rows):
    """Rowstone in this process."""

    def open(self, folder: Path) -> None:
        self._engine = peers.Rowstone()
        self._engine.open(folder)
        self.db, self.table = self._engine.db, self._engine.table

    def wait_for_compactions(self) -> None:
        self._engine.finish_writes()

    def sample(self) -> dict[str, int]:
        """Counters of the background work. Those of a region begin at zero when a split creates it."""
        stores, stats = self.db.admin.metrics.stores("t"), self.db.admin.metrics.stats()
        names = ("flushes", "flush_ns", "compactions", "compaction_ns")
        sums = {name: sum(getattr(store, name) for store in stores) for name in names}
        return {**sums, "splits": stats["splits"], "log_rolls": stats["log_rolls"], "blocked_ms": stats["blocked_ms"]}

    def events(self, samples: Samples) -> list[Event]:
        events = []
        for (_, before), (now, after) in pairwise(samples):
            for kind, name in (("flush", "flush"), ("compaction", "compaction")):
                seconds = (after[f"{name}_ns"] - before[f"{name}_ns"]) / 1e9
                if seconds > 0:
                    events.append(Event(kind, now - seconds, now))
            for kind, name in (("split", "splits"), ("log roll", "log_rolls")):
                if after[name] > before[name]:
                    events.append(Event(kind, now, now))
        return events

    def close(self) -> None:
        self._engine.close()


class Rocksdict:
    """RocksDB through rocksdict."""

    name = "rocksdict"

    def open(self, folder: Path) -> None:
        self._folder = folder
        self._engine = peers.Rocksdict()
        self._engine.open(folder)
        self._db = self._engine.db

    def load(self, items: Items) -> None:
        self._engine.put_batched(items)

    def write(self, items: Items) -> None:
        self._engine.put(items)

    def wait_for_compactions(self) -> None:
        self._engine.finish_writes()

    def put(self, key: bytes, value: bytes) -> int:
        self._db[key] = value
        return 1

    def get(self, key: bytes) -> int:
        return int(self._db.get(key) is not None)

    def scan(self, start: bytes) -> int:
        return sum(1 for _ in islice(self._db.items(from_key=start), SCAN_ROWS))

    def sample(self) -> None:
        return None

    def events(self, samples: Samples) -> list[Event]:
        """Flushes and compactions from RocksDB's own log."""
        events, begun = [], {}
        for text in re.findall(r"EVENT_LOG_v1 (\{.*\})", (self._folder / "LOG").read_text(errors="replace")):
            entry = json.loads(text)
            kind, _, step = entry["event"].rpartition("_")
            job, now = (kind, entry["job"]), entry["time_micros"] / 1e6
            if step == "started":
                begun[job] = now
            elif step == "finished" and job in begun:
                events.append(Event(kind, begun.pop(job), now))
        return events

    def close(self) -> None:
        self._engine.close()


class Served(Rows):
    """A server in another process, through Rowstone's client. The writer's rows of a tick share requests."""

    def __init__(self, name: str, server: type[served_peers.Peer], *arguments: Any) -> None:
        self.name = name
        self._start = (server, arguments)

    def open(self, folder: Path) -> None:
        server, arguments = self._start
        self._peer = server(*arguments)
        self.db = rs.connect(f"hbase://{self._peer.address}", operation_timeout_ms=120_000)
        self.db.create_table("t", ["f"])
        self.table = self.db.table("t")

    def write(self, items: Items) -> None:
        self.load(items)

    def wait_for_compactions(self) -> None:
        self.db.admin.flush("t")
        # The flush may have been followed by a split.
        time.sleep(SETTLE_SECONDS)
        self.db.admin.major_compact("t")
        # The request is queued: it may not have begun yet.
        time.sleep(SETTLE_SECONDS)
        while self.db.admin.regions.compaction_state("t") != "NONE":
            time.sleep(SETTLE_SECONDS)

    def sample(self) -> frozenset[Path]:
        """The files of the table."""
        return frozenset(self._peer.store_files("t"))

    def events(self, samples: Samples) -> list[Event]:
        """A compaction replaces files, a flush adds one."""
        events = []
        for (_, before), (now, after) in pairwise(samples):
            if before - after:
                events.append(Event("compaction", now, now))
            elif after - before:
                events.append(Event("flush", now, now))
        return events

    def close(self) -> None:
        self.db.close()
        self._peer.close()


def embedded() -> Sequence[Store]:
    """The control and the embedded stores."""
    return (Control(), Rowstone(), Rocksdict())


def served() -> Sequence[Store]:
    """Servers with the same memory for memstore and block cache."""
    return (
        Served("rowstone serve", served_peers.Rowstone, served_peers.LIMIT_MB),
        Served("HBase", served_peers.HBase, "1g"),
    )
