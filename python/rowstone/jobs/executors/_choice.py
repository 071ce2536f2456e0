"""Selection of an executor. Libraries are recognized by name; none is imported that the caller did not import."""

import os
from concurrent import futures
from types import ModuleType
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone._base.options import check_number
from rowstone.errors import InvalidType
from rowstone.jobs.executors._clusters import Dask, Ray
from rowstone.jobs.executors._executor import Executor, Futures, InProcess, Threads
from rowstone.jobs.executors._processes import Processes

ExecutorArgument = Any
"""``"threads"``, ``"processes"``; a ``distributed.Client`` of Dask; the module ``ray``, ``"ray"``, or ``"ray://…"``; an
executor of `concurrent.futures`; or an `Executor`."""


def executor_of(executor: ExecutorArgument, workers: int) -> Executor:
    """Select the executor for an argument; without one, threads of this process, or none for one worker.

    ``workers`` is the number of "threads" or "processes"; 1 means one per CPU.

    Raises:
        InvalidType: The argument is not an executor, or no number. InvalidArgument: Fewer than one worker.
    """
    check_number("workers", workers)
    if executor is None:
        return Threads(workers) if workers > 1 else InProcess()
    if isinstance(executor, str):
        return _create_named(executor, workers if workers > 1 else os.cpu_count() or 1)
    if isinstance(executor, ModuleType) and executor.__name__ == "ray":
        return Ray()
    if isinstance(executor, futures.Executor):
        return Futures(executor)
    if any(kind.__name__ == "Client" and kind.__module__.startswith("distributed.") for kind in type(executor).__mro__):
        return Dask(executor)
    if hasattr(executor, "run") and hasattr(executor, "stopped"):
        given: Executor = executor
        return given
    raise _refusal(repr(executor))


def _create_named(name: str, workers: int) -> Executor:
    if name == "threads":
        return Threads(workers)
    if name == "processes":
        return Processes(workers)
    if name == "ray" or name.startswith("ray://"):
        return Ray(None if name == "ray" else name)
    if name == "dask":
        import_optional("distributed", "the executor 'dask'", "dask")
        raise InvalidType("executor 'dask' names no cluster: pass a distributed.Client")
    raise _refusal(repr(name))


def _refusal(given: str) -> InvalidType:
    return InvalidType(
        f"executor {given} is unknown: there are 'threads', 'processes', a Dask client, 'ray', 'ray://host:port', "
        "executors of concurrent.futures, and what has the methods of jobs.Executor"
    )
