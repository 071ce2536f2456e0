"""Random operations against a server, through the client; against the store; and against the model.

ROWSTONE_JUDGE_OPERATIONS and ROWSTONE_JUDGE_SEED set their number and the seed.
"""

from __future__ import annotations

import os

from tests.hbase import cluster_judge
from tests.served.conftest import ServedDirectory

OPERATIONS = 3_000


def test_random_operations_have_equal_results(hbase: ServedDirectory) -> None:
    operations = int(os.environ.get("ROWSTONE_JUDGE_OPERATIONS", OPERATIONS))
    seed = int(os.environ.get("ROWSTONE_JUDGE_SEED", "0"))
    judge = cluster_judge.ClusterJudge(hbase.url)
    try:
        totals = cluster_judge.judge_for(judge, seed, 0.0, operations)
    finally:
        judge.close()
    assert totals.failed == []
    assert totals.operations >= operations
