"""A database and a table for the tests of the package, out of the fixtures of its own plugin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.testing import ManualClock


@pytest.fixture
def clock(rowstone_clock: ManualClock) -> ManualClock:
    return rowstone_clock


@pytest.fixture
def db(rowstone_clock: ManualClock, rowstone_db: rs.Database) -> rs.Database:
    return rowstone_db


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
