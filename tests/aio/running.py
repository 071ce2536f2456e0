"""Running a test's coroutine on an event loop of its own, with a database and a table `t`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

import rowstone as rs
from rowstone.aio._threads import Threads

Test = Callable[[rs.aio.Database, rs.aio.Table], Awaitable[None]]


def with_table(threads: int = 4) -> Callable[[Test], Callable[[], None]]:
    """A test of a database in memory with that many threads."""

    def decorate(test: Test) -> Callable[[], None]:
        @wraps(test)
        def run() -> None:
            asyncio.run(_with_table(test, threads))

        # pytest would take the coroutine's parameters for fixtures.
        del run.__wrapped__  # type: ignore[attr-defined]
        return run

    return decorate


async def _with_table(test: Test, threads: int) -> None:
    async with rs.aio.connect(":memory:", threads=threads) as db:
        await db.create_table("t", {"f": rs.Family(max_versions=3), "g": {}})
        await test(db, db.table("t"))


@asynccontextmanager
async def all_threads_busy(db: rs.aio.Database) -> AsyncIterator[Callable[[], None]]:
    """Every thread of the database waits until the block ends, or the function it gives is called."""
    pool: Threads = db._threads  # type: ignore[attr-defined]
    release = threading.Event()
    count: int = pool._executor._max_workers
    begun = threading.Semaphore(0)

    def wait() -> None:
        begun.release()
        release.wait()

    busy: list[Future[Any]] = [pool.submit(wait) for _ in range(count)]
    for _ in range(count):
        begun.acquire()
    try:
        yield release.set
    finally:
        release.set()
        await asyncio.gather(*map(asyncio.wrap_future, busy))
