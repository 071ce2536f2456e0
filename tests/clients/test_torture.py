"""HBase's IntegrationTestBigLinkedList while our server is killed: the small size of `make torture`."""

from __future__ import annotations

from pathlib import Path

from tests.torture.programs import Bench, Size, link_nodes

SIZE = Size(nodes=200_000, rows=0, minutes=0, kills=5, acid_kills=0, seed=1)


def test_no_node_is_lost(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "linked-list")
    try:
        link_nodes(bench, SIZE)
    finally:
        bench.close()
