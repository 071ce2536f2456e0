"""Who works at a split: the newest attempt of the newest run, and no other.

A worker that was given up, and runs on because it was only slow, must not put its files among those of its successor.
Nor may one that a failed run left in a queue, and that begins when the job was already called again.
"""

import fcntl
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rowstone.jobs.executors import Stopped


class Claim:
    """An attempt's right to publish, which the next attempt takes away: a file with the run and a number of its own.

    A `run` is greater than those before it. Raises `Stopped` where a later one has the split.
    """

    def __init__(self, path: Path, run: int) -> None:
        self.token = secrets.token_hex(8)
        self._path = path
        self._content = f"{run} {self.token}"
        # Opened so that nothing is cut off before the lock is held.
        with self._locked("a+") as file:
            file.seek(0)
            latest, _, _ = file.read().rpartition(" ")
            if int(latest or 0) > run:
                raise Stopped
            file.truncate(0)
            file.write(self._content)
            file.flush()

    @contextmanager
    def held(self) -> Iterator[None]:
        """While this is open no other attempt begins. Raises `Stopped` where another has begun, or the job is over."""
        with self._locked("r") as file:
            if file.read() != self._content:
                raise Stopped
            yield

    @contextmanager
    def _locked(self, mode: str) -> Iterator[IO[str]]:
        try:
            file = self._path.open(mode)
        except FileNotFoundError:
            raise Stopped from None
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
