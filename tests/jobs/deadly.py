"""Functions and executors whose workers die, once or always; pickled to them by name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowstone.jobs.executors import Executor


def first_time(marker: Path) -> bool:
    """Whether this is the first call with this marker in any process."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def die() -> None:
    """Die as a process that the kernel kills for using too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class DiesAfter:
    """A split's function whose worker dies when its work is done but not yet reported: the most expensive case to
    repeat."""

    function: Callable[[Any], Any]
    marker: Path

    def __call__(self, work: Any) -> Any:
        result = self.function(work)
        if work.split.number == 1 and first_time(self.marker):
            die()
        return result


@dataclass(frozen=True)
class DiesAlways:
    """A split's function of which no worker comes back."""

    function: Callable[[Any], Any]

    def __call__(self, work: Any) -> Any:
        if work.split.number == 1:
            die()
        return self.function(work)


@dataclass(frozen=True)
class DiesAtValue:
    """A decoder whose worker dies in the middle of a split, at a value that it sees for the first time."""

    value: bytes
    marker: Path

    def __call__(self, data: bytes) -> str:
        if data == self.value and first_time(self.marker):
            die()
        return data.decode()


@dataclass(frozen=True)
class Refuses:
    """A decoder that raises at a value, and notes how often."""

    value: bytes
    calls: Path

    def __call__(self, data: bytes) -> str:
        if data == self.value:
            with self.calls.open("a") as file:
                file.write("called\n")
            raise ValueError("not this one")
        return data.decode()


class Wrapped:
    """An executor that runs something else instead of a split's function."""

    def __init__(self, executor: Executor, wrap: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> None:
        self.stopped = executor.stopped
        self._executor, self._wrap = executor, wrap

    def run(self, function: Callable[[Any], Any], splits: Sequence[Any]) -> Iterable[Any]:
        """Results of the other function."""
        return self._executor.run(self._wrap(function), splits)


def note_and_wait(folder: Path) -> None:
    """Notes this worker in the folder, and works for long."""
    (folder / f"{os.getpid()}").touch()
    time.sleep(600)
