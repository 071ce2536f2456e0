"""Databases for asyncio."""

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from rowstone._base.configuration import Configuration
from rowstone._core import database as _database
from rowstone.aio._admin import Admin
from rowstone.aio._index import Index
from rowstone.aio._table import Table
from rowstone.aio._threads import Threads, await_result
from rowstone.aio._twin import signed_as, twin_of
from rowstone.coprocessors._registry import Coprocessors


@twin_of(_database.Database)
class Database:
    """Tables in a directory, in memory or on a cluster. Created by `connect`; use ``async with``, or call `close`.

    Its blocking calls run on threads of its own. It is not bound to an event loop.
    """

    def __init__(self, threads: Threads, database: _database.Database) -> None:
        self._threads = threads
        self._database = database
        self._admin = Admin(threads, database.admin)

    def _blocking(self) -> _database.Database:
        return self._database

    @property
    def path(self) -> str:
        """The path as given to `connect`, or ``":memory:"``."""
        return self._database.path

    @property
    def read_only(self) -> bool:
        """Whether it was opened with ``read_only=True``."""
        return self._database.read_only

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._threads.closed

    @property
    def configuration(self) -> Configuration:
        """Every setting with its value and its source."""
        return self._database.configuration

    @property
    def admin(self) -> Admin:
        """Administration: schema, maintenance, statistics."""
        return self._admin

    @property
    def coprocessors(self) -> Coprocessors:
        """The observers of tables and of schema changes: those of the underlying database. Hooks run on its threads."""
        return self._database.coprocessors

    def table(self, name: str) -> Table:
        """Return a table by name: ``"name"`` or ``"namespace:name"``. Its first use reports whether it exists."""
        return Table(self._threads, self._database, name)

    @signed_as(_database.Database.create_index)
    async def create_index(self, *args: Any, **options: Any) -> Index:
        return Index(self._threads, await self._threads.run(self._database.create_index, *args, **options))

    @signed_as(_database.Database.index)
    async def index(self, *args: Any, **options: Any) -> Index:
        return Index(self._threads, await self._threads.run(self._database.index, *args, **options))

    @signed_as(_database.Database.indexes)
    async def indexes(self, *args: Any, **options: Any) -> list[Index]:
        found = await self._threads.run(self._database.indexes, *args, **options)
        return [Index(self._threads, index) for index in found]

    async def as_user(self, user: str, groups: Iterable[str] = ()) -> "Database":
        """Return the database as seen by ``user``, on the same threads; see `rowstone.Database.as_user`."""
        view = await self._threads.run(self._database.as_user, user, groups)
        return self if view is self._database else Database(self._threads, view)

    async def close(self) -> None:
        """Finish earlier calls, sync the log and release the directory. A second call waits for the first."""
        if not self._threads.is_ours or self._database._owner is not None:
            return
        await await_result(self._threads.close(self._database.close))

    async def __aenter__(self) -> "Database":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"aio.{self._database!r}"
