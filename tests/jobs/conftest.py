"""A table with a family `f` of three versions in a database in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rowstone as rs


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as db:
        db.create_table("t", {"f": rs.Family(max_versions=3), "g": {}}, splits=["r3", "r6"])
        yield db


@pytest.fixture
def t(db: rs.Database) -> rs.Table:
    return db.table("t")
