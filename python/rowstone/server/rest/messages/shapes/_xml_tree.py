"""Safe XML parsing into elements: no document types, so no entities; limited depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from rowstone.errors import InvalidArgument
from rowstone.server.rest.messages.shapes._field import Spend, no_limit

MOST_DEPTH = 32
_ELEMENT_BYTES = 600
_ATTRIBUTE_BYTES = 150
_ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1")
"""Encodings built into the parser; others are Python's, and not all of those are available."""


@dataclass(slots=True)
class Element:
    """An element: name, attributes, child elements, and its own text."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""


def parsed(data: bytes, spend: Spend = no_limit) -> Element:
    """Parse a document into its root element. Raises `InvalidArgument`, also for a document type or an entity."""
    root = Element("", {})
    open_elements = [root]
    texts: list[list[str]] = [[]]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > MOST_DEPTH:
            raise InvalidArgument(f"the body nests more than {MOST_DEPTH} elements")
        spend(_ELEMENT_BYTES + _ATTRIBUTE_BYTES * len(attributes))
        element = Element(name, attributes)
        open_elements[-1].children.append(element)
        open_elements.append(element)
        texts.append([])

    def end(_: str) -> None:
        open_elements.pop().text = "".join(texts.pop())

    def refuse(*_: object) -> None:
        raise InvalidArgument("the body declares a document type or an entity, which is not allowed")

    def declared(_: str, encoding: str | None, __: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise InvalidArgument(f"the body's encoding is '{encoding:.40}', not one of {', '.join(_ENCODINGS)}")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: texts[-1].append(text)
    parser.XmlDeclHandler = declared
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InvalidArgument(f"the body is not XML: {error}") from None
    return root.children[0]
