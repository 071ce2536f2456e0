"""Steps between HBase's tools that have no tool of their own."""

from __future__ import annotations

import rowstone as rs
from tests.ecosystem.running import Running


def take_snapshot(running: Running) -> str:
    """Take the snapshot that ExportSnapshot exports."""
    with rs.connect(running.target.url) as db:
        db.admin.snapshot("people_snapshot", "people")
        return " ".join(each.name for each in db.admin.snapshots.list())
