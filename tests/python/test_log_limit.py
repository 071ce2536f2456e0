"""Number of logs that a region which is rarely written may pin."""

from __future__ import annotations

import time
from pathlib import Path

import rowstone as rs


def test_a_region_that_is_rarely_written_does_not_pin_logs_forever(tmp_path: Path) -> None:
    configuration = {"hbase.regionserver.logroll.size": 1 << 20}
    with rs.connect(tmp_path / "db", memstore_bytes=1 << 20, configuration=configuration) as db:
        db.create_table("quiet", ["f"])
        db.create_table("busy", ["f"])
        db.table("quiet").put("r", {"f:q": "v"})
        with db.table("busy").batch() as batch:
            for row in range(8_000):
                batch.put(f"{row:06}", {"f:q": bytes(1_000)})
        deadline = time.monotonic() + 60
        while (logs := db.admin.metrics.stats()["logs"]) > 4 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert logs <= 4
    with rs.connect(tmp_path / "db") as db:
        assert db.table("quiet").value("r", "f:q") == b"v"
