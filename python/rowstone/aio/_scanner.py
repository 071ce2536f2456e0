"""A scan for ``async for``: rows come in batches, and the next one is fetched while the current one is consumed."""

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.aio._threads import Threads, await_result
from rowstone.aio._twin import signed_as, twin_of
from rowstone.errors import DatabaseClosed, ScannerClosed, StateError

if TYPE_CHECKING:
    from pandas import DataFrame


@twin_of(_native.Scanner)
class Scanner:
    """The rows of a scan, in order, to be read once. Created by `Table.scan`.

    The scan is opened with the first row, or by ``async with``; wrong arguments are reported then. One batch is
    prefetched. If a loop may end early, use ``async with`` or call `close`; a scanner that is garbage-collected also
    releases its resources. A cancelled wait for a row loses no row: the next one continues there.

    Only one task at a time may iterate.
    """

    def __init__(self, threads: Threads, open: Callable[[], _native.Scanner]) -> None:
        self._threads = threads
        self._open = open
        self._scanner: _native.Scanner | None = None
        self._opening = threading.Lock()
        self._rows: Iterator[_native.Row] = iter(())
        self._ahead: Future[list[_native.Row]] | None = None
        self._is_closed = self._has_begun = self._is_awaited = self._is_at_end = False

    def __repr__(self) -> str:
        if self._scanner is None:
            return f"aio.Scanner({'closed' if self._is_closed else 'not opened yet'})"
        return f"aio.{self._scanner!r}"

    def __aiter__(self) -> "Scanner":
        return self

    async def __anext__(self) -> _native.Row:
        row = next(self._rows, None)
        if row is None:
            self._rows = iter(await self._next_batch())
            row = next(self._rows, None)
        if row is None:
            raise StopAsyncIteration
        return row

    async def _next_batch(self) -> list[_native.Row]:
        """Return the prefetched batch and start fetching the one after it; empty at the end."""
        self._check_open()
        if self._is_awaited:
            raise StateError("another task is waiting for the scanner's next row; one at a time may iterate")
        if self._is_at_end:
            return []
        self._has_begun = self._is_awaited = True
        try:
            self._ahead = self._ahead or self._threads.submit(self._fetch)
            rows = await await_result(self._ahead)
        except Exception:
            # The error was reported; the next call fetches again. A cancellation is no Exception: that fetch goes on.
            self._ahead = None
            raise
        finally:
            self._is_awaited = False
        self._is_at_end = not rows
        self._ahead = None if self._is_at_end or self._is_closed else self._threads.submit(self._fetch)
        return rows

    def _fetch(self) -> list[_native.Row]:
        return self._blocking()._next_rows()

    def _blocking(self) -> _native.Scanner:
        with self._opening:
            if self._scanner is None:
                self._check_open()
                self._scanner = self._open()
            return self._scanner

    def _check_open(self) -> None:
        if self._is_closed:
            raise ScannerClosed("the scanner is closed; scan again to read more")

    async def close(self) -> None:
        """End the scan and release its resources. A second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._rows = iter(())
        if self._has_begun or self._scanner is not None:
            # Closed, even if the wait for it is cancelled. Closing the database has ended its scans.
            with suppress(DatabaseClosed):
                await await_result(self._threads.submit(self._close, self._ahead))

    def _close(self, ahead: "Future[list[_native.Row]] | None") -> None:
        if ahead is not None:
            # It was submitted before this call, so a thread is already running it.
            wait([ahead])
        with self._opening:
            if self._scanner is not None:
                self._scanner.close()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    async def __aenter__(self) -> "Scanner":
        self._has_begun = True
        self._ahead = self._ahead or self._threads.submit(self._fetch)
        await await_result(self._ahead)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def pairs(self, column: str | bytes | tuple[str | bytes, str | bytes]) -> AsyncIterator[tuple[bytes, bytes]]:
        """Iterate over pairs (row key, newest value of ``column``), skipping rows without it."""
        async for row in self:
            value = row.get(column)
            if value is not None:
                yield row.key, value

    async def to_columns(self) -> tuple[list[bytes], dict[bytes, list[bytes | None]]]:
        """Return the scan as (row keys, {column: values}), with `None` for missing columns; instead of iterating."""
        columns: tuple[list[bytes], dict[bytes, list[bytes | None]]] = await self._whole(_native.Scanner.to_columns)
        return columns

    @signed_as(_native.Scanner.pandas)
    async def pandas(self, **options: Any) -> "DataFrame":
        """Return the scan as a pandas DataFrame, a line per row and a column per column; instead of iterating."""
        frame: DataFrame = await self._whole(_native.Scanner.pandas, **options)
        return frame

    @signed_as(_native.Scanner.arrow)
    async def arrow(self, *args: Any, **options: Any) -> _native.ArrowStream:
        """Return the scan as an Arrow stream; instead of iterating. Reading it blocks: do that in another thread."""
        stream: _native.ArrowStream = await self._whole(_native.Scanner.arrow, *args, **options)
        return stream

    @signed_as(_native.Scanner.polars)
    async def polars(self, *args: Any, **options: Any) -> Any:
        """Return the scan as a polars DataFrame; instead of iterating."""
        return await self._whole(_native.Scanner.polars, *args, **options)

    @signed_as(_native.Scanner.duckdb)
    async def duckdb(self, *args: Any, **options: Any) -> Any:
        """Return a DuckDB relation of the scan; instead of iterating. Its queries block: run them in a thread."""
        return await self._whole(_native.Scanner.duckdb, *args, **options)

    @signed_as(_native.Scanner.to_parquet)
    async def to_parquet(self, *args: Any, **options: Any) -> int:
        """Write the scan to a Parquet file and return the number of records; instead of iterating."""
        written: int = await self._whole(_native.Scanner.to_parquet, *args, **options)
        return written

    async def _whole(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        if self._has_begun or self._is_closed:
            raise StateError("the scan has begun; ask a new one for all of its rows at once")
        self._has_begun = self._is_awaited = True
        try:
            # By name, because a database with tracing has scanners of another class with the same methods.
            return await self._threads.run(lambda: getattr(self._blocking(), function.__name__)(*args, **options))
        finally:
            self._is_awaited = False
