"""Disturbances of a running job: regions split and move, and an executor of Spark is killed half-way."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psutil

import rowstone as rs
from tests.engines.clusters.large.rows import key_at

MOST_REGIONS = 40
PAUSE_SECONDS = 2.0


@dataclass
class Counts:
    """Numbers of splits, moves and kills so far."""

    splits: int = 0
    moves: int = 0
    kills: int = 0

    def __str__(self) -> str:
        return f"{self.splits} splits, {self.moves} moves, {self.kills} killed executors"


@contextmanager
def disturbed(url: str, table: str, chance: random.Random, counts: Counts) -> Iterator[None]:
    """Splits and moves regions of the table until the block ends."""
    ended = threading.Event()

    def disturb() -> None:
        with rs.connect(url) as db:
            while not ended.wait(PAUSE_SECONDS):
                # A region that is already in transition refuses.
                with suppress(rs.errors.RowstoneError):
                    _disturb(db, table, chance, counts)

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _disturb(db: rs.Database, table: str, chance: random.Random, counts: Counts) -> None:
    places = db.admin.regions.locations(table)
    servers = sorted({place.server for place in places if place.server})
    if len(servers) > 1 and chance.random() < 0.5:
        place = chance.choice(places)
        db.admin.regions.move(place.region.name, chance.choice([one for one in servers if one != place.server]))
        counts.moves += 1
    elif len(places) < MOST_REGIONS:
        db.admin.regions.split(table, key_at(chance.random()))
        counts.splits += 1


@contextmanager
def killed_half_way(spark: Any, counts: Counts) -> Iterator[None]:
    """Kills an executor when half of the tasks of a stage are done."""
    ended = threading.Event()

    def watch() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not ended.wait(0.05):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(one and one.numTasks > 2 and one.numCompletedTasks * 2 >= one.numTasks for one in stages):
                for executor in _executors()[:1]:
                    executor.send_signal(signal.SIGKILL)
                    counts.kills += 1
                    return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _executors() -> list[psutil.Process]:
    """The executors of this process's Spark."""
    found = []
    for one in psutil.Process().children(recursive=True):
        # A process may end meanwhile.
        with suppress(psutil.Error):
            if any("CoarseGrainedExecutorBackend" in word for word in one.cmdline()):
                found.append(one)
    return found
