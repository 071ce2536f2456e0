"""A database and a table for the package's tests, from the fixtures of its pytest plugin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.served.wire_database import as_asked


@pytest.fixture
def clock(rowstone_clock: ManualClock) -> ManualClock:
    return rowstone_clock


@pytest.fixture
def db(rowstone_db: rs.Database, request: pytest.FixtureRequest) -> Iterator[rs.Database]:
    """A database in memory; with `--served`, a client of a server of one."""
    with as_asked(rowstone_db, request.config) as database:
        yield database


@pytest.fixture
def t(db: rs.Database) -> rs.Table:
    """A table with a family `f` of three versions and a family `g` of one."""
    db.create_table("t", {"f": rs.Family(max_versions=3), "g": {}})
    return db.table("t")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[rs.Database]:
    """A database in a directory."""
    with rs.connect(tmp_path / "db") as db:
        yield db
