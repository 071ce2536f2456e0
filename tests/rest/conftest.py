"""A gateway for each test, before an empty database in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.server import rest


@pytest.fixture
def database() -> Iterator[rs.Database]:
    """The database."""
    with rs.connect(":memory:") as db:
        yield db


@pytest.fixture
def gateway(database: rs.Database) -> Iterator[rest.Gateway]:
    """The gateway."""
    with rest.serve(database, port=0) as served:
        yield served
