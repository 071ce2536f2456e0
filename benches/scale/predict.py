"""Predict the files, written bytes and index of a table, even if it would not fit on this machine's disk.

    python -m benches.scale.predict --cells 1e7,1e8,1e9,1e10,1e11

Cells are loaded in random order and at a constant rate, as by `benches.scale`. The simulator has the engine's rules for
flushes, compactions, splits and the number of logs. In it, flushes and compactions take no time.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass, field
from pathlib import Path

from benches import report
from benches.scale.data import CELL_BYTES, COLUMNS
from benches.scale.stores import CACHE_BYTES, MEMSTORE_BYTES

MEMORY_BYTES, LOG_BYTES, FILE_BYTES = 70, 57, 23
"""Bytes of a cell of `benches.scale.data` in a memstore, in the log, and in a file with FAST_DIFF."""
CELLS_PER_SECOND = 1_000_000
"""The rate of the measured loads; each was between 0.9 and 1.4 million."""
MEGABYTE, GIGABYTE = 1 << 20, 1 << 30
FLUSH_BYTES = 128 * MEGABYTE
SPLIT_BYTES = 10 * GIGABYTE
"""``hbase.hregion.max.filesize``; a region's limit differs from it by at most an eighth."""
MIN_FILES, MAX_FILES, RATIO = 3, 10, 1.2
BURST_SECONDS = 2.5
"""A region that was flushed two ticks of a second ago, or less, waits until it can merge ``MAX_FILES``."""
LOG_ROLL_BYTES, MOST_LOGS, LOGGED_PER_MEMORY = 128 * MEGABYTE, 32, 4
LARGE_MEMSTORE_BYTES = 8 * GIGABYTE
BLOCK_CELLS = 64 * 1024 // CELL_BYTES
INDEX_CHUNK_BYTES, INDEX_ENTRY_BYTES = 128 * 1024, 48
BLOOM_BITS = 10
"""Bits for each row. An entry of the index has a key of 16 bytes, with its family, qualifier, offset and length."""


@dataclass
class Region:
    """A region with one store. Sizes of files are from old to new."""

    share: float
    limit_bytes: float
    memory_bytes: float = 0.0
    first_cell: float = 0.0
    """How many cells the load had written when the memstore received its first."""
    flushed_at: float = -1.0
    """How many when it was flushed last; -1 for never."""
    files: list[float] = field(default_factory=list)


@dataclass
class Load:
    """A load of cells in random order."""

    dice: random.Random
    memstore_bytes: float = MEMSTORE_BYTES
    regions: list[Region] = field(default_factory=list)
    flushed_bytes: float = 0.0
    compacted_bytes: float = 0.0
    flushes: int = 0
    written: float = 0.0
    """Cells."""

    def __post_init__(self) -> None:
        self.regions.append(Region(1.0, 2 * FLUSH_BYTES))

    def run(self, cells: int) -> None:
        """Write the cells, and merge what is left over when nothing has been written for a while."""
        step = FLUSH_BYTES / MEMORY_BYTES / 16
        while self.written < cells:
            part = min(step, cells - self.written)
            for region in self.regions:
                if not region.memory_bytes:
                    region.first_cell = self.written
                region.memory_bytes += part * MEMORY_BYTES * region.share
            self.written += part
            self._flush_what_is_due()
        for region in list(self.regions):
            self._flush(region)
        for region in self.regions:
            self._compact_all(region, MIN_FILES)
            while self._compact(region, 2, FLUSH_BYTES):
                pass

    def written_bytes(self, cells: int) -> float:
        """Bytes of the log, of flushes and of compactions."""
        return cells * LOG_BYTES + self.flushed_bytes + self.compacted_bytes

    def _flush_what_is_due(self) -> None:
        for region in [one for one in self.regions if one.memory_bytes >= FLUSH_BYTES]:
            self._flush(region)
        while sum(region.memory_bytes for region in self.regions) >= self.memstore_bytes / 2:
            self._flush(max(self.regions, key=lambda one: one.memory_bytes))
        most_logs = min(MOST_LOGS, max(4, LOGGED_PER_MEMORY * self.memstore_bytes / LOG_ROLL_BYTES))
        oldest = self.written - most_logs * LOG_ROLL_BYTES / LOG_BYTES
        for region in [one for one in self.regions if one.memory_bytes and one.first_cell < oldest]:
            self._flush(region)

    def _flush(self, region: Region) -> None:
        size = region.memory_bytes / MEMORY_BYTES * FILE_BYTES
        if not size:
            return
        self.flushes += 1
        self.flushed_bytes += size
        region.files.append(size)
        is_burst = 0 <= region.flushed_at >= self.written - BURST_SECONDS * CELLS_PER_SECOND
        region.memory_bytes, region.flushed_at = 0.0, self.written
        self._compact_all(region, MAX_FILES if is_burst else MIN_FILES)
        if sum(region.files) > region.limit_bytes:
            self._split(region)

    def _compact_all(self, region: Region, enough_files: int) -> None:
        while len(region.files) >= enough_files and self._compact(region, MIN_FILES, float("inf")):
            pass

    def _compact(self, region: Region, min_files: int, max_bytes: float) -> bool:
        """Merge the files that HBase's ExploringCompactionPolicy selects; return whether there were any."""
        best: tuple[int, float, int, int] | None = None
        for start in range(len(region.files)):
            for end in range(start + min_files, min(start + MAX_FILES, len(region.files)) + 1):
                run = region.files[start:end]
                size = sum(run)
                is_in_ratio = size < FLUSH_BYTES or max(run) <= (size - max(run)) * RATIO
                if is_in_ratio and size <= max_bytes and (best is None or (start - end, size) < best[:2]):
                    best = (start - end, size, start, end)
        if best is None:
            return False
        _, size, start, end = best
        region.files[start:end] = [size]
        self.compacted_bytes += size
        return True

    def _split(self, region: Region) -> None:
        """Cut the region in two. Each half is rewritten."""
        size = sum(region.files)
        self.compacted_bytes += size
        self.regions.remove(region)
        for _ in range(2):
            limit = SPLIT_BYTES * (1 + self.dice.uniform(-0.125, 0.125))
            half = Region(region.share / 2, limit, files=[size / 2], flushed_at=region.flushed_at)
            self.regions.append(half)


def index_levels(file_bytes: float) -> int:
    """Levels of a file's block index."""
    entries, levels = file_bytes / FILE_BYTES / BLOCK_CELLS, 1
    while entries * INDEX_ENTRY_BYTES > INDEX_CHUNK_BYTES:
        entries, levels = entries * INDEX_ENTRY_BYTES / INDEX_CHUNK_BYTES, levels + 1
    return levels


def measures(cells: int, seed: int) -> dict[str, str]:
    """Simulate a load of ``cells`` cells, and return the rows of the table."""
    load, with_memory = Load(random.Random(seed)), Load(random.Random(seed), LARGE_MEMSTORE_BYTES)
    load.run(cells)
    with_memory.run(cells)
    disk_bytes = sum(size for region in load.regions for size in region.files)
    largest = max(size for region in load.regions for size in region.files)
    index_bytes = cells / BLOCK_CELLS * INDEX_ENTRY_BYTES
    bloom_bytes = cells / COLUMNS * BLOOM_BITS / 8
    return {
        "regions": f"{len(load.regions):,}",
        "files": f"{sum(len(region.files) for region in load.regions):,}",
        "GB on disk": f"{disk_bytes / 1e9:,.1f}",
        "bytes written per byte of cells": f"{load.written_bytes(cells) / (cells * CELL_BYTES):.2f}",
        "the same with 8 GB for memstores": f"{with_memory.written_bytes(cells) / (cells * CELL_BYTES):.2f}",
        "a flush, MB": f"{load.flushed_bytes / load.flushes / 1e6:,.1f}",
        "the same with 8 GB for memstores, MB": f"{with_memory.flushed_bytes / with_memory.flushes / 1e6:,.1f}",
        "index levels of the largest file": f"{index_levels(largest)}",
        "index blocks and Bloom filters, MB": f"{(index_bytes + bloom_bytes) / 1e6:,.0f}",
        "their size relative to the block cache": f"{(index_bytes + bloom_bytes) / CACHE_BYTES:.2f}",
    }


def main() -> None:
    """Simulate, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cells", default="1e7,1e8,1e9,1e10,1e11", help="sizes, with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    columns = {cells: measures(cells, options.seed) for cells in (int(float(one)) for one in options.cells.split(","))}
    lines = [f"| cells | {' | '.join(f'{cells:,}' for cells in columns)} |", "|---" * (len(columns) + 1) + "|"]
    names = next(iter(columns.values()))
    lines += [f"| {name} | {' | '.join(found[name] for found in columns.values())} |" for name in names]
    report.publish("\n".join(lines), options.document, "scale predicted")


if __name__ == "__main__":
    main()
