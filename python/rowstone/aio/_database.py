"""Databases for asyncio, and their administration."""

from collections.abc import Iterable
from types import TracebackType

from rowstone._admin import admin as _admin
from rowstone._base.configuration import Configuration
from rowstone._core import database as _database
from rowstone.aio._table import Table
from rowstone.aio._threads import Threads, settled
from rowstone.aio._twin import twin_of
from rowstone.coprocessors._registry import Coprocessors


@twin_of(_admin.Admin)
class Admin:
    """Schema, maintenance, statistics; the methods of `rowstone.Admin`, awaited. Made by `Database.admin`."""

    def __init__(self, threads: Threads, admin: _admin.Admin) -> None:
        self._threads = threads
        self._admin = admin

    def _blocking(self) -> _admin.Admin:
        return self._admin


@twin_of(_database.Database)
class Database:
    """Tables in a directory or in memory; made by `connect`. Use it with ``async with``, or call `close`.

    Its blocking calls run on threads of its own. It belongs to no event loop.
    """

    def __init__(self, threads: Threads, database: _database.Database) -> None:
        self._threads = threads
        self._database = database
        self._admin = Admin(threads, database.admin)

    def _blocking(self) -> _database.Database:
        return self._database

    @property
    def path(self) -> str:
        """What was opened: the path as given, or ``":memory:"``."""
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
        """Every setting with its value and where that came from."""
        return self._database.configuration

    @property
    def admin(self) -> Admin:
        """Schema, maintenance, statistics."""
        return self._admin

    @property
    def coprocessors(self) -> Coprocessors:
        """The observers of tables and of the schema: those of the database beneath. Their hooks run on its threads."""
        return self._database.coprocessors

    def table(self, name: str) -> Table:
        """The table of that name, ``"name"`` or ``"namespace:name"``. Whether there is one shows with its first use."""
        return Table(self._threads, self._database, name)

    async def as_user(self, user: str, groups: Iterable[str] = ()) -> "Database":
        """The database as ``user`` may use it, on the same threads; see `rowstone.Database.as_user`."""
        view = await self._threads.run(self._database.as_user, user, groups)
        return self if view is self._database else Database(self._threads, view)

    async def close(self) -> None:
        """Finishes what was called before, syncs the log and gives the directory free. A second call does nothing."""
        if self._threads.closed or not self._threads.is_ours or self._database._owner is not None:
            return
        await settled(self._threads.close(self._database.close))

    async def __aenter__(self) -> "Database":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"aio.{self._database!r}"
