"""A server that is killed at random points of a program's progress, and random administration of its tables."""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any

import rowstone as rs
from rowstone import errors
from tests.clients.apache.targets import RowstoneTarget

SETTINGS = ("hbase.hregion.max.filesize=268435456",)
"""Regions that grow beyond 256 MiB split without being asked."""
LAST_KILL = 0.95
"""No kill is planned after this part of the progress, because rows written just before a kill are not counted."""
SECOND_KILL = 0.15
"""Probability that a server is killed again before it is ready."""
WORKS = {"flush": 4, "split": 3, "merge": 3, "major compaction": 2}
MOST_REGIONS = 16
LONGEST_PAUSE_SECONDS = 4
POLL_SECONDS = 0.05
REPORT_SECONDS = 30
_REFUSALS = (errors.UsageError, errors.NotFoundError, errors.RetryError, errors.ClusterError, errors.StateError)
"""Regions split and merge meanwhile, and the server is away at times."""


class MortalServer(RowstoneTarget):
    """`rowstone serve` on a directory below ``folder``. `restart` starts it again on the same ports."""

    def __init__(self, folder: Path) -> None:
        super().__init__(SETTINGS, folder=folder)
        self.kills = self.early_kills = 0
        self.longest_start_seconds = 0.0

    def start(self) -> None:
        """Start it; return when it has recovered and answers."""
        began = time.monotonic()
        super().start()
        self.longest_start_seconds = max(self.longest_start_seconds, time.monotonic() - began)

    def restart(self, dice: random.Random, most_kills: int) -> int:
        """Kill it and start it again, at times with another kill before it is ready; return the number of kills."""
        kills = 1
        self.kill()
        # Each start moves what killed compactions have written to the archive. Only a full disk empties that.
        shutil.rmtree(self._folder / "db" / "archive", ignore_errors=True)
        if most_kills > 1 and dice.random() < SECOND_KILL:
            self._launch()
            time.sleep(dice.random() * self.longest_start_seconds)
            self.kill()
            self.early_kills += 1
            kills = 2
        self.start()
        self.kills += kills
        return kills


class WrittenRows:
    """Rows that clients have written, as counted by the regions of a server over all its lives."""

    def __init__(self, db: rs.Database) -> None:
        self._db = db
        self._by_region: dict[str, int] = {}
        self._earlier = 0

    def count(self) -> int:
        """The number of writes so far, except those between the last call and the end of a region or of the server."""
        [load] = self._db.admin.metrics.servers().values()
        for region in load["region_loads"]:
            name, now = region["region_specifier"]["value"], region.get("write_requests_count", 0)
            before = self._by_region.get(name, 0)
            self._earlier += before if now < before else 0
            self._by_region[name] = now
        return self._earlier + sum(self._by_region.values())


class Disturbances:
    """Random flushes, splits, merges and major compactions of a table, from the beginning to the end of a block.

    Regions split in their middle, or before one of ``split_rows`` if the table is too small to have one.
    """

    def __init__(self, url: str, table: str, seed: int, split_rows: Sequence[str] = ()) -> None:
        self._url, self._table, self._split_rows = url, table, split_rows
        self._dice = random.Random(f"disturbances {seed}")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._guarded)
        self.done: Counter[str] = Counter()
        self.problems: list[str] = []

    def __enter__(self) -> Disturbances:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _guarded(self) -> None:
        try:
            with rs.connect(self._url, operation_timeout_ms=60_000) as db:
                while not self._ended.wait(self._dice.random() * LONGEST_PAUSE_SECONDS):
                    self._disturb(db)
        except BaseException as error:
            self.problems.append(f"{type(error).__name__}: {error}")

    def _disturb(self, db: rs.Database) -> None:
        [kind] = self._dice.choices(list(WORKS), list(WORKS.values()))
        try:
            self.done[kind] += self._disturb_once(db, kind)
        except _REFUSALS:
            self.done[f"{kind} refused"] += 1

    def _disturb_once(self, db: rs.Database, kind: str) -> bool:
        """Return whether there was something to do."""
        if not db.admin.tables.exists(self._table):
            return False
        regions = db.admin.regions.list(self._table)
        index = self._dice.randrange(len(regions))
        match kind:
            case "flush":
                db.admin.flush(self._table)
            case "split" if len(regions) < MOST_REGIONS and self._split_rows:
                db.admin.regions.split(self._table, self._dice.choice(self._split_rows))
            case "split" if len(regions) < MOST_REGIONS:
                db.admin.regions.split(regions[index])
            case "merge" if index > 0:
                db.admin.regions.merge(regions[index - 1 : index + 1])
            case "major compaction":
                db.admin.regions.compact(regions[index], major=True)
            case _:
                return False
        return True


def kill_until_done(
    server: MortalServer, program: Future[str], progress: Callable[[], float], kills: int, seed: int
) -> None:
    """Kill the server at random parts of the program's progress, until the program has ended."""
    dice = random.Random(f"kills {seed}")
    plan = sorted(dice.random() * LAST_KILL for _ in range(kills))
    reported = time.monotonic()
    while not program.done():
        time.sleep(POLL_SECONDS)
        now = progress()
        if plan and now >= plan[0]:
            del plan[: server.restart(dice, len(plan))]
        if time.monotonic() - reported > REPORT_SECONDS:
            reported = time.monotonic()
            print(f"  {now:.0%}, {server.kills} kills", flush=True)
