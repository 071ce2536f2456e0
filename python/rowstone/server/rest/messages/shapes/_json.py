"""Messages as JSON, in Jackson's format for HBase's models: bytes in base64, unknown names refused."""

from __future__ import annotations

import json
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.server.rest.messages.shapes._field import (
    Field,
    Kind,
    Message,
    Shape,
    Spend,
    no_limit,
    open_text,
    packed,
    scalar,
)


def to_json(shape: Shape, message: Message) -> bytes:
    """The message as JSON without spaces."""
    return json.dumps(_plain(shape, message), separators=(",", ":"), ensure_ascii=False).encode()


_VALUE_BYTES = 128
_MARKS = (b",", b":", b"[", b"{")
"""Each stands before a value."""


def from_json(shape: Shape, data: bytes, spend: Spend = no_limit) -> Message:
    """Parse a message from JSON. Raises `InvalidArgument`."""
    spend(len(data) + _VALUE_BYTES * sum(map(data.count, _MARKS)))
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"the body is not JSON: {error}") from None
    return _message(shape, value)


def _plain(shape: Shape, message: Message) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for field in shape.fields:
        value = message.get(field.name)
        if value is None:
            if field.kind is Kind.PAIRS:
                plain[field.name] = None
        elif field.many:
            plain[field.name] = [_plain_one(field, one) for one in value]
        else:
            plain[field.name] = _plain_one(field, value)
    if shape.open is not None:
        plain.update({name: value for name, value in message.items() if shape.field(name) is None})
    return plain


def _plain_one(field: Field, value: Any) -> Any:
    if field.kind is Kind.BYTES:
        return packed(value)
    return _plain(field.kind, value) if isinstance(field.kind, Shape) else value


def _message(shape: Shape, value: Any) -> Message:
    if not isinstance(value, dict):
        raise InvalidArgument(f"{shape.name} is {type(value).__name__}, not an object")
    message: Message = {}
    for name, one in value.items():
        field = shape.field(name)
        if field is None:
            if shape.open is None:
                known = ", ".join(field.name for field in shape.fields)
                raise InvalidArgument(f"{shape.name} has no field '{name}'; there are: {known}")
            message[open_text(name)] = open_text(one)
        elif one is not None:
            message[name] = _many(field, one) if field.many else _one(field, one)
    return message


def _many(field: Field, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidArgument(f"{field.name} is {type(value).__name__}, not a list")
    return [_one(field, one) for one in value]


def _one(field: Field, value: Any) -> Any:
    if isinstance(field.kind, Shape):
        return _message(field.kind, value)
    if field.kind is Kind.PAIRS:
        if not isinstance(value, dict):
            raise InvalidArgument(f"{field.name} is {type(value).__name__}, not an object")
        return {open_text(name): open_text(text) for name, text in value.items()}
    return scalar(field, value)
