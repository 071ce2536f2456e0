"""Functions that run in tasks: they fail, die or wait once. Workers import them by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.jobs.deadly import die, first_time

AT = "r00060"
"""The row at which it happens: within the second region of four."""


def at_row(happens: Callable[[], None], folder: str) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A function of record batches that calls ``happens`` once, after it has passed on half of a task's rows."""

    def pass_on(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            keys = batch.column("row").to_pylist()
            place = keys.index(AT) if AT in keys else None
            if place is None:
                yield batch
                continue
            yield batch.slice(0, place)
            if first_time(Path(folder) / "happened"):
                happens()
            yield batch.slice(place)

    return pass_on


def fail() -> None:
    """Raise an error."""
    raise RuntimeError("half of the rows are written")


def kill() -> None:
    """Die after what was passed on has been consumed."""
    time.sleep(0.5)
    die()


def wait_for(file: str) -> Callable[[], None]:
    """A function that says that it waits, and returns when the file exists."""

    def wait() -> None:
        Path(f"{file}.waits").touch()
        end = time.monotonic() + 60
        while not Path(file).exists() and time.monotonic() < end:
            time.sleep(0.02)

    return wait
