"""The records of a file in random order, within bounded memory: for keys that grow along the file.

A first pass records the beginnings of blocks of records. Blocks are read in random order, and as many as fit in memory
are mixed. The same seed gives the same order, so a job can resume in the middle.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, islice
from random import Random
from typing import NamedTuple

from rowstone.jobs.files.records import Position, Reader, Record, Refused

_BLOCK_BYTES = 128 << 10
_BLOCK_RECORDS = 1_000
_MIXED_BLOCKS = 64
"""8 MiB, or 64,000 records, are mixed at a time."""


class _Block(NamedTuple):
    start: Position
    records: int


class Shuffled:
    """A reader of the records of ``reader``. A position counts records; its bytes are an estimate."""

    def __init__(self, reader: Reader, seed: int) -> None:
        self._reader = reader
        self._seed = seed
        blocks, self._end = _blocks_of(reader)
        random = Random(seed)
        self._digest = hashlib.sha256(repr((seed, blocks, reader.mark(self._end))).encode()).hexdigest()
        random.shuffle(blocks)
        self._mixes = [blocks[at : at + _MIXED_BLOCKS] for at in range(0, len(blocks), _MIXED_BLOCKS)]
        self._ends = list(accumulate(sum(block.records for block in mix) for mix in self._mixes))

    def total(self) -> int:
        return self._reader.total()

    def mark(self, position: Position) -> str:
        """A digest of the whole file, because any line may be before ``position``."""
        return self._digest

    def records(self, start: Position) -> Iterator[Record | Refused]:
        done = start.line
        first = bisect_right(self._ends, done)
        skipped = done - (self._ends[first - 1] if first else 0)
        for number in range(first, len(self._mixes)):
            for record in self._mixed(number)[skipped:]:
                done += 1
                after = Position(self.total() * done // self._ends[-1], done)
                if isinstance(record, Refused):
                    yield Refused(record.line, record.reason, after, record.raw, record.column, record.value)
                else:
                    yield Record(record.line, record.values, after, record.raw)
            skipped = 0

    def _mixed(self, number: int) -> list[Record | Refused]:
        found: list[Record | Refused] = []
        for block in self._mixes[number]:
            found += islice(self._reader.records(block.start), block.records)
        Random(f"{self._seed} {number}").shuffle(found)
        return found


def _blocks_of(reader: Reader) -> tuple[list[_Block], Position]:
    """The beginnings of blocks with their numbers of records, and the end of the last block."""
    blocks: list[_Block] = []
    start = end = Position()
    count = 0
    for record in reader.records(start):
        end = record.after
        count += 1
        if count == _BLOCK_RECORDS or end.offset - start.offset >= _BLOCK_BYTES:
            blocks.append(_Block(start, count))
            start, count = end, 0
    if count:
        blocks.append(_Block(start, count))
    return blocks, end
