"""Processes of many clients, each with a connection and a thread. A process writes its history to a file."""

from __future__ import annotations

import pickle
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import Any

import rowstone as rs
from rowstone import errors
from tests.linearizability.client import COVER_ALL, Chooser, perform
from tests.linearizability.history import Operation

TABLES = ("plain", "ordered")
"""Rows with an even number are in the first table. Those with an odd number are in the second, whose families have the
new version behavior."""
UNKNOWN = (errors.RetryError, errors.ClusterError)
"""Errors after which the operation may have taken effect."""
LONGEST_START_SECONDS = 120
NO_LIMIT = 1 << 62


@dataclass(frozen=True)
class Load:
    """The load of all clients together."""

    urls: Sequence[str]
    """Each client connects to one of them."""
    operations: int
    clients: int
    seed: int
    rows: int = 16
    """Rows in use at a time."""
    row_operations: int = 250
    """Operations after which a row retires, on average."""
    has_plain_table: bool = True
    """Whether the first table has families of the usual behavior."""
    judge_seed: int | None = None
    """First episode of the judge that works beside the clients (`judging`), if there is one."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of all clients."""
    impatient_options: Mapping[str, Any] = field(default_factory=dict)
    """Options of every eighth client, which gives up early and so leaves operations of unknown outcome."""


def key_of(row: int) -> bytes:
    """Row key of a number: neighbors are far apart, so that all regions are in use."""
    return f"{row * 40503 % 65536:04x}-{row:07}".encode()


class Tickets:
    """A count of begun operations for all processes, and whether they should end early."""

    def __init__(self, context: SpawnContext, clients: int) -> None:
        self._count = context.Value("q", 0)
        self._limit = context.Value("q", NO_LIMIT)
        self._stopped = context.Event()
        self.connected = context.Barrier(clients + 1)

    def take(self) -> int:
        """The number of the next operation; waits at the limit."""
        while self._count.value >= self._limit.value and not self.is_stopped:
            time.sleep(0.01)
        with self._count.get_lock():
            self._count.value += 1
            return int(self._count.value) - 1

    @property
    def allowed(self) -> int:
        """Operations that may begin for now."""
        return int(self._limit.value)

    @property
    def count(self) -> int:
        """Operations that have begun."""
        return int(self._count.value)

    def limit(self, count: int = NO_LIMIT) -> None:
        """Let clients begin this number of operations, and wait then."""
        self._limit.value = count

    def stop(self) -> None:
        """Let every client end after its present operation."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()


@dataclass
class Outcome:
    """The operations of one process."""

    operations: list[Operation] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    """Operations of unknown outcome, by the class of the error."""
    problems: list[str] = field(default_factory=list)


def _work(load: Load, number: int, tickets: Tickets, outcome: Outcome) -> None:
    chooser = Chooser(number, load.seed)
    options = {**load.options, **load.impatient_options} if number % 8 == 7 else load.options
    url = load.urls[(number + number // 8) % len(load.urls)]
    with rs.connect(url, **options) as db, rs.connect(url, **load.options) as patient:
        tables = [db.table(name) for name in TABLES]
        waiting = [patient.table(name) for name in TABLES]
        tickets.connected.wait(LONGEST_START_SECONDS)
        while not tickets.is_stopped and (ticket := tickets.take()) < load.operations:
            row = chooser.choose_row(ticket // (load.rows * load.row_operations), load.rows)
            kind, argument = chooser.choose(row)
            table, key = tables[row % len(tables)], key_of(row)
            delete_timestamp = COVER_ALL if row % len(tables) or not load.has_plain_table else None
            invoked = time.monotonic_ns()
            try:
                result = perform(table, key, kind, argument, delete_timestamp)
            except UNKNOWN as error:
                outcome.unknown[type(error).__name__] += 1
                outcome.operations.append(Operation(number, row, kind, argument, invoked, None))
                # Not one operation of unknown outcome after the other while the server is down.
                waiting[row % len(tables)].get(key)
                continue
            returned = time.monotonic_ns()
            outcome.operations.append(Operation(number, row, kind, argument, invoked, returned, result))
            chooser.learn(row, kind, argument, result)


def live(load: Load, numbers: list[int], tickets: Tickets, file: Path) -> None:
    """Main function of a process with these clients."""
    outcomes = [Outcome() for _ in numbers]

    def guarded(number: int, outcome: Outcome) -> None:
        try:
            _work(load, number, tickets, outcome)
        except BaseException as error:
            outcome.problems.append(f"client {number}: {type(error).__name__}: {error}")
            tickets.stop()
            tickets.connected.abort()

    threads = [threading.Thread(target=guarded, args=pair) for pair in zip(numbers, outcomes, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = Outcome()
    for outcome in outcomes:
        total.operations += outcome.operations
        total.unknown += outcome.unknown
        total.problems += outcome.problems
    file.write_bytes(pickle.dumps(total))
