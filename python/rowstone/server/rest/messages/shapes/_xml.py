"""Messages as XML, in JAXB's format for HBase's models: an element for each message, bytes in base64."""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from rowstone.errors import InvalidArgument
from rowstone.server.rest.messages.shapes._field import (
    Field,
    Kind,
    Message,
    Shape,
    Spend,
    XmlPosition,
    no_limit,
    packed,
    scalar,
)
from rowstone.server.rest.messages.shapes._xml_tree import Element, parsed

_NAME = re.compile(r"[^\W\d][\w.-]*")
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def to_xml(shape: Shape, message: Message) -> bytes:
    """The message as a document."""
    pieces = [DECLARATION]
    _write(pieces, shape.name, shape, message)
    return "".join(pieces).encode()


def from_xml(shape: Shape, data: bytes, spend: Spend = no_limit) -> Message:
    """Parse a message from a document. Raises `InvalidArgument`, also for entities and document types."""
    spend(2 * len(data))
    root = parsed(data, spend)
    if root.name != shape.name:
        raise InvalidArgument(f"the body is an element '{root.name:.100}', not '{shape.name}'")
    return _message(shape, root)


def _write(pieces: list[str], name: str, shape: Shape, message: Message) -> None:
    attributes = {
        field.name: _text(field, message[field.name])
        for field in shape.fields
        if field.position is XmlPosition.ATTRIBUTE and message.get(field.name) is not None
    }
    if shape.open is not None:
        opened = {name: value for name, value in message.items() if shape.field(name) is None}
        # HBase also writes names that are invalid as attributes, such as coprocessor$1; its output is then not XML.
        attributes.update({name: value for name, value in opened.items() if _NAME.fullmatch(name)})
    start = "".join([name, *(f" {key}={_quoted(value)}" for key, value in attributes.items())])
    inside: list[str] = []
    for field in shape.fields:
        if field.position is not XmlPosition.ATTRIBUTE and message.get(field.name) is not None:
            _write_field(inside, field, message[field.name])
    if inside:
        pieces.extend([f"<{start}>", *inside, f"</{name}>"])
    else:
        pieces.append(f"<{start}/>")


def _write_field(pieces: list[str], field: Field, value: Any) -> None:
    if field.position is XmlPosition.CONTENT:
        pieces.append(escape(_text(field, value)))
    elif field.kind is Kind.PAIRS:
        entries = (
            f"<entry><key>{escape(key)}</key><value>{escape(text)}</value></entry>" for key, text in value.items()
        )
        pieces.append(f"<{field.name}>{''.join(entries)}</{field.name}>")
    elif field.element is None:
        for one in value if field.many else [value]:
            _write_element(pieces, field.name, field, one)
    else:
        inside: list[str] = []
        for one in value:
            _write_element(inside, field.element, field, one)
        pieces.extend([f"<{field.name}>", *inside, f"</{field.name}>"] if inside else [f"<{field.name}/>"])


def _write_element(pieces: list[str], name: str, field: Field, value: Any) -> None:
    if isinstance(field.kind, Shape):
        _write(pieces, name, field.kind, value)
    else:
        pieces.append(f"<{name}>{escape(_text(field, value))}</{name}>")


def _text(field: Field, value: Any) -> str:
    if field.kind is Kind.BYTES:
        return packed(value)
    return str(value).lower() if field.kind is Kind.FLAG else str(value)


def _quoted(text: str) -> str:
    return quoteattr(text, {'"': "&quot;"})


def _message(shape: Shape, element: Element) -> Message:
    message: Message = {}
    for name, text in element.attributes.items():
        field = shape.field(name)
        if field is not None and field.position is XmlPosition.ATTRIBUTE:
            message[name] = scalar(field, text)
        elif shape.open is not None:
            message[name] = text
    for child in element.children:
        field = shape.field(child.name)
        if field is not None and field.position is XmlPosition.ELEMENT:
            _read_field(message, field, child)
    for field in shape.fields:
        if field.position is XmlPosition.CONTENT:
            message[field.name] = scalar(field, element.text)
    return message


def _read_field(message: Message, field: Field, element: Element) -> None:
    if field.kind is Kind.PAIRS:
        message[field.name] = dict(_entry(entry) for entry in element.children if entry.name == "entry")
    elif field.element is not None:
        message[field.name] = [_one(field, child) for child in element.children if child.name == field.element]
    elif field.many:
        message.setdefault(field.name, []).append(_one(field, element))
    else:
        message[field.name] = _one(field, element)


def _one(field: Field, element: Element) -> Any:
    return _message(field.kind, element) if isinstance(field.kind, Shape) else scalar(field, element.text)


def _entry(element: Element) -> tuple[str, str]:
    texts = {child.name: child.text for child in element.children}
    return texts.get("key", ""), texts.get("value", "")
