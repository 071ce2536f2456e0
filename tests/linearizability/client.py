"""Random operations of one client, performed through the public API."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import rowstone as rs
from rowstone import errors
from tests.linearizability.model import EMPTY, LOST, State

FAMILIES = ("f", "g")
VALUE, COPY, COUNT, TEXT = "f:value", "g:value", "f:count", "g:text"
SHARES = {
    "get": 20, "scan": 5, "put": 20, "delete": 5, "increment": 20, "append": 10,
    "check_and_put": 10, "check_and_mutate": 10,
}  # fmt: skip
"""How often each kind of operation is chosen."""


class Chooser:
    """The next operation of a client. Values and suffixes are unique, and checks often expect the present value."""

    def __init__(self, client: int, seed: int) -> None:
        self._client = client
        self._random = random.Random(f"{seed}/{client}")
        self._number = 0
        self._row = -1
        self._last_value: bytes | None = None

    def choose_row(self, window: int, rows: int) -> int:
        """One of the `rows` rows of a window: rows retire with their window."""
        return window * rows + self._random.randrange(rows)

    def choose(self, row: int) -> tuple[str, Any]:
        """The kind of an operation on this row, and its argument."""
        self._number += 1
        kind = self._random.choices(list(SHARES), list(SHARES.values()))[0]
        unique = f"{self._client}.{self._number},".encode()
        match kind:
            case "put" | "append":
                return kind, unique
            case "increment":
                return kind, self._random.randint(1, 3)
            case "check_and_put" | "check_and_mutate":
                return kind, (self._last_value if self._row == row else None, unique)
        return kind, None

    def learn(self, row: int, kind: str, argument: Any, result: Any) -> None:
        """Remember the value that the client saw last, for its next check."""
        if kind in ("get", "scan"):
            self._row, self._last_value = row, result.value
        elif kind == "put" or result is True:
            self._row, self._last_value = row, argument if kind == "put" else argument[1]


COVER_ALL = 1 << 62
"""Timestamp of deletes in families of the new version behavior, where the order of writes decides.

As in HBase, the increments and appends of one millisecond get the timestamps of later ones. A delete at the clock's
time would miss them.
"""


def perform(table: Any, key: bytes, kind: str, argument: Any, delete_timestamp: int | None = None) -> Any:
    """Execute an operation on a table, or on one with a planted fault; return the result as `model.step` would."""
    match kind:
        case "get":
            return _state_of(table.get(key))
        case "scan":
            with table.scan(start=key, stop=key, include_stop=True) as rows:
                return next((_state_of(row) for row in rows), EMPTY)
        case "put":
            return table.put(key, {VALUE: argument, COPY: argument})
        case "delete":
            return table.delete(key, timestamp=delete_timestamp)
        case "increment":
            return _new_value(table.increment, key, COUNT, argument)
        case "append":
            return _new_value(table.append, key, TEXT, argument)
    expected, value = argument
    changes: list[rs.Put | rs.Delete] = [rs.Put(key, {VALUE: value, COPY: value})]
    if kind == "check_and_mutate":
        changes.append(rs.Delete(key).add_columns(TEXT, delete_timestamp))
    change = changes[0] if kind == "check_and_put" else rs.RowMutations(key, changes)
    return table.check_and_mutate(key, VALUE, "=", expected, change).success


def _new_value(change: Callable[..., Any], key: bytes, column: str, argument: Any) -> Any:
    try:
        return change(key, column, argument)
    except errors.ResultLost:
        return LOST


def _state_of(row: rs.Row) -> State:
    count = row.get(COUNT)
    return State(row.get(VALUE), row.get(COPY), None if count is None else int.from_bytes(count, "big"), row.get(TEXT))
