"""Description of a message: its fields, and the position of each in each format."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rowstone.errors import InvalidArgument

Message = dict[str, Any]
Spend = Callable[[int], None]
"""Receives the bytes of memory that parsing takes; may raise to stop it."""


def no_limit(_: int) -> None:
    """Ignore the bytes: parsing is not limited."""


class Kind(Enum):
    """Type of a field. ``PAIRS`` is a mapping from text to text."""

    TEXT = "text"
    BYTES = "bytes"
    INT = "int"
    LONG = "long"
    DOUBLE = "double"
    FLAG = "flag"
    PAIRS = "pairs"


class XmlPosition(Enum):
    """Position of a field in XML: an attribute, a nested element, or the element's text."""

    ATTRIBUTE = "attribute"
    ELEMENT = "element"
    CONTENT = "content"


@dataclass(frozen=True)
class Field:
    """A field: its name in JSON and XML, its protobuf number (0: absent), its type.

    Of a ``many`` field, ``element`` is the XML name of each item, inside an element with the field's name. If
    ``is_flat``, protobuf encodes the nested message, which has a single field, as that field.
    """

    name: str
    number: int
    kind: Kind | Shape
    many: bool = False
    position: XmlPosition = XmlPosition.ATTRIBUTE
    element: str | None = None
    is_flat: bool = False


@dataclass(frozen=True)
class Open:
    """Fields with arbitrary names and text values: in JSON and XML, attributes next to the declared fields.

    In protobuf they are messages (name 1, value 2) under ``number``. Those in ``typed`` are also written under their
    own number and kind, which takes precedence when a message is parsed.
    """

    number: int
    typed: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Shape:
    """A message: the name of its XML element and of its schema, its fields, and its plain text form, if it has one."""

    name: str
    fields: tuple[Field, ...]
    open: Open | None = None
    text: Callable[[Message], str] | None = None

    def field(self, name: str) -> Field | None:
        """Look up a field by name."""
        return next((field for field in self.fields if field.name == name), None)


_LIMITS = {Kind.INT: 1 << 31, Kind.LONG: 1 << 63}


def packed(value: bytes) -> str:
    """Encode bytes as base64."""
    return base64.b64encode(value).decode()


def unpacked(name: str, text: Any) -> bytes:
    """Decode base64; line breaks and missing padding are accepted."""
    if not isinstance(text, str):
        raise InvalidArgument(f"{name} is {type(text).__name__}, not base64")
    joined = "".join(text.split())
    try:
        return base64.b64decode(joined + "=" * (-len(joined) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidArgument(f"{name} is not base64: {error}") from None


def scalar(field: Field, value: Any) -> Any:
    """Parse a scalar field from a JSON value or an XML text."""
    kind = field.kind
    if kind is Kind.BYTES:
        return unpacked(field.name, value)
    if kind is Kind.TEXT:
        return open_text(value)
    if kind is Kind.FLAG:
        return value if isinstance(value, bool) else str(value).strip().lower() == "true"
    assert isinstance(kind, Kind)
    return _number(field.name, kind, value)


def checked_number(name: str, kind: Kind, number: int) -> int:
    """Check that a whole number is in range. Raises `InvalidArgument`."""
    limit = _LIMITS[kind]
    if not -limit <= number < limit:
        raise InvalidArgument(f"{name} is {number}: it must be from {-limit} to {limit - 1}")
    return number


def _number(name: str, kind: Kind, value: Any) -> int | float:
    try:
        if kind is Kind.DOUBLE:
            return float(value)
        if isinstance(value, bool):
            raise ValueError
        return checked_number(name, kind, int(value))
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidArgument):
            raise
        raise InvalidArgument(f"{name} is {value!r:.100}, not a number") from None


def _show(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    raise InvalidArgument(f"the value must be a text, not {type(value).__name__}")


def open_text(value: Any) -> str:
    """The text of an open field, or its name. JSON can have half a character, which is no text."""
    text = value if isinstance(value, str) else _show(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(f"{text!r:.100} is not valid Unicode") from None
    return text
