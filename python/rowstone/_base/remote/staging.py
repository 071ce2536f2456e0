"""Staging: the directory with the hard-linked copy of a database, for the time of its upload."""

from __future__ import annotations

import glob
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_LOCK = "UPLOAD"


@contextmanager
def staging(database: str | None) -> Iterator[Path]:
    """Yield the path of a new directory next to the database; for None, one for temporary files. Removed at the end.

    What a killed process left there is removed first.
    """
    if database is None:
        folder = Path(tempfile.mkdtemp(prefix="rowstone-upload-"))
    else:
        place = Path(database).resolve()
        _remove_left(place)
        folder = place.with_name(f"{place.name}.upload-{secrets.token_hex(4)}")
        folder.mkdir()
    try:
        with (folder / _LOCK).open("w") as lock:
            _lock(lock)
            yield folder / "copy"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left(database: Path) -> None:
    """Remove directories that no process has locked."""
    for folder in database.parent.glob(f"{glob.escape(database.name)}.upload-*"):
        with suppress(OSError), (folder / _LOCK).open("r+") as lock:
            if _lock(lock):
                shutil.rmtree(folder)


def _lock(file: IO[str]) -> bool:
    """Lock a file until it is closed. False without locks, or if another process has locked it."""
    if os.name == "nt":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
