"""Splits on the workers of a Dask cluster."""

import threading
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.jobs.executors._executor import Result, Split


class Dask:
    """The workers of a ``distributed.Client``. A split whose worker died runs on another one; after four such deaths
    ``distributed.KilledWorker`` is raised (Dask's setting ``distributed.scheduler.allowed-failures``)."""

    stopped: threading.Event | None = None

    def __init__(self, client: Any) -> None:
        if client.asynchronous:
            raise InvalidArgument("a job waits for its splits: pass a Dask client that is not asynchronous")
        self._client = client

    def run(self, function: Callable[[Split], Result], splits: Sequence[Split]) -> Iterator[Result]:
        """Yields results as they arrive."""
        # Every call runs, even if one with the same arguments ran before.
        running = self._client.map(function, list(splits), pure=False, retries=0)
        try:
            for future in import_module("distributed").as_completed(running):
                yield future.result()
        except BaseException:
            self._client.cancel(running, force=True)
            raise
