"""Databases for the checklist: their clock stands still, and no background compaction runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist.helpers import QUIET, START_MS
from tests.served.wire_database import as_asked


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START_MS)


@pytest.fixture
def db(clock: ManualClock, request: pytest.FixtureRequest) -> Iterator[rs.Database]:
    """A database in memory; with `--served`, a client of a server of one."""
    with rs.connect(":memory:", clock=clock, configuration=QUIET) as own, as_asked(own, request.config) as database:
        yield database


@pytest.fixture
def disk(clock: ManualClock, tmp_path: Path) -> Iterator[rs.Database]:
    """A database in a directory."""
    with rs.connect(tmp_path / "db", clock=clock, configuration=QUIET) as database:
        yield database


@pytest.fixture
def t(db: rs.Database) -> rs.Table:
    """A table with one family `f` of HBase's defaults."""
    db.create_table("t", ["f"])
    return db.table("t")
