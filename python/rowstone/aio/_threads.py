"""Thread pool for a database's blocking calls, and a function to await their results."""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from rowstone.errors import DatabaseClosed, ForkedHandle, InvalidArgument

_Result = TypeVar("_Result")

DEFAULT_THREADS = 8
MOST_THREADS = 1024

_closing: "dict[Future[None], str]" = {}
"""Unfinished closes, with the directories that they release."""
if hasattr(os, "register_at_fork"):
    # The child has no threads that would finish them.
    os.register_at_fork(after_in_child=_closing.clear)


class Threads:
    """A pool of at most ``count`` threads, started on demand. Calls wait for a free thread in the order of arrival.

    It is not bound to an event loop: calls may come from several loops, one after another or at once.
    """

    def __init__(self, count: int) -> None:
        if not isinstance(count, int) or not 1 <= count <= MOST_THREADS:
            raise InvalidArgument(f"threads {count!r} is not a number from 1 to {MOST_THREADS}")
        self._executor = ThreadPoolExecutor(count, thread_name_prefix="rowstone-aio")
        self._process = os.getpid()
        self._closing: Future[None] | None = None
        self._submission = threading.Lock()
        self.directory: str | None = None
        """The real path of the directory that the database has open for writing, if it has one."""
        self.keeps_context = False
        """Whether calls run in the context of the awaiting task, which links OpenTelemetry spans to their parents."""

    async def run(self, function: Callable[..., _Result], *args: Any, **kwargs: Any) -> _Result:
        """Run ``function`` on one of the threads and return its result or raise its exception.

        If the awaiting task is cancelled, a call that has not started never starts; one that runs continues to its end,
        and its result is discarded.
        """
        return await asyncio.wrap_future(self.submit(function, *args, **kwargs))

    def submit(self, function: Callable[..., _Result], *args: Any, **kwargs: Any) -> "Future[_Result]":
        """Submit a call of ``function`` to the threads and return its future.

        Raises:
            DatabaseClosed: `close` was called. ForkedHandle: The threads belong to the parent process.
        """
        if not self.is_ours:
            raise ForkedHandle("the database was opened before a fork; connect again in the child")
        with self._submission:
            if self._closing is not None:
                raise DatabaseClosed("the database is closed")
            if self.keeps_context:
                return self._executor.submit(contextvars.copy_context().run, function, *args, **kwargs)
            return self._executor.submit(function, *args, **kwargs)

    @property
    def is_ours(self) -> bool:
        """Whether the threads belong to this process; false in the child of a fork."""
        return os.getpid() == self._process

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closing is not None

    def close(self, last: Callable[[], None]) -> "Future[None]":
        """Accept no more calls, and run ``last`` when all earlier calls are done. Does not wait.

        Later calls return the future of the first.
        """
        with self._submission:
            if self._closing is not None:
                return self._closing
            closing: Future[None] = Future()
            self._closing = closing
        if self.directory is not None:
            _closing[closing] = self.directory
            closing.add_done_callback(_closing.pop)

        def finish() -> None:
            self._executor.shutdown(wait=True)
            try:
                last()
                closing.set_result(None)
            except BaseException as error:
                closing.set_exception(error)

        threading.Thread(target=finish, name="rowstone-aio-close").start()
        return closing


async def await_result(future: "Future[_Result]") -> _Result:
    """Return the result of ``future``. Cancelling the awaiting task leaves the future unaffected."""
    waiting = asyncio.wrap_future(future)
    # A future that is no longer awaited must not be reported as a forgotten error.
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(waiting)


async def wait_for_closing(directory: str) -> None:
    """Wait until this process has no unfinished close of ``directory``. The callers of `close` get its errors."""
    while pending := [closing for closing, released in list(_closing.items()) if released == directory]:
        with suppress(Exception):
            await await_result(pending[0])
