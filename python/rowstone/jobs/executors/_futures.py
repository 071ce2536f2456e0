"""An executor of futures, as Python's library has them."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from typing import Any

from rowstone.jobs.executors._executor import Result, Split


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
