"""The protocol of executors, and executors within this process.

Example:
    >>> from rowstone.jobs import Threads
    >>> sorted(Threads(2).run(len, ["a", "bb"]))
    [1, 2]
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from typing import Any, Protocol, TypeVar

Split = TypeVar("Split")
Result = TypeVar("Result")


class Executor(Protocol):
    """Runs a function on each split.

    ``stopped`` is set when no further results are needed. It is None if splits do not share this process's memory. The
    function, the splits and the results are then pickled, and each split connects to the database itself.

    A split may run twice, even concurrently, if an abandoned worker is still alive. Jobs allow that.
    """

    @property
    def stopped(self) -> threading.Event | None: ...

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterable[Result]:
        """Yield one result for each split, as they arrive.

        Exceptions of the function are raised without a retry; other splits then end soon. A split whose worker died
        runs again, a few times.
        """


class Stopped(Exception):
    """Raised in a split if another split failed, or if the caller needs no further results."""


def check(stopped: threading.Event | None) -> None:
    """Raise `Stopped` if the event is set."""
    if stopped is not None and stopped.is_set():
        raise Stopped


class InProcess:
    """Runs splits in sequence, in the thread of the caller."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yield results in order."""
        return map(function, splits)


class Threads:
    """Runs splits in threads of this process, so that their waits for disk and network overlap."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self.stopped = threading.Event()

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yield results as they arrive."""
        with futures.ThreadPoolExecutor(self._workers, "rowstone-job") as pool:
            yield from results_of([pool.submit(function, split) for split in splits], self.stopped)


class Futures:
    """An executor of `concurrent.futures`, or an object with its ``submit``.

    The executor decides whether the splits of a dead worker run again; Python's own process pool raises an error.
    """

    def __init__(self, executor: Any) -> None:
        self._executor = executor
        shares_memory = isinstance(executor, futures.ThreadPoolExecutor)
        self.stopped = threading.Event() if shares_memory else None

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yield results as they arrive."""
        return results_of([self._executor.submit(function, split) for split in splits], self.stopped)


def results_of(running: "list[futures.Future[Any]]", stopped: threading.Event | None) -> Iterator[Any]:
    """Yield results as they arrive. If the iteration ends early, the other splits are stopped."""
    try:
        for done in futures.as_completed(running):
            yield done.result()
    except BaseException:
        if stopped is not None:
            stopped.set()
        for future in running:
            future.cancel()
        raise
