"""A database in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rowstone as rs


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as opened:
        yield opened
