"""Row keys of an import that a `rowstone.keys.Key` makes out of several fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.keys._buckets import RoundRobin
from rowstone.keys._key import Key
from rowstone.keys._part import MISSING


def key_fields(key: Key) -> list[str | int]:
    """The fields of a file that a key is made of, by the names of its parts.

    Raises:
        InvalidArgument: The key is another each time that it is made, so that an import that goes on would write rows
            twice; or it has no fields.
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
    """What makes the values of `key_fields`, bytes of CSV or what JSON and Parquet have, into the row key."""
    parts = {part.name: part for part in key.parts if part.name}

    def value_of(name: str, value: Any) -> Any:
        text = value.decode() if isinstance(value, bytes) else value
        return parts[name].from_text(text) if isinstance(text, str) else text

    def encode(*values: Any) -> bytes:
        return key.encode({name: value_of(name, value) for name, value in zip(key.fields, values, strict=True)})

    return encode
