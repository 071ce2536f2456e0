"""Walks over a real HBase and writes down what it said: ``python -m tests.quotas.record`` (needs Java and Maven)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import rowstone as rs
from tests.hbase.cluster.server import StandaloneHBase
from tests.quotas.walk import RECORDED, walk

SETTINGS: Mapping[str, str] = {
    "hbase.quota.enabled": "true",
    "hbase.quota.refresh.period": "500",
    "hbase.master.quotas.observer.chore.period": "1000",
    "hbase.master.quotas.observer.chore.delay": "1000",
    "hbase.regionserver.quotas.policy.refresher.chore.period": "1000",
    "hbase.regionserver.quotas.policy.refresher.chore.delay": "1000",
    "hbase.regionserver.quotas.region.size.reporting.chore.period": "1000",
    "hbase.regionserver.quotas.region.size.reporting.chore.delay": "1000",
    "hbase.regionserver.quotas.fs.utilization.chore.period": "1000",
    "hbase.regionserver.quotas.fs.utilization.chore.delay": "1000",
    "hbase.master.quotas.snapshot.chore.period": "1000",
    "hbase.master.quotas.snapshot.chore.delay": "1000",
}
"""Settings of a cluster with quotas whose chores run frequently."""

REFRESH_SECONDS = 1.2
"""Time after which a server has re-read the limits."""


def main() -> None:
    """Writes the file."""
    with (
        StandaloneHBase(servers=1, heap="512m", settings=SETTINGS) as server,
        rs.connect(server.url, operation_timeout_ms=5_000) as db,
    ):
        found = walk(db, settle=lambda table: time.sleep(REFRESH_SECONDS))
    RECORDED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    print(f"{len(found)} operations")


if __name__ == "__main__":
    main()
