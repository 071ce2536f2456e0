"""A table in parts: the regions, as far as a job wants their rows; and how a part gets at the table."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rowstone._database import Database
from rowstone._schema import as_bytes
from rowstone._table import Table
from rowstone.errors import UnsupportedOperation
from rowstone.jobs._executors import Executor


@dataclass(frozen=True)
class Split:
    """Rows from ``start``, included, to ``stop``, excluded; empty at the ends of the table."""

    number: int
    start: bytes
    stop: bytes


def splits_of(db: Database, table: str, start: str | bytes | None, stop: str | bytes | None) -> list[Split]:
    """A split for each region that has rows from ``start``, included, to ``stop``, excluded."""
    first, last = as_bytes(start or b""), as_bytes(stop or b"")
    found: list[Split] = []
    for region in db.admin.regions(table):
        begin = max(first, region.start_key)
        end = min(filter(None, (last, region.end_key)), default=b"")
        if not end or begin < end:
            found.append(Split(len(found), begin, end))
    return found


@dataclass(frozen=True)
class Place:
    """A table for whoever runs a split: the open database, or its path where memory is not shared."""

    database: Any
    table: str
    stopped: threading.Event | None = None

    @contextmanager
    def open(self) -> Iterator[Table]:
        """The table; a database that is opened for it is closed afterwards."""
        if not isinstance(self.database, str):
            yield self.database.table(self.table)
            return
        import rowstone

        options: dict[str, Any] = {} if "://" in self.database else {"read_only": True, "create": False}
        with rowstone.connect(self.database, **options) as db:
            yield db.table(self.table)


def place_of(db: Database, table: str, executor: Executor) -> Place:
    """The place of a table for the splits of ``executor``.

    Raises:
        UnsupportedOperation: They do not share memory, and the database is only there.
    """
    if executor.stopped is not None:
        executor.stopped.clear()
        return Place(db, table, executor.stopped)
    if db.path == ":memory:":
        raise UnsupportedOperation("a database in memory cannot be read by other processes: use threads")
    return Place(db.path, table)
