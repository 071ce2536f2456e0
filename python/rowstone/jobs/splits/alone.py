"""A lock on the folder of a job's progress: two runs of a job would remove each other's files."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rowstone.errors import ExistsError


@contextmanager
def alone(folder: Path, job: str) -> Iterator[None]:
    """Prevent other runs of a job with this folder, in all processes of this machine.

    The lock is that of the folder itself, so it leaves no file, and it ends with the process. File systems without such
    locks give no protection.

    Raises:
        ExistsError: Another run is active, or has ended and removed the folder since it was found.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ExistsError(f"{job} is running already: wait until it ends, or choose another name") from None
        if not folder.exists() or not os.path.samestat(os.fstat(descriptor), folder.stat()):
            raise ExistsError(f"{job} ended meanwhile: see its result, or choose another name")
        yield
    finally:
        os.close(descriptor)
