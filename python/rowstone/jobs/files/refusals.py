"""Refused lines: counted and written to a file, or the end of the job."""

import os
from pathlib import Path
from typing import BinaryIO

from rowstone.jobs.files.records import BadInput, Refused

_MOST_KEPT = 10


class Refusals:
    """Handling of refused lines: with ``skip`` they are counted and written to a file, else the first is raised."""

    def __init__(self, source: Path, *, skip: bool, path: Path | None) -> None:
        self._source = source.name
        self._skip = skip
        self._path = path if skip else None
        self._file: BinaryIO | None = None
        self.count = 0
        self.first: list[BadInput] = []

    def open(self, count: int, size_bytes: int) -> None:
        """Continue after ``count`` lines, with which the file had ``size_bytes``. Later lines are written again."""
        self.count = count
        if self._path is not None:
            self._file = self._path.open("r+b" if self._path.exists() else "w+b")
            # The file may have been removed meanwhile.
            self._file.truncate(min(size_bytes, self._path.stat().st_size))
            self._file.seek(0, os.SEEK_END)

    def add(self, refused: Refused) -> None:
        """Handle a refused line. Raises `BadInput` unless lines are skipped."""
        error = BadInput(self._source, refused)
        if not self._skip:
            raise error
        self.count += 1
        if len(self.first) < _MOST_KEPT:
            self.first.append(error)
        if self._file is not None:
            raw = refused.raw or f"{error}\n".encode()
            self._file.write(raw if raw.endswith(b"\n") else raw + b"\n")

    def size_bytes(self) -> int:
        """The current size of the file."""
        if self._file is None:
            return 0
        self._file.flush()
        return self._file.tell()

    def close(self) -> None:
        """Close the file, and remove it if it has no lines."""
        if self._file is not None:
            self._file.close()
            self._file = None
            if self._path is not None and self._path.stat().st_size == 0:
                self._path.unlink()
