"""``/namespaces``. Sources: HBase's NamespacesResource, NamespacesInstanceResource."""

from __future__ import annotations

import json

from rowstone.errors import NamespaceNotFound
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import Answer
from rowstone.server.rest._request import Request, decoded
from rowstone.server.rest.messages import _media, _models


def list_namespaces(request: Request) -> Answer:
    """The names of all namespaces."""
    names = request.database.admin.namespaces.list()
    return _answer.message(_models.NAMESPACES, {"Namespace": names}, request.media)


def describe(request: Request) -> Answer:
    """The properties of a namespace."""
    name = _name(request)
    try:
        properties = request.database.admin.namespaces.describe(name)
    except NamespaceNotFound:
        return _answer.NOT_FOUND
    value = {"name": name, "properties": properties or None}
    return _answer.message(_models.NAMESPACE_PROPERTIES, value, request.media)


def list_tables(request: Request) -> Answer:
    """The tables of a namespace, without the namespace in their names."""
    try:
        tables = request.database.admin.tables.list(_name(request))
    except NamespaceNotFound:
        return _answer.NOT_FOUND
    names = [{"name": table.rpartition(":")[2]} for table in tables]
    return _answer.message(_models.TABLE_LIST, {"table": names}, request.media)


def create(request: Request) -> Answer:
    """Create a namespace."""
    name = _name(request)
    if name in request.database.admin.namespaces.list():
        return _answer.text(
            403,
            f"Namespace '{name}' already exists.  Use REST PUT to alter the existing namespace.",
            ends=False,
        )
    request.database.admin.namespaces.create(name, request.message.get("properties"))
    return _answer.created(request.url)


def alter(request: Request) -> Answer:
    """Replace a namespace's properties."""
    name, admin = _name(request), request.database.admin
    if name not in admin.namespaces.list():
        return _answer.text(
            403, f"Namespace '{name}' does not exist. Use REST POST to create the namespace.", ends=False
        )
    properties = request.message.get("properties") or {}
    admin.namespaces.alter(name, set=properties, unset=set(admin.namespaces.describe(name)) - set(properties))
    # As in HBase, the body is the location, without a header that says so.
    place = json.dumps(request.url) if request.media == _media.JSON else request.url
    return Answer(200, place.encode(), request.media)


def drop(request: Request) -> Answer:
    """Delete an empty namespace."""
    name = _name(request)
    if name not in request.database.admin.namespaces.list():
        return _answer.text(404, f"Namespace '{name}' does not exists.  Cannot drop namespace.", ends=False)
    request.database.admin.namespaces.drop(name)
    return _answer.done()


def _name(request: Request) -> str:
    return decoded(request.parts["namespace"], plus=False)
