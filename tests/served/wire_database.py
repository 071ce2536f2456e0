"""A database for tests that were written for one in this process: that one, or a client of its server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import rowstone as rs


@contextmanager
def as_asked(database: rs.Database, config: pytest.Config) -> Iterator[rs.Database]:
    """``database`` itself; with the option ``--served`` a client of a server of it."""
    if not config.getoption("--served"):
        yield database
        return
    with rs.serve(database, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        yield client
