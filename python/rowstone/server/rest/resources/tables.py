"""``/``: the tables. ``/{table}/exists`` and ``/{table}/regions``.

Sources: HBase's RootResource, ExistsResource, RegionsResource.
"""

from __future__ import annotations

from rowstone.errors import TableNotFound
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import NO_CACHE, Answer
from rowstone.server.rest._request import Request
from rowstone.server.rest.messages import _models


def list_tables(request: Request) -> Answer:
    """The names of all tables."""
    names = [{"name": name} for name in request.database.tables()]
    return _answer.message(_models.TABLE_LIST, {"table": names}, request.media, NO_CACHE)


def exists(request: Request) -> Answer:
    """200 if the table exists, otherwise 404."""
    if not request.database.admin.tables.exists(request.table_name):
        return _answer.NOT_FOUND
    return Answer(200, headers=NO_CACHE)


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
