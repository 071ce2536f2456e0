"""Exclusive claims on splits: only the newest attempt of the newest run may publish.

An abandoned worker that was only slow must not add its files to those of its successor. Neither may a worker that a
failed run left in a queue, and that starts after the job was called again.
"""

import fcntl
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rowstone.jobs.executors import Stopped


class Claim:
    """The right of an attempt to publish, until the next attempt: a file with the run and a random token.

    A `run` is greater than all earlier ones. Raises `Stopped` if a later one has the split.
    """

    def __init__(self, path: Path, run: int) -> None:
        self.token = secrets.token_hex(8)
        self._path = path
        self._content = f"{run} {self.token}"
        # Opened without truncation, which must wait for the lock.
        with self._locked("a+") as file:
            file.seek(0)
            latest, _, _ = file.read().rpartition(" ")
            if int(latest or 0) > run:
                raise Stopped
            file.truncate(0)
            file.write(self._content)
            file.flush()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Prevent other attempts while it is open. Raises `Stopped` if another has begun, or the job is over."""
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
