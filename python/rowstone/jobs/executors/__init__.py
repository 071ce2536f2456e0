"""Executors of splits: in sequence, in threads, in processes, on Dask, on Ray."""

from rowstone.jobs.executors._choice import ExecutorArgument, executor_of
from rowstone.jobs.executors._clusters import Dask, Ray
from rowstone.jobs.executors._executor import Executor, Futures, InProcess, Stopped, Threads, check
from rowstone.jobs.executors._processes import Processes

__all__ = [
    "Dask",
    "Executor",
    "ExecutorArgument",
    "Futures",
    "InProcess",
    "Processes",
    "Ray",
    "Stopped",
    "Threads",
    "check",
    "executor_of",
]
