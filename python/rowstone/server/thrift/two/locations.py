"""Region locations."""

from __future__ import annotations

from typing import Any

from rowstone.errors import TableNotFound
from rowstone.server.thrift._regions import places_of
from rowstone.server.thrift._session import Session, table_name
from rowstone.server.thrift.two._structs import DOCUMENT


def get_region_location(session: Session, table: bytes, row: bytes, reload: bool | None) -> Any:
    """The region that contains a row."""
    places = [place for place in places_of(session, table_name(table)) if place[0].start_key <= row]
    return _location(*places[-1])


def get_all_region_locations(session: Session, table: bytes) -> Any:
    """All regions of a table; none if the table does not exist."""
    try:
        return [_location(*place) for place in places_of(session, table_name(table))]
    except TableNotFound:
        return []


def _location(region: Any, server: tuple[str, int, int]) -> Any:
    info = DOCUMENT.THRegionInfo(
        regionId=region.region_id,
        tableName=region.table.encode(),
        startKey=region.start_key,
        endKey=region.end_key,
        offline=False,
        split=False,
        replicaId=0,
    )
    return DOCUMENT.THRegionLocation(DOCUMENT.TServerName(*server), info)
