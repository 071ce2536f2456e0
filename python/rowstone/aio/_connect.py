"""Opening a database for asyncio."""

from collections.abc import Generator
from concurrent.futures import Future
from types import TracebackType
from typing import Any

from rowstone._core import connect as _connect
from rowstone._core import database as _database
from rowstone.aio._database import Database
from rowstone.aio._threads import DEFAULT_THREADS, Threads, await_result
from rowstone.aio._twin import signed_as


class Connecting:
    """A database being opened: ``await`` it, or use it with ``async with``, which closes it at the end."""

    def __init__(self, target: Any, threads: int, options: dict[str, Any]) -> None:
        self._target = target
        self._options = options
        self._threads = Threads(threads)
        self._threads.keeps_context = bool(options.get("tracing"))
        self._database: Database | None = None

    async def _open(self) -> Database:
        opening = self._threads.submit(_connect.connect, self._target, **self._options)
        try:
            database = await await_result(opening)
        except BaseException:
            # The opening may still succeed after the cancellation; then close it, since no caller can.
            self._threads.close(lambda: _close_unwanted(opening))
            raise
        self._database = Database(self._threads, database)
        return self._database

    def __await__(self) -> Generator[Any, Any, Database]:
        return self._open().__await__()

    async def __aenter__(self) -> Database:
        return await self._open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._database is not None:
            await self._database.close()


def connect(target: Any, *, threads: int = DEFAULT_THREADS, **options: Any) -> Connecting:
    """Open a database, for ``async with`` or ``await``.

    Args:
        target, options: As for `rowstone.connect`.
        threads: Number of calls that can run at once; others wait.

    Example:
        >>> import asyncio, rowstone as rs
        >>> async def main():
        ...     async with rs.aio.connect(":memory:") as db:
        ...         await db.create_table("t", ["f"])
        ...         return await db.tables()
        >>> asyncio.run(main())
        ['t']
    """
    return Connecting(target, threads, options)


signed_as(_connect.connect, threads=DEFAULT_THREADS)(connect)


def _close_unwanted(opening: "Future[_database.Database]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
