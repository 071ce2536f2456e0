"""A real HBase for the tests of this folder, started by the first test that needs it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hbase.cluster.server import StandaloneHBase
from tests.hbase.fixtures import cluster, table

__all__ = ["cluster", "hbase", "table"]


@pytest.fixture(scope="session")
def hbase() -> Iterator[StandaloneHBase]:
    """The server."""
    with StandaloneHBase() as server:
        yield server
