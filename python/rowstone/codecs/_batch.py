"""Buffered writes of typed values."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._base.options.calls import DeleteOptions, PutOptions
    from rowstone._core.table import Columns, RowKey


class TypedBatch:
    """A `BufferedWriter` for typed values. Created by `TypedTable.batch`; use it in a ``with`` statement."""

    def __init__(self, writer: _native.BufferedWriter, encoded: Callable[[Any], Any]) -> None:
        self._writer = writer
        self._encoded = encoded

    def put(self, row: RowKey, data: Any, **options: Unpack[PutOptions]) -> None:
        """Add typed values of a row; options as in `Table.put`."""
        self._writer.put(row, self._encoded(data), **options)

    def delete(self, row: RowKey, columns: Columns | None = None, **options: Unpack[DeleteOptions]) -> None:
        """Add a delete; options as in `Table.delete`."""
        self._writer.delete(row, columns, **options)

    def mutate(self, mutation: _native.Put | _native.Delete) -> None:
        """Add a put or delete of bytes."""
        self._writer.mutate(mutation)

    def flush(self) -> None:
        """Write the buffered mutations."""
        self._writer.flush()

    def close(self) -> None:
        """Write the buffered mutations and close the writer. A second call does nothing."""
        self._writer.close()

    def __repr__(self) -> str:
        return f"TypedBatch({self._writer!r})"

    def __len__(self) -> int:
        return len(self._writer)

    def __enter__(self) -> TypedBatch:
        self._writer.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.__exit__(kind, error, trace)
