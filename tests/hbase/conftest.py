"""A real HBase for the tests of this folder, started by the first test that needs it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

import rowstone as rs
from tests.hbase.cluster.server import StandaloneHBase

_numbers = count(1)


@pytest.fixture(scope="session")
def hbase() -> Iterator[StandaloneHBase]:
    """The server."""
    with StandaloneHBase() as server:
        yield server


@pytest.fixture(scope="session")
def cluster(hbase: StandaloneHBase) -> Iterator[rs.Database]:
    """An open connection to it."""
    with rs.connect(hbase.url) as db:
        yield db


@pytest.fixture
def table(cluster: rs.Database) -> Iterator[rs.Table]:
    """A new table with families f (3 versions) and g."""
    name = f"t{next(_numbers)}"
    cluster.create_table(name, {"f": rs.Family(max_versions=3), "g": {}})
    yield cluster.table(name)
    if cluster.admin.tables.exists(name):
        cluster.drop_table(name)
