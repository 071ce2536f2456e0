"""Who works at a split: the newest attempt, and no other.

A worker that was given up, and runs on because it was only slow, must not put its files among those of its successor.
"""

import fcntl
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rowstone.jobs.executors import Stopped


class Claim:
    """An attempt's right to publish, which the next attempt takes away. It is a file with a number of its own."""

    def __init__(self, path: Path) -> None:
        self.token = secrets.token_hex(8)
        self._path = path
        # Opened so that nothing is cut off before the lock is held.
        with self._locked("a+") as file:
            file.truncate(0)
            file.write(self.token)
            file.flush()

    @contextmanager
    def held(self) -> Iterator[None]:
        """While this is open no other attempt begins. Raises `Stopped` where another has begun, or the job is over."""
        with self._locked("r") as file:
            if file.read() != self.token:
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
