"""Splits in processes of this machine, which may die.

Example:
    >>> from rowstone.jobs import Processes
    >>> sorted(Processes(2).run(len, ["a", "bb"]))
    [1, 2]
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

from rowstone.jobs.executors._executor import Result, Split

MOST_DEATHS = 3


class Processes:
    """Processes started for the job. When one dies, all are restarted with the unfinished splits.

    `BrokenProcessPool` is raised if that happens four times without a finished split in between. Scripts need
    ``if __name__ == "__main__":``, as with all processes that are not forked.
    """

    stopped: threading.Event | None = None

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yield results as they arrive."""
        waiting = dict(enumerate(splits))
        deaths = 0
        while waiting:
            done = 0
            for number, result in self._run_once(function, waiting):
                del waiting[number]
                done += 1
                yield result
            deaths = 0 if done else deaths + 1
            if waiting and deaths > MOST_DEATHS:
                raise BrokenProcessPool(
                    f"processes died {deaths} times at one of {len(waiting)} splits: {splits[min(waiting)]}"
                )

    def _run_once(self, function: Callable[[Split], Result], waiting: dict[int, Split]) -> Iterator[tuple[int, Result]]:
        """Yield results until a process dies."""
        pool = futures.ProcessPoolExecutor(
            min(self._workers, len(waiting)), multiprocessing.get_context("spawn"), initializer=_begin
        )
        running: dict[futures.Future[Result], int] = {}
        try:
            with suppress(BrokenProcessPool):
                for number, split in waiting.items():
                    running[pool.submit(function, split)] = number
            for future in futures.as_completed(running):
                if not isinstance(future.exception(), BrokenProcessPool):
                    yield running[future], future.result()
        except BaseException:
            # The rest of their work is not awaited: splits can be interrupted anywhere.
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Initialize a process: the job handles Ctrl-C, and a killed job leaves no process behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
