"""Planted faults: tables that break one promise now and then, and are correct otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import rowstone as rs
from tests.linearizability.client import COPY, COUNT, TEXT, VALUE, perform
from tests.linearizability.model import State

SHARE = 0.3
"""How often an operation that can fail does."""


class CorrectTable:
    """A table that passes every call on; the base of those with a fault."""

    def __init__(self, table: rs.Table, seed: int) -> None:
        self._table = table
        self._random = random.Random(seed)
        self.fault_count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def fails(self) -> bool:
        """Whether this operation is one that fails."""
        if self._random.random() >= SHARE:
            return False
        self.fault_count += 1
        return True

    def read(self, key: bytes) -> State:
        """The row as it is."""
        state = perform(self._table, key, "get", None)
        assert isinstance(state, State)
        return state

    def restore(self, key: bytes, state: State) -> None:
        """Replace the row."""
        self._table.delete(key)
        count = None if state.counter is None else state.counter.to_bytes(8, "big")
        cells = {VALUE: state.value, COPY: state.copy, COUNT: count, TEXT: state.text}
        if any(cells.values()):
            self._table.put(key, {column: value for column, value in cells.items() if value is not None})


class LostWrite(CorrectTable):
    """A put is acknowledged and does nothing."""

    def put(self, key: bytes, data: dict[str, bytes]) -> None:
        if not self.fails():
            self._table.put(key, data)


class StaleRead(CorrectTable):
    """A get returns the row before its last put."""

    def __init__(self, table: rs.Table, seed: int) -> None:
        super().__init__(table, seed)
        self._stale: dict[bytes, rs.Row] = {}

    def put(self, key: bytes, data: dict[str, bytes]) -> None:
        self._stale[key] = self._table.get(key)
        self._table.put(key, data)

    def get(self, key: bytes) -> rs.Row:
        return self._stale[key] if key in self._stale and self.fails() else self._table.get(key)


class RepeatedIncrement(CorrectTable):
    """The answer of an increment is lost, and its repetition is applied as well."""

    def increment(self, key: bytes, column: str, amount: int) -> int:
        if self.fails():
            self._table.increment(key, column, amount)
        return self._table.increment(key, column, amount)


class LostIncrement(CorrectTable):
    """Two increments read the same count: the earlier one is overwritten."""

    def increment(self, key: bytes, column: str, amount: int) -> int:
        if self.fails():
            before = self.read(key).counter or 0
            self._table.increment(key, column, 7)
            self._table.put(key, {column: (before + amount).to_bytes(8, "big")})
            return before + amount + 7
        return self._table.increment(key, column, amount)


class StaleCheck(CorrectTable):
    """A check compares with an earlier value of the row: it succeeds though the value has changed."""

    def check_and_mutate(self, key: bytes, column: str, operator: str, value: bytes | None, mutation: Any) -> Any:
        result = self._table.check_and_mutate(key, column, operator, value, mutation)
        if not result.success and self.fails():
            return self._table.check_and_mutate(key, column, operator, self.read(key).value, mutation)
        return result


class TornRow(CorrectTable):
    """A put of two families writes one of them."""

    def put(self, key: bytes, data: dict[str, bytes]) -> None:
        self._table.put(key, {VALUE: data[VALUE]} if self.fails() else data)


class HalfMutation(CorrectTable):
    """Of the changes that depend on a check, only the first is made."""

    def check_and_mutate(self, key: bytes, column: str, operator: str, value: bytes | None, mutation: Any) -> Any:
        # Only a row with a text shows that its deletion is missing.
        if isinstance(mutation, rs.RowMutations) and self.read(key).text and self.fails():
            mutation = mutation.mutations[0]
        return self._table.check_and_mutate(key, column, operator, value, mutation)


class UndoneDelete(CorrectTable):
    """A restart brings a deleted row back."""

    def delete(self, key: bytes, *, timestamp: int | None = None) -> None:
        before = self.read(key)
        self._table.delete(key)
        if before.value and self.fails():
            self.restore(key, before)


class ReorderedAppend(CorrectTable):
    """Two appends are acknowledged in one order and stored in the other."""

    def append(self, key: bytes, column: str, suffix: bytes) -> Any:
        before = self.read(key).text
        result = self._table.append(key, column, suffix)
        if before and self.fails():
            self._table.put(key, {column: suffix + before})
        return result


class RolledBackWrite(CorrectTable):
    """A put of unknown outcome is visible to one get, and undone after it."""

    def __init__(self, table: rs.Table, seed: int) -> None:
        super().__init__(table, seed)
        self._undo: dict[bytes, State] = {}

    def put(self, key: bytes, data: dict[str, bytes]) -> None:
        before = self.read(key)
        self._table.put(key, data)
        if key not in self._undo and self.fails():
            self._undo[key] = before
            raise rs.errors.ConnectionFailed("the answer is lost")

    def get(self, key: bytes) -> rs.Row:
        row = self._table.get(key)
        if key in self._undo:
            self.restore(key, self._undo.pop(key))
        return row


FAULTS: tuple[Callable[[rs.Table, int], CorrectTable], ...] = (
    LostWrite, StaleRead, RepeatedIncrement, LostIncrement, StaleCheck, TornRow, HalfMutation, UndoneDelete,
    ReorderedAppend, RolledBackWrite,
)  # fmt: skip
