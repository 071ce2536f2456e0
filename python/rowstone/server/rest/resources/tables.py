"""``/``: the tables. ``/{table}/exists``: existence of a table. Sources: HBase's RootResource, ExistsResource."""

from __future__ import annotations

from rowstone.server.rest import _answer, _models
from rowstone.server.rest._answer import NO_CACHE, Answer
from rowstone.server.rest._request import Request


def list_tables(request: Request) -> Answer:
    """The names of all tables."""
    names = [{"name": name} for name in request.database.tables()]
    return _answer.message(_models.TABLE_LIST, {"table": names}, request.media, NO_CACHE)


def exists(request: Request) -> Answer:
    """200 if the table exists, otherwise 404."""
    if not request.database.admin.tables.exists(request.table_name):
        return _answer.NOT_FOUND
    return Answer(200, headers=NO_CACHE)
