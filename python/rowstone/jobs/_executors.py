"""Where the parts of a job run: here one after the other, in threads, or wherever futures are.

Example:
    >>> from rowstone.jobs import Threads
    >>> sorted(Threads(2).run(len, ["a", "bb"]))
    [1, 2]
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from typing import Any, Protocol, TypeVar

_Split = TypeVar("_Split")
_Result = TypeVar("_Result")


class Executor(Protocol):
    """Runs a function on each split.

    ``stopped`` is set when no more is wanted; None where splits do not see this process's memory: then function, splits
    and results are pickled, and each split opens the database for itself, to look.
    """

    @property
    def stopped(self) -> threading.Event | None: ...

    def run(self, function: Callable[[_Split], _Result], splits: Sequence[_Split]) -> Iterable[_Result]:
        """The results, as they come. Raises what the function raises; other splits then end soon."""


class InProcess:
    """One split after the other, in the thread of the caller."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def run(self, function: Callable[[_Split], _Result], splits: Sequence[_Split]) -> Iterator[_Result]:
        """The results, in order."""
        return map(function, splits)


class Futures:
    """An executor of `concurrent.futures`, or what has its ``submit``: processes, Dask's ``client.get_executor()``."""

    def __init__(self, executor: Any) -> None:
        self._executor = executor
        shares_memory = isinstance(executor, futures.ThreadPoolExecutor)
        self.stopped = threading.Event() if shares_memory else None

    def run(self, function: Callable[[_Split], _Result], splits: Sequence[_Split]) -> Iterator[_Result]:
        """The results, as they come."""
        return _results([self._executor.submit(function, split) for split in splits], self.stopped)


class Threads:
    """A number of threads of this process: splits wait for the disk or the network beside each other."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self.stopped = threading.Event()

    def run(self, function: Callable[[_Split], _Result], splits: Sequence[_Split]) -> Iterator[_Result]:
        """The results, as they come."""
        with futures.ThreadPoolExecutor(self._workers, "rowstone-job") as pool:
            yield from _results([pool.submit(function, split) for split in splits], self.stopped)


def _results(running: "list[futures.Future[Any]]", stopped: threading.Event | None) -> Iterator[Any]:
    try:
        for done in futures.as_completed(running):
            yield done.result()
    except BaseException:
        if stopped is not None:
            stopped.set()
        for future in running:
            future.cancel()
        raise


def executor_of(executor: Executor | None, workers: int) -> Executor:
    """The executor that was given, else one of ``workers`` threads, or none for 1."""
    if executor is not None:
        return executor
    return Threads(workers) if workers > 1 else InProcess()


class Stopped(Exception):
    """Another split failed, or nobody waits any more."""


def check(stopped: threading.Event | None) -> None:
    """Raises `Stopped` where the event is set."""
    if stopped is not None and stopped.is_set():
        raise Stopped
