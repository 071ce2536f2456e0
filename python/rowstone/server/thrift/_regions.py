"""Regions and their reported locations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rowstone.admin import RegionInfo
from rowstone.server.thrift._session import Session

if TYPE_CHECKING:
    from rowstone._core.database import Database

META = "hbase:meta"
RegionLocation = tuple[RegionInfo, tuple[str, int, int]]
"""A region; host, port and start code of its server."""


def user_tables(database: Database) -> list[str]:
    """The names of all tables except HBase's own."""
    return in_order(name for name in database.tables() if not name.startswith("hbase:"))


def in_order(names: Iterable[str]) -> list[str]:
    """Table names in HBase's order: by namespace, where ``default`` sorts like any other."""
    return sorted(names, key=lambda name: name if ":" in name else f"default:{name}")


def locations_of(session: Session, table: str) -> list[RegionLocation]:
    """The table's regions in start key order. Raises `TableNotFound`."""
    locations = session.database.admin.regions.locations(table)
    return [(location.region, session.server_of(location.server)) for location in locations]


def region_at(session: Session, row: bytes) -> RegionLocation | None:
    """The last region whose row in ``hbase:meta`` does not sort after ``row``."""
    with session.database.table(META).scan(row, columns=["info"], reverse=True, limit=1) as found:
        names = [one.key for one in found]
    for name in names:
        table = name.partition(b",")[0].decode()
        for location in locations_of(session, table):
            if location[0].name == name:
                return location
    return None
