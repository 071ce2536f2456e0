"""Random operations through the Java client, before HBase and before our server.

ROWSTONE_JUDGE_OPERATIONS and ROWSTONE_JUDGE_SEED change how many and which.
"""

from __future__ import annotations

import os

import rowstone as rs
from tests.clients.java_judge import judge
from tests.hbase.cluster.server import StandaloneHBase

OPERATIONS = 3_000


def test_random_operations_have_equal_results() -> None:
    operations = int(os.environ.get("ROWSTONE_JUDGE_OPERATIONS", OPERATIONS))
    seed = int(os.environ.get("ROWSTONE_JUDGE_SEED", "1"))
    with StandaloneHBase() as hbase, rs.serve(":memory:", port=0, zk_port=None) as server:
        totals = judge(f"127.0.0.1:{hbase.master_port}", f"127.0.0.1:{server.port}", operations, seed)
    assert totals.failed == []
    assert totals.operations >= operations
