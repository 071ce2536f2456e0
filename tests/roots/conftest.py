"""An HBase with the tables and snapshots of `plan.py`, made once for all tests of this folder."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

import pytest

from tests.hbase.cluster.server import StandaloneHBase
from tests.roots import plan
from tests.roots.session import RootSession

CELLS = 20_000
# Nothing is compacted or moved by itself.
SETTINGS = {"hbase.server.compactchecker.interval.multiplier": "1000000", "hbase.balancer.period": "86400000"}
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
    files = server.folder / "exported"
    plan.export_files(files)
    with contextlib.closing(RootSession(server)) as session:
        for line in plan.lines_of(int(os.environ.get("ROWSTONE_ROOTS_CELLS", CELLS)), files):
            session.run(line)
            if line.startswith("fill"):
                filled = time.monotonic()
        time.sleep(max(0.0, filled + 2 * SHORTEST_TTL_S - time.monotonic()))
        yield session
