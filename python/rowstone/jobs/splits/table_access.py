"""Access of splits to their table, in this process or elsewhere."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rowstone._base.blocking import check_blocking
from rowstone._base.schema import as_bytes
from rowstone._core.database import Database
from rowstone._core.table import Table
from rowstone.jobs.executors import Executor
from rowstone.server.serve import Server, serve

LAST_SPLITS_SECONDS = 30
"""Time that a failed job waits for splits that still run elsewhere."""


@dataclass(frozen=True)
class TableAccess:
    """The table of a split: of the open database, or of a URL if memory is not shared."""

    database: Database | str
    table: str
    stopped: threading.Event | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @contextmanager
    def open(self) -> Iterator[Table]:
        """Open the table; a connection for it is closed afterwards."""
        if not isinstance(self.database, str):
            yield self.database.table(self.table)
            return
        import rowstone

        with rowstone.connect(self.database, **self.options) as db:
            yield db.table(self.table)


@contextmanager
def table_access(db: Database, table: str, executor: Executor) -> Iterator[TableAccess]:
    """Access to a table for the splits of ``executor``, while the job runs.

    If they do not share memory, a directory or a database in memory is served on loopback meanwhile. To a cluster, they
    connect with the same options.
    """
    if executor.stopped is not None:
        executor.stopped.clear()
        yield TableAccess(db, table, executor.stopped)
    elif db._cluster is not None:
        yield TableAccess(db.path, table, options=db._cluster)
    else:
        with serve(db, port=0, zk_port=None) as server:
            try:
                yield TableAccess(server.url, table)
            except Exception:
                _wait_for_splits(server)
                raise


def _wait_for_splits(server: Server) -> None:
    """Wait for running splits of a failed job. Without the server they would retry for minutes, and delay the next job
    on their workers."""
    end = time.monotonic() + LAST_SPLITS_SECONDS
    while server._native.measured()["numbers"]["open_connections"] and time.monotonic() < end:
        time.sleep(0.05)


@dataclass(frozen=True)
class Split:
    """Rows from ``start``, included, to ``stop``, excluded; empty at the ends of the table."""

    number: int
    start: bytes
    stop: bytes


def splits_of(db: Database, table: str, start: str | bytes | None, stop: str | bytes | None) -> list[Split]:
    """A split for each region that has rows from ``start``, included, to ``stop``, excluded."""
    check_blocking("db", db)
    first, last = as_bytes(start or b""), as_bytes(stop or b"")
    found: list[Split] = []
    for region in db.admin.regions.list(table):
        begin = max(first, region.start_key)
        end = min(filter(None, (last, region.end_key)), default=b"")
        if not end or begin < end:
            found.append(Split(len(found), begin, end))
    return found
