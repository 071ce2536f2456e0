"""Executors of clusters: the workers of Dask, and tasks of Ray."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone.errors import InvalidArgument
from rowstone.jobs.executors._executor import Result, Split

MOST_DEATHS = 3


class Ray:
    """Ray as it was initialized; else the one at ``address``, or on this machine, until the job ends.

    A split whose worker died runs again up to three times, then ``ray.exceptions.WorkerCrashedError`` is raised.
    """

    stopped: threading.Event | None = None

    def __init__(self, address: str | None = None) -> None:
        self._address = address

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yield results as they arrive."""
        ray = import_optional("ray", "this executor", "ray")
        ours = not ray.is_initialized()
        if ours:
            ray.init(self._address, include_dashboard=None if self._address else False)
        try:
            yield from _results(ray, function, splits)
        finally:
            if ours:
                ray.shutdown()


def _results(ray: Any, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Any]:
    task = ray.remote(max_retries=MOST_DEATHS, retry_exceptions=False)(_call)
    running = [task.remote(function, split) for split in splits]
    try:
        while running:
            [done], running = ray.wait(running, num_returns=1)
            try:
                result = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            yield result
    except BaseException:
        for reference in running:
            ray.cancel(reference, force=True)
        raise


def _call(function: Callable[[Split], Result], split: Split) -> Result:
    """A plain function for Ray, which does not accept other callables."""
    return function(split)


class Dask:
    """The workers of a ``distributed.Client``. A split whose worker died runs on another one; after four such deaths
    ``distributed.KilledWorker`` is raised (Dask's setting ``distributed.scheduler.allowed-failures``)."""

    stopped: threading.Event | None = None

    def __init__(self, client: Any) -> None:
        if client.asynchronous:
            raise InvalidArgument("a job waits for its splits: pass a Dask client that is not asynchronous")
        self._client = client

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yield results as they arrive."""
        # Every call runs, even if one with the same arguments ran before.
        running = self._client.map(function, list(splits), pure=False, retries=0)
        try:
            for future in import_optional("distributed", "this executor", "dask").as_completed(running):
                yield future.result()
        except BaseException:
            self._client.cancel(running, force=True)
            raise
