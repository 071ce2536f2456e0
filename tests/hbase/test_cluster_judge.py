"""A whole HBase, the store and the model answer random operations alike.

ROWSTONE_JUDGE_SECONDS, ROWSTONE_JUDGE_OPERATIONS and ROWSTONE_JUDGE_SEED change for how long, how many and which;
`make judge OPS=2000000` (`long_judge.py`) is the long run.
"""

from __future__ import annotations

import os

from tests.hbase import cluster_judge
from tests.hbase.cluster.server import StandaloneHBase


def test_random_operations_have_equal_results(hbase: StandaloneHBase) -> None:
    seconds = float(os.environ.get("ROWSTONE_JUDGE_SECONDS", cluster_judge.SECONDS))
    operations = int(os.environ.get("ROWSTONE_JUDGE_OPERATIONS", cluster_judge.OPERATIONS))
    seed = int(os.environ.get("ROWSTONE_JUDGE_SEED", "0"))
    judge = cluster_judge.ClusterJudge(hbase.url)
    try:
        totals = cluster_judge.judge_for(judge, seed, seconds, operations)
    finally:
        judge.close()
    print(totals)
    assert totals.failed == []
    assert totals.operations >= operations
