"""``/{table}/regions``. Source: HBase's RegionsResource."""

from __future__ import annotations

from rowstone.errors import TableNotFound
from rowstone.server.rest import _answer, _models
from rowstone.server.rest._answer import NO_CACHE, Answer
from rowstone.server.rest._request import Request


def list_regions(request: Request) -> Answer:
    """The table's regions. A directory has no servers, so their location is this gateway."""
    try:
        places = request.database.admin.regions.locations(request.table_name)
    except TableNotFound:
        return _answer.NOT_FOUND
    regions = [
        {
            "name": place.region.name.decode(errors="replace"),
            "id": place.region.region_id,
            "startKey": place.region.start_key,
            "endKey": place.region.end_key,
            "location": ":".join(place.server.split(",")[:2]) if place.server else request.address,
        }
        for place in places
    ]
    value = {"name": request.table_name, "Region": regions}
    return _answer.message(_models.TABLE_INFO, value, request.media, NO_CACHE)
