"""A database for tests that can run in this process or, with ``--served``, through a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import rowstone as rs


@contextmanager
def as_asked(database: rs.Database, config: pytest.Config) -> Iterator[rs.Database]:
    """Yield ``database`` itself or, with the option ``--served``, a client of a server for it."""
    if not config.getoption("--served"):
        yield database
        return
    with rs.serve(database, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        yield client
