"""An HBase with the tables and snapshots of `plan.py`, made once for all tests of this folder."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.hbase.cluster.server import StandaloneHBase
from tests.roots import plan, tables
from tests.roots.session import RootSession
from tests.roots.storages import Place, place_of

CELLS = int(os.environ.get("ROWSTONE_ROOTS_CELLS", "20000"))
FEW_CELLS = 100_000
"""Below, only some scans are compared."""
SAMPLE = 3
SETTINGS = {
    # Nothing is compacted or moved by itself.
    "hbase.server.compactchecker.interval.multiplier": "1000000",
    "hbase.balancer.period": "86400000",
    # Files that a compaction has replaced stay in the folder.
    "hbase.hfile.compaction.discharger.interval": "86400000",
}
SHORTEST_TTL_S = 1.0
"""Of a cell: after the last fill it must be over, so that two readers see the same."""


@pytest.fixture(scope="session")
def server() -> Iterator[StandaloneHBase]:
    """The server."""
    with StandaloneHBase(settings=SETTINGS) as server:
        yield server


@pytest.fixture(scope="session")
def session(server: StandaloneHBase) -> Iterator[RootSession]:
    """HBase's readers, with all tables and snapshots in place."""
    with contextlib.closing(RootSession(server)) as session:
        make_tables(server, session, CELLS)
        yield session


@pytest.fixture(scope="session")
def place(session: RootSession) -> Iterator[Place]:
    """The root, in the storage that is tested."""
    with place_of(session.root) as place:
        yield place


@pytest.fixture(scope="session")
def sample() -> int | None:
    """The number of compared scans that read a part; None for all."""
    return SAMPLE if CELLS < FEW_CELLS else None


def make_tables(server: StandaloneHBase, session: RootSession, cells: int) -> None:
    """Run the plan, two parts at a time."""
    files = server.folder / "exported"
    plan.export_files(files)
    filler = plan.Filler(cells, files)
    session.run(*filler.complete(tables.FIRST))
    first, second = (list(filler.complete(part)) for part in tables.SIDE_BY_SIDE)
    with ThreadPoolExecutor(1) as pool, contextlib.closing(RootSession(server)) as other:
        done = pool.submit(other.run, *second)
        session.run(*first)
        done.result()
    time.sleep(2 * SHORTEST_TTL_S)
