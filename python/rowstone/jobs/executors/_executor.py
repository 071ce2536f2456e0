"""What an executor is, and how a split hears that no more is wanted."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

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
