"""Responses of resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rowstone.server.rest.messages import _media
from rowstone.server.rest.messages.shapes import Message, Shape

NO_CACHE = {"Cache-Control": "no-cache"}
"""For responses that must not be cached: tables, schemas, status, scanners."""


@dataclass(frozen=True)
class Answer:
    """A status, headers, and a body: bytes of a media type, or a stream of chunks."""

    status: int
    body: bytes | Iterator[bytes] = b""
    media: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def text(status: int, line: str, *, ends: bool = True) -> Answer:
    """A line of plain text; HBase mostly ends it with CR LF. It may have bytes of the request that are no text."""
    return Answer(status, (line + "\r\n" * ends).encode(errors="backslashreplace"), _media.TEXT)


def message(shape: Shape, value: Message, media: str, headers: Mapping[str, str] | None = None) -> Answer:
    """A message in the media type that the client accepts."""
    return Answer(200, _media.encode(shape, value, media), media, headers or {})


def done() -> Answer:
    """200 without a body."""
    return Answer(200)


def created(location: str) -> Answer:
    """201: created at ``location``."""
    return Answer(201, headers={"Location": location})


NOT_FOUND = text(404, "Not found")
GONE = text(410, "Gone")
