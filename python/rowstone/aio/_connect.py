"""Opening a database for asyncio."""

import os
from collections.abc import Generator
from concurrent.futures import Future
from types import TracebackType
from typing import Any

from rowstone._base.targets import MEMORY
from rowstone._core import connect as _connect
from rowstone._core import database as _database
from rowstone.aio._database import Database
from rowstone.aio._threads import DEFAULT_THREADS, Threads, await_result, wait_for_closing
from rowstone.aio._twin import signed_as
from rowstone.errors import StateError


class Connecting:
    """A database being opened: ``await`` it, or use it with ``async with``, which closes it at the end."""

    def __init__(self, target: Any, threads: int, options: dict[str, Any]) -> None:
        self._target = target
        self._options = options
        self._threads = Threads(threads)
        self._threads.keeps_context = bool(options.get("tracing"))
        self._has_begun = False
        self._database: Database | None = None

    async def _open(self) -> Database:
        if self._has_begun:
            raise StateError("this connect was already awaited; call rs.aio.connect again")
        self._has_begun = True
        self._threads.directory = _written_directory(self._target, self._options)
        if self._threads.directory is not None:
            await wait_for_closing(self._threads.directory)
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

    Waits until earlier databases of this module have released the directory, including those whose `connect` or
    `close` was cancelled.

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


def _written_directory(target: Any, options: dict[str, Any]) -> str | None:
    """Return the real path of the directory that `connect` opens for writing, or None."""
    text = os.fspath(target) if isinstance(target, (str, os.PathLike)) else None
    if not isinstance(text, str) or text == MEMORY or "://" in text or options.get("read_only"):
        return None
    return os.path.realpath(text)


def _close_unwanted(opening: "Future[_database.Database]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
