"""Answers to HBase's Java client, line by line, that a real HBase gave to the same calls (`answers.txt`)."""

from __future__ import annotations

from pathlib import Path

import rowstone as rs
from tests.clients.answers import RECORDED, session

LEAST = 150


def test_the_java_client_is_answered_as_by_hbase(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=None) as server:
        found = session(f"127.0.0.1:{server.port}")
    expected = RECORDED.read_text().splitlines()
    assert len(expected) >= LEAST
    assert found == expected
