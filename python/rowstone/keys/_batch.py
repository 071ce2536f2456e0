"""Buffered writes addressed by the values of keys."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._base.options.calls import DeleteOptions, PutOptions
    from rowstone._core.table import Columns
    from rowstone.keys._key import Key


class KeyedBatch:
    """A `BufferedWriter` addressed by the values of keys, for a ``with`` statement. Created by `KeyedTable.batch`."""

    def __init__(self, writer: _native.BufferedWriter, key: Key) -> None:
        self._writer = writer
        self._key = key

    def put(self, values: Any, data: Any, **options: Unpack[PutOptions]) -> bytes:
        """Add a put and return its row key. Options as in `Table.put`."""
        row = self._key.encode(values)
        self._writer.put(row, data, **options)
        return row

    def delete(self, values: Any, columns: Columns | None = None, **options: Unpack[DeleteOptions]) -> None:
        """Add a delete for every bucket that may contain the row. Options as in `Table.delete`."""
        for row in self._key.candidates(values):
            self._writer.delete(row, columns, **options)

    def mutate(self, mutation: _native.Put | _native.Delete) -> None:
        """Add a put or delete that names its row by bytes."""
        self._writer.mutate(mutation)

    def flush(self) -> None:
        """Write the buffered mutations."""
        self._writer.flush()

    def close(self) -> None:
        """Write the buffered mutations and close the writer. A second call does nothing."""
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
