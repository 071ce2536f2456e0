"""Requests, as resources receive them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus

from rowstone import filters
from rowstone._core.database import Database
from rowstone._core.table import Table
from rowstone.errors import InvalidArgument
from rowstone.filters import Filter
from rowstone.server.rest.messages.shapes import Message

if TYPE_CHECKING:
    from rowstone.server.rest._scanners import Scanners
    from rowstone.server.rest._status import Load


class NotANumber(InvalidArgument):
    """A text that must be a whole number is not one, or is too large."""

    remote_class = "java.lang.NumberFormatException"


@dataclass(frozen=True)
class Request:
    """A request after routing, authentication and parsing.

    ``parts`` are the variable parts of its path, still percent-encoded; ``message`` is the body in the resource's
    shape, and ``media`` the media type of the response.
    """

    method: str
    url: str
    parts: Mapping[str, str]
    query: Query
    headers: Mapping[str, str]
    body: bytes
    message: Message
    media: str
    user: str
    database: Database
    scanners: Scanners
    load: Load
    address: str

    @property
    def table_name(self) -> str:
        """The table name in the path."""
        return decoded(self.parts["table"], plus=False)

    def table(self) -> Table:
        """Open the table in the path. Raises `TableNotFound`."""
        return self.database.table(self.table_name)


class Query:
    """The decoded query parameters; each may occur several times."""

    def __init__(self, text: str) -> None:
        pairs = parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            self._values.setdefault(name, []).append(value)

    def all(self, name: str) -> list[str]:
        """All values of a parameter."""
        return self._values.get(name, [])

    def get(self, name: str) -> str | None:
        """The first value of a parameter."""
        return self._values.get(name, [None])[0]

    def get_of_any_case(self, name: str) -> str | None:
        """The first value of a parameter, ignoring case in its name."""
        found = [values[0] for key, values in self._values.items() if key.lower() == name.lower()]
        return found[0] if found else None

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def number(self, name: str, default: int) -> int:
        """An integer parameter. Raises `InvalidArgument`."""
        text = self.get(name)
        if text is None or text == "":
            return default
        return whole_number(name, text)

    def flag(self, name: str, default: bool) -> bool:
        """Whether a parameter is ``true``, in any case."""
        text = self.get(name)
        return default if text is None else text.lower() == "true"


def whole_number(name: str, text: str, bits: int = 64) -> int:
    """Parse an integer as Java does. Raises `NotANumber`."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if digits.isascii() and digits.isdigit() and len(digits) < 20:
        number = int(text)
        if -(1 << bits - 1) <= number < 1 << bits - 1:
            return number
    raise NotANumber(f"{name} is '{text:.100}', not a number of {bits} bits")


def decoded(part: str, *, plus: bool = True) -> str:
    """Decode a percent-encoded part of a path; a plus sign is a space where Java's ``URLDecoder`` is used."""
    if not plus:
        part = part.replace("+", "%2B")
    try:
        return unquote_plus(part, errors="strict")
    except UnicodeDecodeError:
        raise InvalidArgument(f"'{part:.100}' is not UTF-8; send keys that are no text with e=b64") from None


def filter_of(request: Request) -> Filter | None:
    """The filter of the query; ``filter_b64`` (URL-safe base64) takes precedence over ``filter``."""
    packed, text = request.query.get("filter_b64"), request.query.get("filter")
    if packed is not None:
        try:
            data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise InvalidArgument(f"filter_b64 is not base64: {error}") from None
        return filters.parse(data)
    return None if text is None else filters.parse(text.encode(errors="surrogateescape"))
