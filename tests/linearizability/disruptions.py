"""Failures of servers at even distances of operations, and other disturbances without pause, while clients work."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter

import rowstone as rs
from rowstone import errors
from tests.linearizability.history import Outage
from tests.linearizability.targets import Target
from tests.linearizability.workers import TABLES, Tickets

WORKS = {"split": 5, "merge": 4, "flush": 4, "major compaction": 2, "move": 6}
MOST_REGIONS = 12
PAUSE_SECONDS = 0.3
RECOVERY_SECONDS = 20
_REFUSALS = (errors.UsageError, errors.NotFoundError, errors.RetryError, errors.ClusterError, errors.StateError)
"""Regions split, move and wait for a killed server meanwhile."""


class Disruptions:
    """Disturbs a target until the clients have begun their last operation."""

    def __init__(self, target: Target, tickets: Tickets, *, operations: int, kills: int, seed: int) -> None:
        self._target, self._tickets, self._operations = target, tickets, operations
        self._dice = random.Random(f"disruptions {seed}")
        self.outages: list[Outage] = []
        self.recoveries: list[Outage] = []
        """From the beginning of each failure until the cluster works again."""
        self.failures: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.problems: list[str] = []
        self._goals = [int(operations / (kills + 1) * (kill + 0.5 + self._dice.random())) for kill in range(kills)]
        self._thread = threading.Thread(target=self._guarded)

    def start(self) -> None:
        """Begin to split, merge, flush, compact and move."""
        self._thread.start()

    def fail_if_due(self) -> None:
        """Let a server fail if the clients have begun enough operations since the last failure."""
        if not self._goals or self._tickets.count < self._goals[0] or self._is_over:
            return
        self._goals.pop(0)
        # A failure of an HBase may take minutes. The rest of the operations is for the other failures.
        following = self._goals[0] if self._goals else self._operations
        self._tickets.limit((self._tickets.count + following) // 2)
        began = time.monotonic_ns()
        try:
            kind, outage = self._target.fail(self._dice)
        except Exception as error:
            self.problems.append(f"{type(error).__name__}: {error}")
            self._tickets.stop()
            return
        self._tickets.limit()
        self.failures[kind] += 1
        self.recoveries.append(Outage(began, time.monotonic_ns() + RECOVERY_SECONDS * 1_000_000_000))
        if outage:
            self.outages.append(outage)

    def join(self) -> None:
        """Wait until the last disturbance has ended."""
        self._thread.join()

    @property
    def _is_over(self) -> bool:
        return self._tickets.is_stopped or self._tickets.count >= self._operations

    def _guarded(self) -> None:
        try:
            self._disturb()
        except BaseException as error:
            self.problems.append(f"{type(error).__name__}: {error}")
            self._tickets.stop()

    def _disturb(self) -> None:
        dice = random.Random(self._dice.random())
        with rs.connect(self._target.urls[0], operation_timeout_ms=30_000) as db:
            while not self._is_over:
                kind = dice.choices(list(WORKS), list(WORKS.values()))[0]
                try:
                    self.done[kind] += self._disturb_once(db, kind, dice)
                except _REFUSALS:
                    self.done[f"{kind} refused"] += 1
                time.sleep(dice.random() * PAUSE_SECONDS)

    def _disturb_once(self, db: rs.Database, kind: str, dice: random.Random) -> bool:
        """Return whether there was something to do."""
        name = dice.choice(TABLES)
        regions = db.admin.regions.list(name)
        match kind:
            case "split" if len(regions) < MOST_REGIONS:
                db.admin.regions.split(name, f"{dice.randrange(65536):04x}")
            case "merge" if len(regions) > 2:
                first = dice.randrange(len(regions) - 1)
                db.admin.regions.merge(regions[first : first + 2])
            case "move" if self._target.can_move:
                servers = [server.name for server in db.admin.servers.status().servers]
                # A master that has just become active knows no server.
                if not servers:
                    return False
                db.admin.regions.move(dice.choice(regions), dice.choice(servers))
            case "flush":
                db.admin.flush(name)
            case "major compaction":
                db.admin.major_compact(name)
            case _:
                return False
        return True
