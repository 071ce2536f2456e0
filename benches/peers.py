"""Rowstone and other engines behind one interface, each used as its documentation shows, with equal durability.

The class: a write is acknowledged once the operating system has it, without waiting for the disk. It survives the end
of the process, not a power loss.

| engine | setting |
|---|---|
| rowstone | the default, SYNC_WAL; it also syncs behind the writer's back every 100 ms |
| rocksdict | the default: log on, no sync per write; raw mode (bytes), no compression |
| lmdb | ``sync=False``; a transaction per put, or per batch |
| sqlite3 | ``journal_mode=WAL, synchronous=NORMAL``: no sync per commit; a commit per put, or per batch |
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import lmdb
import rocksdict

import rowstone as rs

BATCH = 1_000
Items = Sequence[tuple[bytes, bytes]]


class Engine(Protocol):
    """Interface of the measured engines. Reads return the number of values, so that none can be skipped."""

    name: str

    def open(self, folder: Path) -> None: ...
    def put(self, items: Items) -> int: ...
    def put_batched(self, items: Items) -> int: ...
    def get(self, keys: Sequence[bytes]) -> int: ...
    def get_many(self, keys: Sequence[bytes]) -> int: ...
    def scan(self) -> int: ...
    def scan_reversed(self) -> int: ...
    def finish_writes(self) -> None: ...
    def close(self) -> None: ...


def portions(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """Batches of 1,000."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


class Rowstone:
    """Rowstone: one family, one column, one version."""

    name = "rowstone"

    def open(self, folder: Path) -> None:
        self.db = rs.connect(folder)
        if not self.db.admin.tables.exists("t"):
            self.db.create_table("t", ["f"])
        self.table = self.db.table("t")

    def put(self, items: Items) -> int:
        put = self.table.put
        for key, value in items:
            put(key, {b"f:q": value})
        return len(items)

    def put_batched(self, items: Items) -> int:
        with self.table.batch() as batch:
            put = batch.put
            for key, value in items:
                put(key, {b"f:q": value})
        return len(items)

    def get(self, keys: Sequence[bytes]) -> int:
        get, found = self.table.get, 0
        for key in keys:
            found += get(key).get(b"f:q") is not None
        return found

    def get_value(self, keys: Sequence[bytes]) -> int:
        """Read single values without row objects."""
        value, found = self.table.value, 0
        for key in keys:
            found += value(key, b"f:q") is not None
        return found

    def get_many(self, keys: Sequence[bytes]) -> int:
        found = 0
        for portion in portions(keys):
            for row in self.table.get_many(portion):
                found += row.get(b"f:q") is not None
        return found

    def scan(self) -> int:
        found = 0
        for _key, _value in self.table.scan().pairs(b"f:q"):
            found += 1
        return found

    def scan_lazy(self) -> int:
        """Read rows without using them."""
        found = 0
        for _row in self.table.scan():
            found += 1
        return found

    def scan_reversed(self) -> int:
        found = 0
        for _key, _value in self.table.scan(reverse=True).pairs(b"f:q"):
            found += 1
        return found

    def finish_writes(self) -> None:
        self.db.admin.flush()
        self.db.admin.major_compact("t")

    def close(self) -> None:
        self.db.close()


class Rocksdict:
    """RocksDB through rocksdict."""

    name = "rocksdict"

    def open(self, folder: Path) -> None:
        options = rocksdict.Options(raw_mode=True)
        options.create_if_missing(True)
        options.set_compression_type(rocksdict.DBCompressionType.none())
        self.db = rocksdict.Rdict(str(folder), options)

    def put(self, items: Items) -> int:
        db = self.db
        for key, value in items:
            db[key] = value
        return len(items)

    def put_batched(self, items: Items) -> int:
        for portion in portions(items):
            batch = rocksdict.WriteBatch(raw_mode=True)
            for key, value in portion:
                batch[key] = value
            self.db.write(batch)
        return len(items)

    def get(self, keys: Sequence[bytes]) -> int:
        get, found = self.db.get, 0
        for key in keys:
            found += get(key) is not None
        return found

    def get_many(self, keys: Sequence[bytes]) -> int:
        found = 0
        for portion in portions(keys):
            for value in self.db.get(list(portion)):
                found += value is not None
        return found

    def scan(self) -> int:
        found = 0
        for _key, _value in self.db.items():
            found += 1
        return found

    def scan_reversed(self) -> int:
        found = 0
        for _key, _value in self.db.items(backwards=True):
            found += 1
        return found

    def finish_writes(self) -> None:
        self.db.flush()
        self.db.compact_range(None, None)

    def close(self) -> None:
        self.db.close()


class Lmdb:
    """LMDB: a memory-mapped B+tree."""

    name = "lmdb"

    def open(self, folder: Path) -> None:
        self.env = lmdb.open(str(folder), map_size=8 << 30, sync=False)

    def put(self, items: Items) -> int:
        begin = self.env.begin
        for key, value in items:
            with begin(write=True) as transaction:
                transaction.put(key, value)
        return len(items)

    def put_batched(self, items: Items) -> int:
        for portion in portions(items):
            with self.env.begin(write=True) as transaction:
                put = transaction.put
                for key, value in portion:
                    put(key, value)
        return len(items)

    def get(self, keys: Sequence[bytes]) -> int:
        found = 0
        with self.env.begin() as transaction:
            get = transaction.get
            for key in keys:
                found += get(key) is not None
        return found

    def get_many(self, keys: Sequence[bytes]) -> int:
        found = 0
        with self.env.begin() as transaction:
            for portion in portions(keys):
                found += len(transaction.cursor().getmulti(portion))
        return found

    def scan(self) -> int:
        found = 0
        with self.env.begin() as transaction:
            for _key, _value in transaction.cursor():
                found += 1
        return found

    def scan_reversed(self) -> int:
        found = 0
        with self.env.begin() as transaction:
            for _key, _value in transaction.cursor().iterprev():
                found += 1
        return found

    def finish_writes(self) -> None:
        self.env.sync(True)

    def close(self) -> None:
        self.env.close()


class Sqlite:
    """SQLite: a table without row ids, keyed by the blob."""

    name = "sqlite3"

    def open(self, folder: Path) -> None:
        folder.mkdir()
        self.db = sqlite3.connect(folder / "t.db", isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=NORMAL")
        self.db.execute("CREATE TABLE t (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID")

    def put(self, items: Items) -> int:
        execute = self.db.execute
        for item in items:
            execute("INSERT OR REPLACE INTO t VALUES (?, ?)", item)
        return len(items)

    def put_batched(self, items: Items) -> int:
        for portion in portions(items):
            self.db.execute("BEGIN")
            self.db.executemany("INSERT OR REPLACE INTO t VALUES (?, ?)", portion)
            self.db.execute("COMMIT")
        return len(items)

    def get(self, keys: Sequence[bytes]) -> int:
        execute, found = self.db.execute, 0
        for key in keys:
            found += execute("SELECT v FROM t WHERE k = ?", (key,)).fetchone() is not None
        return found

    def get_many(self, keys: Sequence[bytes]) -> int:
        found = 0
        for portion in portions(keys):
            marks = ",".join("?" * len(portion))
            found += len(self.db.execute(f"SELECT k, v FROM t WHERE k IN ({marks})", portion).fetchall())
        return found

    def scan(self) -> int:
        found = 0
        for _key, _value in self.db.execute("SELECT k, v FROM t ORDER BY k"):
            found += 1
        return found

    def scan_reversed(self) -> int:
        found = 0
        for _key, _value in self.db.execute("SELECT k, v FROM t ORDER BY k DESC"):
            found += 1
        return found

    def finish_writes(self) -> None:
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.db.close()


ENGINES: tuple[type[Engine], ...] = (Rowstone, Rocksdict, Lmdb, Sqlite)
