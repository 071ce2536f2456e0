"""Message descriptions, from which JSON, XML, protobuf and OpenAPI schemas are derived.

A message is a `dict` by the field names of its `Shape`; bytes are bytes in it, and become base64 at the edge.
"""

from rowstone.server.rest.messages.shapes._field import Field, Kind, Message, Open, Shape, Spend, XmlPosition, no_limit
from rowstone.server.rest.messages.shapes._json import from_json, to_json
from rowstone.server.rest.messages.shapes._protobuf import from_protobuf, to_protobuf
from rowstone.server.rest.messages.shapes._schema import schemas
from rowstone.server.rest.messages.shapes._xml import from_xml, to_xml

__all__ = [
    "Field",
    "Kind",
    "Message",
    "Open",
    "Shape",
    "Spend",
    "XmlPosition",
    "from_json",
    "from_protobuf",
    "from_xml",
    "no_limit",
    "schemas",
    "to_json",
    "to_protobuf",
    "to_xml",
]
