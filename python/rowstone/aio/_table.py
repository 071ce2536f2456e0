"""Tables for asyncio."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

from rowstone import _native
from rowstone._core import table as blocking
from rowstone._core.database import Database
from rowstone._core.table import RowKey
from rowstone.aio._scanner import Scanner
from rowstone.aio._threads import Threads
from rowstone.aio._twin import signed_as, twin_of
from rowstone.aio._writer import BufferedWriter

_AT_ONCE_IN_A_ROW = 32
"""Number of gets without a thread after which other tasks get a turn."""


class _Rows:
    """Common part of a table and its views: reading by key and in order."""

    get: Callable[..., Any]
    scan: Callable[..., Scanner]
    # Without these, Python would call __getitem__ with 0, 1, 2 and so on without end, and never await it.
    __iter__ = None
    __contains__ = None

    async def __getitem__(self, row: RowKey) -> _native.Row:
        found: _native.Row = await self.get(row)
        if not found:
            raise KeyError(row)
        return found

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with self.scan(cells_per_family=1) as rows:
            async for row in rows:
                yield row.key

    def keys(self) -> AsyncIterator[bytes]:
        """Iterate over the row keys in order. Reads the whole table lazily."""
        return aiter(self)

    async def items(self) -> AsyncIterator[tuple[bytes, _native.Row]]:
        """Iterate over pairs (row key, row) in order. Reads the whole table lazily."""
        async with self.scan() as rows:
            async for row in rows:
                yield row.key, row


@twin_of(blocking.Table)
class Table(_Rows):
    """A table of a `Database`: the methods of `rowstone.Table`, awaited. Created by `Database.table`.

    Creating it does not check whether the table exists; its first use does. ``await t[row]`` and ``async for key in t``
    work. ``t[row] = ...``, ``del t[row]`` and ``row in t`` cannot be awaited and raise `TypeError`: use `put`, `delete`
    and `exists`.
    Properties of `rowstone.Table` that access the store are awaited, too: ``await t.schema``.
    """

    def __init__(self, threads: Threads, database: Database, name: str) -> None:
        self._threads = threads
        self._database = database
        self._name = _native.Admin.canonical_name(name)
        self._table: blocking.Table | None = None
        self._gets_at_once = 0

    def _blocking(self) -> blocking.Table:
        if self._table is None:
            self._table = self._database.table(self._name)
        return self._table

    @property
    def name(self) -> str:
        """The table's name, with its namespace unless that is the default one."""
        return self._name

    @signed_as(blocking.Table.get)
    async def get(self, row: RowKey, columns: Any = None, **options: Any) -> _native.Row:
        # Not with tracing, where the call must become a span.
        if type(self._table) is blocking.Table and not self._threads.closed:
            # A row in memory is read in less time than a thread needs to start.
            found = _native.get_at_once(self._table, row, columns, options)
            if found is not None:
                self._gets_at_once += 1
                if self._gets_at_once % _AT_ONCE_IN_A_ROW == 0:
                    await asyncio.sleep(0)
                return found
        return await self._threads.run(lambda: self._blocking().get(row, columns, **options))

    @signed_as(blocking.Table.scan)
    def scan(self, *args: Any, **kwargs: Any) -> Scanner:
        return Scanner(self._threads, lambda: self._blocking().scan(*args, **kwargs))

    @signed_as(blocking.Table.batch)
    def batch(self, *, buffer_bytes: int | None = None, transaction: bool = False) -> BufferedWriter:
        return BufferedWriter(self._threads, self._blocking, buffer_bytes, transaction)

    @signed_as(blocking.Table.as_of)
    def as_of(self, timestamp: int | datetime) -> "TableView":
        return TableView(self, blocking.instant_of(timestamp))

    def __repr__(self) -> str:
        return f"Table({self._name!r})"


@twin_of(blocking.TableView)
class TableView(_Rows):
    """A read-only view of a table at a point in the past. Created by `Table.as_of`."""

    def __init__(self, table: Table, timestamp: int) -> None:
        self._threads = table._threads
        self._table = table
        self._timestamp = timestamp

    def _blocking(self) -> blocking.TableView:
        return blocking.TableView(self._table._blocking(), self._timestamp)

    @property
    def name(self) -> str:
        """The table's name, with its namespace unless that is the default one."""
        return self._table.name

    @property
    def timestamp(self) -> int:
        """The point in time, in milliseconds; included."""
        return self._timestamp

    @signed_as(blocking.TableView.scan)
    def scan(self, *args: Any, **kwargs: Any) -> Scanner:
        return Scanner(self._threads, lambda: self._blocking().scan(*args, **kwargs))

    def __repr__(self) -> str:
        return f"{self._table!r}.as_of({self._timestamp})"
