"""Writes by the values of keys that are collected and written together."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._core.table import Columns
    from rowstone.keys._key import Key


class KeyedBatch:
    """A `BufferedWriter` by the values of keys. Made by `KeyedTable.batch`; use it in a ``with`` statement."""

    def __init__(self, writer: _native.BufferedWriter, key: Key) -> None:
        self._writer = writer
        self._key = key

    def put(self, values: Any, data: Any, **options: Any) -> bytes:
        """Adds a put; its row key. Options as `Table.put`."""
        row = self._key.encode(values)
        self._writer.put(row, data, **options)
        return row

    def delete(self, values: Any, columns: Columns | None = None, **options: Any) -> None:
        """Adds a delete, of every bucket that may have the row; options as `Table.delete`."""
        for row in self._key.candidates(values):
            self._writer.delete(row, columns, **options)

    def mutate(self, mutation: _native.Put | _native.Delete) -> None:
        """Adds a put or delete that names its row by bytes."""
        self._writer.mutate(mutation)

    def flush(self) -> None:
        """Writes what was collected."""
        self._writer.flush()

    def close(self) -> None:
        """Writes what was collected, and ends. A second call does nothing."""
        self._writer.close()

    def __len__(self) -> int:
        return len(self._writer)

    def __enter__(self) -> KeyedBatch:
        self._writer.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.__exit__(kind, error, trace)
