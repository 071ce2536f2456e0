"""Fixtures of tests that run against a cluster; the fixture ``hbase`` of a folder starts the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Protocol

import pytest

import rowstone as rs

_numbers = count(1)


class Cluster(Protocol):
    """A running cluster."""

    @property
    def url(self) -> str: ...


@pytest.fixture(scope="session")
def cluster(hbase: Cluster) -> Iterator[rs.Database]:
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
        cluster.drop_table(name, force=True)
