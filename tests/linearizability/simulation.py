"""Clients that take turns by a seed: their intervals overlap, and the same seed gives the same history."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rowstone import errors
from tests.linearizability.client import Chooser, perform
from tests.linearizability.faults import CorrectTable
from tests.linearizability.history import Operation

LOST_SHARE = 0.01
"""How often the answer of a call is lost. The server then executes it before, later or never."""


@dataclass
class _Client:
    number: int
    chooser: Chooser
    call: tuple[str, Any] | None = None
    invoked: int = 0
    is_done: bool = False
    result: Any = None
    is_lost: bool = False


@dataclass
class Simulation:
    """Clients of one row of a table."""

    table: CorrectTable
    seed: int
    row: int = 0
    clients: int = 4
    operations: list[Operation] = field(default_factory=list)

    def run(self, operations: int) -> list[Operation]:
        """Return the history of at least this many operations."""
        dice, clock = random.Random(f"turns {self.seed}"), count(1)
        clients = [_Client(number, Chooser(number, self.seed)) for number in range(self.clients)]
        late: list[tuple[str, Any]] = []
        while len(self.operations) < operations:
            self._take_turn(dice.choice(clients), clock, dice, late)
            if late and dice.random() < 0.05:
                self._perform(*late.pop(0))
        # Those that are under way have perhaps taken effect.
        self.operations += [
            Operation(client.number, self.row, *client.call, client.invoked, None) for client in clients if client.call
        ]
        return self.operations

    def _take_turn(
        self, client: _Client, clock: Iterator[int], dice: random.Random, late: list[tuple[str, Any]]
    ) -> None:
        """Invoke, execute or return the client's operation."""
        if client.call is None:
            client.call, client.invoked = client.chooser.choose(self.row), next(clock)
            client.is_done = False
            return
        kind, argument = client.call
        if not client.is_done:
            client.is_done, client.is_lost = True, dice.random() < LOST_SHARE
            if client.is_lost and (fate := dice.random()) < 2 / 3:
                if fate < 1 / 3:
                    late.append(client.call)
                return
            client.result, is_lost = self._perform(kind, argument)
            client.is_lost |= is_lost
            return
        returned = None if client.is_lost else next(clock)
        result = None if client.is_lost else client.result
        self.operations.append(Operation(client.number, self.row, kind, argument, client.invoked, returned, result))
        if not client.is_lost:
            client.chooser.learn(self.row, kind, argument, result)
        client.call = None

    def _perform(self, kind: str, argument: Any) -> tuple[Any, bool]:
        """The result, and whether the answer was lost."""
        try:
            return perform(self.table, b"row-%d" % self.row, kind, argument), False
        except errors.ClusterError:
            return None, True
