"""Row keys of an import, composed of several fields by a `rowstone.keys.Key`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.keys._buckets import RoundRobin
from rowstone.keys._key import Key
from rowstone.keys._part import MISSING


def key_fields(key: Key) -> list[str | int]:
    """Return the fields of a file that a key consists of: the names of its parts.

    Raises:
        InvalidArgument: The key differs each time it is encoded, so a resumed import would write rows twice; or it
            has no fields.
    """
    for part in key.parts:
        if isinstance(part, RoundRobin) or (part.name and part.default() is not MISSING):
            raise InvalidArgument(
                f"{part!r} makes another key each time: rows that are written again after an interruption would be "
                "there twice; use salt or bucket"
            )
    if not key.fields:
        raise InvalidArgument(f"{key!r} is made of no field")
    return list(key.fields)


def key_encoder(key: Key) -> Callable[..., bytes]:
    """Return the function that encodes the values of `key_fields` as a row key. CSV values are bytes; JSON and Parquet
    have their own types."""
    parts = {part.name: part for part in key.parts if part.name}

    def value_of(name: str, value: Any) -> Any:
        text = value.decode() if isinstance(value, bytes) else value
        return parts[name].from_text(text) if isinstance(text, str) else text

    def encode(*values: Any) -> bytes:
        return key.encode({name: value_of(name, value) for name, value in zip(key.fields, values, strict=True)})

    return encode
