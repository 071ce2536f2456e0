"""Services that Java's clients call by name, AggregationClient and MultiRowMutationService, before our server."""

from __future__ import annotations

from pathlib import Path

import rowstone as rs
from tests.clients.endpoints import RECORDED, session

LEAST = 50


def test_aggregation_endpoints_answer_as_hbase(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=None) as server:
        found = session(f"127.0.0.1:{server.port}")
    expected = RECORDED.read_text().splitlines()
    assert len(expected) >= LEAST
    assert found == expected
