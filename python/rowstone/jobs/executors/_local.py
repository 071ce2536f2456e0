"""Splits in this process: one after the other, or in threads.

Example:
    >>> from rowstone.jobs import Threads
    >>> sorted(Threads(2).run(len, ["a", "bb"]))
    [1, 2]
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures

from rowstone.jobs.executors._executor import Result, Split
from rowstone.jobs.executors._futures import results_of


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
