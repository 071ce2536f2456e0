"""Content negotiation: the media type of a response, from the Accept header, as in HBase's REST server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rowstone.errors import InvalidArgument
from rowstone.server.rest.messages.shapes import (
    Message,
    Shape,
    Spend,
    from_json,
    from_protobuf,
    from_xml,
    no_limit,
    to_json,
    to_protobuf,
    to_xml,
)

TEXT = "text/plain"
XML = "text/xml"
JSON = "application/json"
PROTOBUF = "application/x-protobuf"
PROTOBUF_IETF = "application/protobuf"
BINARY = "application/octet-stream"

MODELS = (XML, JSON, PROTOBUF, PROTOBUF_IETF)
"""The representations of messages."""
TEXT_AND_MODELS = (TEXT, *MODELS)


@dataclass(frozen=True)
class MediaRange:
    """An entry of an Accept header: ``text/*;q=0.5``."""

    name: str
    quality: float

    def matches(self, media: str) -> bool:
        """Whether ``media`` is in this range."""
        if self.name == "*/*":
            return True
        kind, _, subkind = self.name.partition("/")
        return self.name == media or (subkind == "*" and media.startswith(f"{kind}/"))

    @property
    def precision(self) -> int:
        """Specificity: 2 for a media type, 1 for ``text/*``, 0 for ``*/*``."""
        return 0 if self.name == "*/*" else 1 if self.name.endswith("/*") else 2


def select_media(accept: str | None, offered: Sequence[str]) -> str | None:
    """The media type of ``offered`` (in the server's order of preference) that suits the client best, or None. Source:
    JAX-RS's selection: the client's quality first, then how specifically the range names the type."""
    ranges = _ranges(accept) if accept and accept.strip() else [MediaRange("*/*", 1.0)]
    best: tuple[float, int, int] | None = None
    for place, media in enumerate(offered):
        fitting = [each for each in ranges if each.matches(media)]
        if not fitting:
            continue
        precise = max(fitting, key=lambda each: each.precision)
        rank = (precise.quality, precise.precision, -place)
        if precise.quality > 0 and (best is None or rank > best):
            best = rank
    return None if best is None else offered[-best[2]]


def _ranges(accept: str) -> list[MediaRange]:
    ranges = []
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                try:
                    quality = float(value)
                except ValueError:
                    raise InvalidArgument(f"the header Accept has a quality {value!r:.20}, not a number") from None
        ranges.append(MediaRange("*/*" if name == "*" else name, quality))
    return ranges


def bare(content_type: str | None) -> str | None:
    """A media type without parameters such as ``charset``."""
    return content_type.partition(";")[0].strip().lower() if content_type else None


def encode(shape: Shape, message: Message, media: str) -> bytes:
    """Serialize a message to a media type."""
    if media == JSON:
        return to_json(shape, message)
    if media == XML:
        return to_xml(shape, message)
    if media == TEXT and shape.text is not None:
        return shape.text(message).encode(errors="surrogateescape")
    return to_protobuf(shape, message)


def decode(shape: Shape, data: bytes, media: str, spend: Spend = no_limit) -> Message:
    """Parse a body of a media type; ``spend`` receives the memory used. Raises `InvalidArgument`."""
    if media == JSON:
        return from_json(shape, data, spend)
    if media == XML:
        return from_xml(shape, data, spend)
    return from_protobuf(shape, data, spend)
