"""Files of lines, read from any line on, with counts of bytes and lines."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from rowstone.jobs.files.records import Position

_MARK_BYTES = 4096
MOST_LINE_BYTES = 64 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Lines:
    """Lines of a file from a position on; `position` is after the last returned line.

    Lines end with a line feed. Lines longer than 64 MiB are returned in pieces, which readers refuse.
    """

    def __init__(self, path: Path, start: Position) -> None:
        self._path = path
        self._start = start
        self.offset = start.offset
        self.line = start.line

    @property
    def position(self) -> Position:
        return Position(self.offset, self.line)

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb", buffering=1 << 20) as file:
            file.seek(self._start.offset)
            while raw := file.readline(MOST_LINE_BYTES):
                self.offset += len(raw)
                self.line += 1
                if self.line == 1:
                    raw = raw.removeprefix(BYTE_ORDER_MARK)
                yield raw


class LineFile:
    """Base of all files of lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def total(self) -> int:
        return self.path.stat().st_size

    def mark(self, position: Position) -> str:
        """A digest of the bytes just before ``position``; later lines may have been corrected."""
        with self.path.open("rb") as file:
            file.seek(max(0, position.offset - _MARK_BYTES))
            return hashlib.sha256(file.read(min(_MARK_BYTES, position.offset))).hexdigest()
