"""Rowstone and RocksDB behind one interface: cells of rows, the same memory, no compression, no sync per write.

RocksDB has a key per cell: the row, a colon, the qualifier. Its prefix compression corresponds to our FAST_DIFF.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import rocksdict
from benches.scale.data import QUALIFIERS

import rowstone as rs

Rows = Sequence[tuple[bytes, list[bytes]]]
CACHE_BYTES = 256 << 20
MEMSTORE_BYTES = 256 << 20
WRITE_BUFFERS = 4
PROGRESS = b"~progress"
"""A key after all rows: how many rows have been written."""
QUIET_SECONDS = 10
BATCH_ROWS = 1_000


class Store(Protocol):
    """One table. Reads return the cells found, so that callers can check them."""

    memory_bytes: int
    """Limit of the block cache and of the write buffers together."""

    def write(self, rows: Rows) -> None: ...
    def progress(self) -> int: ...
    def set_progress(self, rows: int) -> None: ...
    def value(self, key: bytes, column: int) -> bytes | None: ...
    def values(self, keys: Sequence[bytes], column: int) -> list[bytes | None]: ...
    def scan(self, start: bytes, rows: int) -> int: ...
    def wait_for_compactions(self) -> None: ...
    def facts(self) -> dict[str, int]: ...
    def close(self) -> None: ...


class Rowstone:
    """A table with one family, in a directory."""

    def __init__(self, folder: Path, cache_bytes: int) -> None:
        self.memory_bytes = cache_bytes + MEMSTORE_BYTES
        self._db = rs.connect(folder, cache_bytes=cache_bytes, memstore_bytes=MEMSTORE_BYTES)
        if not self._db.admin.tables.exists("t"):
            self._db.create_table("t", {"f": rs.Family(data_block_encoding="FAST_DIFF")})
            self._db.create_table("progress", ["f"])
        self._table = self._db.table("t")
        self._names = [b"f:" + qualifier for qualifier in QUALIFIERS]

    def write(self, rows: Rows) -> None:
        with self._table.batch() as batch:
            for key, values in rows:
                batch.put(key, dict(zip(self._names, values, strict=True)))

    def progress(self) -> int:
        return int(self._db.table("progress").value("rows", "f:") or 0)

    def set_progress(self, rows: int) -> None:
        self._db.table("progress").put("rows", {"f:": str(rows)})

    def value(self, key: bytes, column: int) -> bytes | None:
        return self._table.value(key, self._names[column])

    def values(self, keys: Sequence[bytes], column: int) -> list[bytes | None]:
        name = self._names[column]
        return [row.get(name) for row in self._table.get_many(keys, columns=[name])]

    def scan(self, start: bytes, rows: int) -> int:
        return sum(len(row) for row in self._table.scan(start, limit=rows))

    def wait_for_compactions(self) -> None:
        """Flush, and wait until nothing has been compacted for ten seconds."""
        self._db.admin.flush()
        state = self._db.admin.regions.compaction_state
        wait_for_quiet(
            lambda: (self._db.admin.metrics.stats()["store_files"], self._compacted()[1]), lambda: state("t") != "NONE"
        )

    def _compacted(self) -> tuple[int, int]:
        stores = self._db.admin.metrics.stores()
        return sum(store.flushed_bytes for store in stores), sum(store.compacted_bytes for store in stores)

    def facts(self) -> dict[str, int]:
        stats = self._db.admin.metrics.stats()
        flushed, compacted = self._compacted()
        return {
            "files": stats["store_files"],
            "most files of a store": stats["most_store_files"],
            "regions": stats["regions"],
            "logged bytes": stats["log_appended_bytes"],
            "flushed bytes": flushed,
            "compacted bytes": compacted,
            "blocked ms": stats["blocked_ms"],
        }

    def close(self) -> None:
        self._db.close()


class RocksDB:
    """RocksDB through rocksdict, with a Bloom filter as Rowstone has one."""

    def __init__(self, folder: Path, cache_bytes: int) -> None:
        self.memory_bytes = cache_bytes + MEMSTORE_BYTES
        table = rocksdict.BlockBasedOptions()
        table.set_block_cache(rocksdict.Cache(cache_bytes))
        table.set_bloom_filter(10, False)
        options = rocksdict.Options(raw_mode=True)
        options.create_if_missing(True)
        options.set_compression_type(rocksdict.DBCompressionType.none())
        options.set_write_buffer_size(MEMSTORE_BYTES // WRITE_BUFFERS)
        options.set_max_write_buffer_number(WRITE_BUFFERS)
        options.set_block_based_table_factory(table)
        self._db = rocksdict.Rdict(str(folder), options)
        self._ends = [b":" + qualifier for qualifier in QUALIFIERS]

    def write(self, rows: Rows) -> None:
        for start in range(0, len(rows), BATCH_ROWS):
            batch = rocksdict.WriteBatch(raw_mode=True)
            for key, values in rows[start : start + BATCH_ROWS]:
                for end, value in zip(self._ends, values, strict=True):
                    batch.put(key + end, value)
            self._db.write(batch)

    def progress(self) -> int:
        return int(self._db.get(PROGRESS) or 0)

    def set_progress(self, rows: int) -> None:
        self._db[PROGRESS] = str(rows).encode()

    def value(self, key: bytes, column: int) -> bytes | None:
        found: bytes | None = self._db.get(key + self._ends[column])
        return found

    def values(self, keys: Sequence[bytes], column: int) -> list[bytes | None]:
        end = self._ends[column]
        found: list[bytes | None] = self._db.get([key + end for key in keys])
        return found

    def scan(self, start: bytes, rows: int) -> int:
        found = 0
        for _key, _value in self._db.items(from_key=start):
            found += 1
            if found == rows * len(self._ends):
                break
        return found

    def wait_for_compactions(self) -> None:
        self._db.flush()
        names = ("num-running-compactions", "compaction-pending")
        wait_for_quiet(lambda: None, lambda: any(map(self._number, names)))

    def _number(self, name: str) -> int:
        return int(self._db.property_int_value(f"rocksdb.{name}") or 0)

    def facts(self) -> dict[str, int]:
        return {"files": len(self._db.live_files())}

    def close(self) -> None:
        self._db.close()


STORES: dict[str, type[Rowstone] | type[RocksDB]] = {"rowstone": Rowstone, "rocksdict": RocksDB}


def wait_for_quiet(look: Callable[[], Any], is_busy: Callable[[], bool]) -> None:
    """Wait until ``look`` has returned the same for ten seconds, and ``is_busy`` was never true meanwhile."""
    last, since = look(), time.monotonic()
    while time.monotonic() - since < QUIET_SECONDS:
        time.sleep(0.5)
        now = look()
        if now != last or is_busy():
            last, since = now, time.monotonic()
