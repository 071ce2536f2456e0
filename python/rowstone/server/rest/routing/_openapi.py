"""``/openapi.json``: an OpenAPI 3.1 document, generated from the table of routes.

It hides no table named ``openapi.json``: every route of a table has a slash after the name.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from rowstone._base.version import __version__
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import Answer
from rowstone.server.rest.messages import _media
from rowstone.server.rest.messages.shapes import Shape, schemas
from rowstone.server.rest.routing._route import Operation, Parameter, Route

PATH = "/openapi.json"
_PARTS = {
    "table": "A table: name or namespace:name",
    "row": "row, row/columns, row/columns/times; from,to for a range of rows. Its slashes separate these",
    "columns": "Families and columns, separated by commas; empty for all",
    "prefix": "What the rows' keys begin with",
    "namespace": "A namespace",
    "scanner": "The scanner's id, from the header Location that opening it gave",
}
_DO_AS = Parameter("doAs", "For whom a proxy makes the request")
_REFUSALS = {
    401: "The credentials are not accepted",
    403: "The user may not do that",
    406: "No form that the client accepts",
    503: "The database refuses, or cannot do it now",
}


def answer(method: str) -> Answer:
    """Serve the document."""
    if method not in ("GET", "HEAD"):
        refused = _answer.text(405, "Method Not Allowed")
        return Answer(405, refused.body, refused.media, {"Allow": "HEAD,GET"})
    return Answer(200, json.dumps(document(), indent=2).encode(), _media.JSON)


@cache
def document() -> dict[str, Any]:
    """OpenAPI's description of all routes."""
    from rowstone.server.rest.messages._models import SHAPES
    from rowstone.server.rest.routing._routes import ROUTES

    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rowstone's REST gateway",
            "version": __version__,
            "description": "HBase's REST interface to a Rowstone database. Bytes are base64 in JSON and XML.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            PATH: {"get": _own()},
            **{route.path: _path(route) for route in ROUTES},
        },
        "components": {
            "schemas": schemas(SHAPES),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{}, {"basic": []}, {"bearer": []}],
    }


def _own() -> dict[str, Any]:
    content = {_media.JSON: {"schema": {"type": "object"}}}
    return {
        "operationId": "openapi",
        "summary": "This document",
        "responses": {"200": {"description": "The document", "content": content}},
    }


def _path(route: Route) -> dict[str, Any]:
    parts = [
        {"name": name, "in": "path", "required": True, "description": _PARTS[name], "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    path: dict[str, Any] = {"parameters": [*parts, _parameter(_DO_AS)]}
    for method in route.methods:
        path[method.lower()] = _operation(route, [each for each in route.operations if each.method == method])
    return path


def _operation(route: Route, operations: list[Operation]) -> dict[str, Any]:
    """One method: operations that differ only in the media type become one operation in the document."""
    first = operations[0]
    parameters = dict.fromkeys(each for operation in operations for each in operation.parameters)
    described: dict[str, Any] = {
        "operationId": f"{first.handle.__module__.rpartition('.')[2]}_{first.handle.__name__}_{first.method.lower()}",
        "summary": "; ".join(dict.fromkeys(operation.summary for operation in operations)),
        "responses": _responses(operations),
    }
    if parameters:
        described["parameters"] = [_parameter(each) for each in parameters]
    bodies = [(operation.reads, media) for operation in operations for media in operation.consumes]
    if bodies:
        described["requestBody"] = {"content": {media: _content(shape, media) for shape, media in bodies}}
    return described


def _responses(operations: list[Operation]) -> dict[str, Any]:
    statuses: dict[int, str] = {}
    for operation in operations:
        statuses.update(operation.statuses or {200: "OK"})
    content = {
        media: _content(operation.gives, media)
        for operation in operations
        for media in operation.produces
        if operation.gives is not None or media == _media.BINARY
    }
    responses: dict[str, Any] = {}
    for status, description in sorted({**_REFUSALS, **statuses}.items()):
        responses[str(status)] = {"description": description}
        if status == 200 and content:
            responses["200"]["content"] = content
    return responses


def _content(shape: Shape | None, media: str) -> dict[str, Any]:
    if shape is None or media in (_media.PROTOBUF, _media.PROTOBUF_IETF, _media.BINARY):
        return {}
    if media == _media.TEXT:
        return {"schema": {"type": "string"}}
    return {"schema": {"$ref": f"#/components/schemas/{shape.name}"}}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    one = {"type": parameter.kind}
    return {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.description,
        "schema": {"type": "array", "items": one} if parameter.is_list else one,
    }
