"""Shapes as OpenAPI 3.1 schemas (JSON Schema), with annotations for XML."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rowstone.server.rest.messages.shapes._field import Field, Kind, Shape, XmlPosition

_KINDS: dict[Kind, dict[str, Any]] = {
    Kind.TEXT: {"type": "string"},
    Kind.BYTES: {"type": "string", "contentEncoding": "base64"},
    Kind.INT: {"type": "integer", "format": "int32"},
    Kind.LONG: {"type": "integer", "format": "int64"},
    Kind.DOUBLE: {"type": "number", "format": "double"},
    Kind.FLAG: {"type": "boolean"},
    Kind.PAIRS: {"type": ["object", "null"], "additionalProperties": {"type": "string"}},
}


def schemas(shapes: Iterable[Shape]) -> dict[str, Any]:
    """A schema for each shape, nested ones included, by name."""
    found: dict[str, Any] = {}
    waiting = list(shapes)
    while waiting:
        shape = waiting.pop()
        if shape.name not in found:
            found[shape.name] = _schema(shape)
            waiting += [field.kind for field in shape.fields if isinstance(field.kind, Shape)]
    return dict(sorted(found.items()))


def _schema(shape: Shape) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.name: _property(field) for field in shape.fields},
        "additionalProperties": {"type": "string"} if shape.open is not None else False,
        "xml": {"name": shape.name},
    }


def _property(field: Field) -> dict[str, Any]:
    kind = field.kind
    one: dict[str, Any] = (
        {"$ref": f"#/components/schemas/{kind.name}"} if isinstance(kind, Shape) else dict(_KINDS[kind])
    )
    if field.many:
        return {"type": "array", "items": one, "xml": {"name": field.name, "wrapped": field.element is not None}}
    if field.position is XmlPosition.ATTRIBUTE:
        one["xml"] = {"attribute": True}
    return one
