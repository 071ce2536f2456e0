"""Fixtures with a server of a directory instead of an HBase, for tests that the client passes on a real one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import rowstone as rs
from tests.hbase.fixtures import cluster, table

__all__ = ["ServedDirectory", "cluster", "hbase", "table"]


@dataclass(frozen=True)
class ServedDirectory:
    """The interface that the tests of `tests/hbase` expect of an HBase."""

    server: rs.Server

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def zookeeper_url(self) -> str:
        assert self.server.zk_url is not None
        return self.server.zk_url

    @property
    def master_port(self) -> int:
        return self.server.port

    @property
    def zookeeper_port(self) -> int:
        assert self.server.zk_port is not None
        return self.server.zk_port


@pytest.fixture(scope="session")
def hbase(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDirectory]:
    """The server."""
    with rs.serve(tmp_path_factory.mktemp("served") / "db", port=0, zk_port=0) as server:
        yield ServedDirectory(server)
