"""XML read into elements, without what makes XML dangerous: no document types, so no entities; bounded depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from rowstone.errors import InvalidArgument

MOST_DEPTH = 32


@dataclass
class Element:
    """An element: name, attributes, the elements in it, and its own text."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""


def parsed(data: bytes) -> Element:
    """The document's element. Raises `InvalidArgument`, also where the document declares a type or an entity."""
    root = Element("", {})
    open_elements = [root]
    texts: list[list[str]] = [[]]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > MOST_DEPTH:
            raise InvalidArgument(f"the body nests more than {MOST_DEPTH} elements")
        element = Element(name, attributes)
        open_elements[-1].children.append(element)
        open_elements.append(element)
        texts.append([])

    def end(_: str) -> None:
        open_elements.pop().text = "".join(texts.pop())

    def refuse(*_: object) -> None:
        raise InvalidArgument("the body declares a document type or an entity, which is not allowed")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: texts[-1].append(text)
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InvalidArgument(f"the body is not XML: {error}") from None
    return root.children[0]
