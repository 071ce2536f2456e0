"""Filters as clients write them: HBase's filter language, or HBase's messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone import _native

if TYPE_CHECKING:
    from rowstone.filters import Filter


def parsed(text: bytes) -> Filter:
    """The filter of a text. Raises `InvalidArgument`."""
    return _native.parse_filter(text)


def unpacked(message: bytes) -> Filter:
    """The filter of HBase's protobuf message. Raises `InvalidArgument`, `UnsupportedOperation`."""
    return _native.unpack_filter(message)
