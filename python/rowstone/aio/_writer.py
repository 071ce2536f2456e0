"""A buffer for many puts and deletes, written on the database's threads."""

import math
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from rowstone import _native
from rowstone.aio._threads import Threads
from rowstone.aio._twin import signed_as, twin_of
from rowstone.errors import InvalidArgument

DEFAULT_BUFFER_BYTES = 2 << 20
_MOST_BYTES = 1 << 40


@twin_of(_native.BufferedWriter)
class BufferedWriter:
    """Collects puts and deletes and writes them in bulk: when the buffer is full, on `flush` and on `close`.

    Adding to the buffer needs no thread; a `put` that finds it full waits for the write. Each mutation is atomic, the
    buffer as a whole is not. Leaving an ``async with`` block flushes the buffer. After an exception it does so too, and
    adds a note to the exception; with ``transaction=True`` nothing is written then. Several tasks may share one buffer.
    Created by `Table.batch`.
    """

    def __init__(
        self, threads: Threads, table: Callable[[], _native.Table], buffer_bytes: int | None, transaction: bool
    ) -> None:
        if transaction and buffer_bytes is not None:
            raise InvalidArgument("transaction=True keeps everything until the end: pass no buffer_bytes")
        limit = DEFAULT_BUFFER_BYTES if buffer_bytes is None else buffer_bytes
        if not isinstance(limit, int) or not 1 <= limit <= _MOST_BYTES:
            raise InvalidArgument(f"buffer_bytes {buffer_bytes!r} is not a number from 1 to {_MOST_BYTES}")
        self._threads = threads
        self._table = table
        self._limit_bytes = math.inf if transaction else limit
        self._transaction = transaction
        self._writer: _native.BufferedWriter | None = None
        self._creation = threading.Lock()
        self._is_closed = False

    def __repr__(self) -> str:
        state = "closed" if self._is_closed else f"{len(self)} mutations"
        return f"aio.BufferedWriter({state}{', transaction=True' if self._transaction else ''})"

    def _blocking(self) -> _native.BufferedWriter:
        with self._creation:
            if self._writer is None:
                # It never writes on its own, which would block the event loop: see `_add`.
                size = None if self._transaction else _MOST_BYTES
                self._writer = self._table().batch(buffer_bytes=size, transaction=self._transaction)
            return self._writer

    async def _add(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._writer is None and not self._is_closed:
            await self._threads.run(self._blocking)
        # Checked after the wait, because another task may have called `close` meanwhile.
        writer = self._writer
        if self._is_closed or writer is None:
            raise InvalidArgument("the writer is closed; call table.batch() for a new one")
        getattr(writer, name)(*args, **kwargs)
        if writer._buffered_bytes >= self._limit_bytes:
            await self._threads.run(writer.flush)

    @signed_as(_native.BufferedWriter.put)
    async def put(self, *args: Any, **kwargs: Any) -> None:
        await self._add("put", args, kwargs)

    @signed_as(_native.BufferedWriter.delete)
    async def delete(self, *args: Any, **kwargs: Any) -> None:
        await self._add("delete", args, kwargs)

    @signed_as(_native.BufferedWriter.mutate)
    async def mutate(self, *args: Any, **kwargs: Any) -> None:
        await self._add("mutate", args, kwargs)

    def _is_over(self, writer: _native.BufferedWriter) -> bool:
        """Whether the database was closed, which ended its threads, and nothing is left to write."""
        return self._threads.closed and not len(writer)

    async def flush(self) -> None:
        """Write the buffer now.

        Raises the error of the first mutation that failed, with ``.failures``, a list of (row key, error); the other
        mutations were applied.
        """
        if self._writer is not None and not self._is_over(self._writer):
            await self._threads.run(self._writer.flush)

    async def close(self) -> None:
        """Flush, and accept no more mutations. A second call does nothing."""
        self._is_closed = True
        if self._writer is not None and not self._is_over(self._writer):
            await self._threads.run(self._writer.close)

    def __len__(self) -> int:
        return 0 if self._writer is None else len(self._writer)

    def __bool__(self) -> bool:
        return True

    async def __aenter__(self) -> "BufferedWriter":
        await self._threads.run(self._blocking)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closed = True
        if self._writer is not None and not self._is_over(self._writer):
            await self._threads.run(self._writer.__exit__, kind, error, trace)
