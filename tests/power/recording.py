"""The log of a recorded disk, and the possible contents of the disk after a power cut at any point of it.

A disk has a cache: what was written before the last flush is there; of what was written since, any part may be, in
sectors or in pages, and a later write may be there without an earlier one.
"""

from __future__ import annotations

import os
import random
import shutil
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.power.disk import EVENT, FLUSH

SECTOR_BYTES, PAGE_BYTES = 512, 4096


@dataclass(frozen=True, slots=True)
class Event:
    """A write or a flush (`size` is ``None``)."""

    time: int
    offset: int
    size: int | None
    position: int
    """Offset of its bytes in the log."""


@dataclass(frozen=True)
class Survivors:
    """Selection of the writes since the last flush that are on the disk after a power cut."""

    name: str
    unit_bytes: int
    share: float
    """Probability for each unit of a write; 0 and 1 need no random number."""
    begins_with_all: bool = False
    """Whether everything is there up to a random write, and nothing after it."""


NOTHING = Survivors("what was flushed", PAGE_BYTES, 0.0)
KINDS = [
    NOTHING,
    Survivors("all", PAGE_BYTES, 1.0),
    Survivors("a first part", PAGE_BYTES, 1.0, begins_with_all=True),
    Survivors("half of the pages", PAGE_BYTES, 0.5),
    Survivors("half of the sectors", SECTOR_BYTES, 0.5),
    Survivors("most pages", PAGE_BYTES, 0.9),
    Survivors("few sectors", SECTOR_BYTES, 0.1),
]


class Recording:
    """A log that is complete."""

    def __init__(self, log: Path) -> None:
        self._log = os.open(log, os.O_RDONLY)
        self.events = list(self._read(os.fstat(self._log).st_size))
        self.times = [event.time for event in self.events]

    def close(self) -> None:
        os.close(self._log)

    def _read(self, length: int) -> Iterator[Event]:
        at = 0
        while at < length:
            time, offset, size = EVENT.unpack(os.pread(self._log, EVENT.size, at))
            at += EVENT.size
            yield Event(time, offset, None if size == FLUSH else size, at)
            at += 0 if size == FLUSH else size

    def first_after(self, time: int) -> int:
        """The index of the first event after a time."""
        return bisect_right(self.times, time)

    def apply(self, image: int, event: Event, survivors: Survivors, dice: random.Random) -> None:
        """Writes what survives of an event into an image."""
        if event.size is None or survivors.share == 0:
            return
        data = os.pread(self._log, event.size, event.position)
        if survivors.share == 1:
            os.pwrite(image, data, event.offset)
            return
        for start in range(0, event.size, survivors.unit_bytes):
            if dice.random() < survivors.share:
                os.pwrite(image, data[start : start + survivors.unit_bytes], event.offset + start)


class Images:
    """Builds the images of a recording in order, each at a later point than the previous one."""

    def __init__(self, recording: Recording, folder: Path, size: int) -> None:
        self._recording = recording
        self._flushed, self.image = folder / "flushed", folder / "image"
        self._next = 0
        with self._flushed.open("wb") as file:
            file.truncate(size)

    def build(self, end: int, survivors: Survivors, dice: random.Random) -> int:
        """Build the image of a power cut after the first `end` events; return how many of them are not flushed."""
        events = self._recording.events
        last_flush = max((index for index in range(self._next, end) if events[index].size is None), default=None)
        if last_flush is not None:
            flushed = os.open(self._flushed, os.O_WRONLY)
            for event in events[self._next : last_flush]:
                self._recording.apply(flushed, event, KINDS[1], dice)
            os.close(flushed)
            self._next = last_flush + 1
        copy_sparse(self._flushed, self.image)
        loose = events[self._next : end]
        kept = loose[: dice.randint(0, len(loose))] if survivors.begins_with_all else loose
        image = os.open(self.image, os.O_WRONLY)
        for event in kept:
            self._recording.apply(image, event, survivors, dice)
        os.close(image)
        return len(loose)


def copy_sparse(source: Path, target: Path) -> None:
    """Copies a file; where it has holes, the copy has them."""
    target.unlink(missing_ok=True)
    with source.open("rb") as reading, target.open("wb") as writing:
        size = os.fstat(reading.fileno()).st_size
        writing.truncate(size)
        end = 0
        while end < size:
            try:
                start = os.lseek(reading.fileno(), end, os.SEEK_DATA)
            except OSError:
                return
            end = os.lseek(reading.fileno(), start, os.SEEK_HOLE)
            reading.seek(start)
            writing.seek(start)
            while start < end:
                start += os.sendfile(writing.fileno(), reading.fileno(), start, end - start)


def room_for_logs() -> Path | None:
    """A folder in memory with room for recordings: a slow disk of this machine must not slow the recorded one down."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free > 6 << 30 else None
