"""The protocol of executors, and those of this process.

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

    ``stopped`` is set when no more is wanted; None where splits do not see this process's memory: then function, splits
    and results are pickled, and each split connects to the database for itself.

    A split may run twice, also at the same time: on a worker that was given up and is not dead. Jobs allow that.
    """

    @property
    def stopped(self) -> threading.Event | None: ...

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterable[Result]:
        """One result of each split, as they come.

        What the function raises is raised, and not tried again; other splits then end soon. A split whose worker died
        runs again, a few times.
        """


class Stopped(Exception):
    """Another split failed, or nobody waits any more."""


def check(stopped: threading.Event | None) -> None:
    """Raises `Stopped` where the event is set."""
    if stopped is not None and stopped.is_set():
        raise Stopped


class InProcess:
    """One split after the other, in the thread of the caller."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """The results, in order."""
        return map(function, splits)


class Threads:
    """A number of threads of this process: splits wait for the disk or the network beside each other."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self.stopped = threading.Event()

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """The results, as they come."""
        with futures.ThreadPoolExecutor(self._workers, "rowstone-job") as pool:
            yield from results_of([pool.submit(function, split) for split in splits], self.stopped)


class Futures:
    """An executor of `concurrent.futures`, or what has its ``submit``.

    Whether splits of dead workers run again is its affair; Python's own processes give up.
    """

    def __init__(self, executor: Any) -> None:
        self._executor = executor
        shares_memory = isinstance(executor, futures.ThreadPoolExecutor)
        self.stopped = threading.Event() if shares_memory else None

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """The results, as they come."""
        return results_of([self._executor.submit(function, split) for split in splits], self.stopped)


def results_of(running: "list[futures.Future[Any]]", stopped: threading.Event | None) -> Iterator[Any]:
    """The results as they come; where that ends early, the others are told to stop."""
    try:
        for done in futures.as_completed(running):
            yield done.result()
    except BaseException:
        if stopped is not None:
            stopped.set()
        for future in running:
            future.cancel()
        raise
