"""The threads on which a database's blocking calls run, and how they are awaited."""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from rowstone.errors import DatabaseClosed, ForkedHandle, InvalidArgument

_Result = TypeVar("_Result")

DEFAULT_THREADS = 8
MOST_THREADS = 1024


class Threads:
    """At most so many threads, started when they are needed. Calls wait for a free one in the order they came.

    They belong to no event loop: calls may come from several, one after another or at once.
    """

    def __init__(self, count: int) -> None:
        if not isinstance(count, int) or not 1 <= count <= MOST_THREADS:
            raise InvalidArgument(f"threads {count!r} is not a number from 1 to {MOST_THREADS}")
        self._executor = ThreadPoolExecutor(count, thread_name_prefix="rowstone-aio")
        self._process = os.getpid()
        self._is_closed = False
        self.keeps_context = False
        """Whether calls are made in the context of who awaits them: by it spans of OpenTelemetry belong together."""

    async def run(self, function: Callable[..., _Result], *args: Any, **kwargs: Any) -> _Result:
        """What ``function`` returns or raises, run on one of the threads.

        When the awaiting task is cancelled, a call that has not begun never begins; one that runs goes on to its end,
        and nobody hears how it ended.
        """
        return await asyncio.wrap_future(self.submit(function, *args, **kwargs))

    def submit(self, function: Callable[..., _Result], *args: Any, **kwargs: Any) -> "Future[_Result]":
        """The same, to be awaited later.

        Raises:
            DatabaseClosed: `close` was called. ForkedHandle: The threads stayed behind in the parent process.
        """
        if not self.is_ours:
            raise ForkedHandle("the database was opened before a fork; connect again in the child")
        if self._is_closed:
            raise DatabaseClosed("the database is closed")
        if self.keeps_context:
            return self._executor.submit(contextvars.copy_context().run, function, *args, **kwargs)
        return self._executor.submit(function, *args, **kwargs)

    @property
    def is_ours(self) -> bool:
        """Whether this process has them; the child of a fork does not."""
        return os.getpid() == self._process

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    def close(self, last: Callable[[], None]) -> "Future[None]":
        """Takes no more calls, and runs ``last`` once all that came before are done. Does not wait."""
        self._is_closed = True
        closing: Future[None] = Future()

        def finish() -> None:
            self._executor.shutdown(wait=True)
            try:
                last()
                closing.set_result(None)
            except BaseException as error:
                closing.set_exception(error)

        threading.Thread(target=finish, name="rowstone-aio-close").start()
        return closing


async def settled(future: "Future[_Result]") -> _Result:
    """What ``future`` holds in the end. Cancelling the awaiting task leaves it as it is, to be awaited again."""
    waiting = asyncio.wrap_future(future)
    # One that nobody awaits any more must not be reported as a forgotten error.
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(waiting)
