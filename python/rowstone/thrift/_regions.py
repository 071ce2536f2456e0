"""Regions and where they are said to be."""

from __future__ import annotations

from rowstone._cluster_admin import RegionInfo
from rowstone.thrift._session import Session

META = "hbase:meta"
Place = tuple[RegionInfo, tuple[str, int, int]]
"""A region; host, port and start code of its server."""


def places_of(session: Session, table: str) -> list[Place]:
    """The table's regions in the order of their start keys. Raises `TableNotFound`."""
    places = session.database.admin.region_places(table)
    return [(place.region, session.server_of(place.server)) for place in places]


def region_at(session: Session, row: bytes) -> Place | None:
    """The last region whose row of ``hbase:meta`` is not behind ``row``."""
    with session.database.table(META).scan(row, columns=["info"], reverse=True, limit=1) as found:
        names = [one.key for one in found]
    for name in names:
        table = name.partition(b",")[0].decode()
        for place in places_of(session, table):
            if place[0].name == name:
                return place
    return None
