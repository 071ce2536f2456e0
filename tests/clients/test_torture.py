"""HBase's IntegrationTestBigLinkedList while our server is killed: the small size of `make torture`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from tests.ecosystem.running import Failed
from tests.torture.programs import Bench, Size, link_nodes, verify_links

SIZE = Size(nodes=100_000, rows=0, minutes=0, kills=3, acid_kills=0, seed=1)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "linked-list")
    yield bench
    bench.close()


def test_no_node_is_lost(bench: Bench) -> None:
    """And if one were, the test would fail."""
    link_nodes(bench, SIZE)
    with rs.connect(bench.server.url) as db:
        table = db.table("IntegrationTestBigLinkedList")
        table.delete(next(iter(table.scan(limit=1))).key)
    with pytest.raises(Failed, match="verify ended with 1"):
        verify_links(bench, SIZE.nodes)
