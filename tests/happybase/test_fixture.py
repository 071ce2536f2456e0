"""The pytest plugin's connection is one to the plugin's database."""

from __future__ import annotations

import rowstone as rs
from rowstone.happybase import Connection
from rowstone.testing import ManualClock


def test_the_fixture_shares_database_and_clock(
    rowstone_clock: ManualClock, rowstone_db: rs.Database, rowstone_happybase: Connection
) -> None:
    rowstone_happybase.create_table("t", {"cf": {"time_to_live": 60}})
    table = rowstone_happybase.table("t")
    table.put("r", {"cf:q": "v"})
    assert table.row("r", include_timestamp=True) == {b"cf:q": (b"v", rowstone_clock.now)}
    assert rowstone_db.table("t").get("r")["cf:q"] == b"v"
    rowstone_clock.advance(60_001)
    assert table.row("r") == {}
