"""Hashes: in front of what they are made from, or instead of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys._murmur import murmur3
from rowstone.keys._part import Derived, Order, Part

HASHES: Mapping[str, tuple[int, Callable[[bytes], bytes]]] = {
    "md5": (16, lambda data: hashlib.md5(data, usedforsecurity=False).digest()),
    "murmur": (4, lambda data: murmur3(data).to_bytes(4, "big")),
}
"""Length and function by name."""


def md5_key(value: str | bytes) -> bytes:
    """The MD5 digest, 16 bytes: to spread keys and to make them short, not for secrets."""
    return HASHES["md5"][1](value.encode() if isinstance(value, str) else bytes(value))


@dataclass(frozen=True, repr=False)
class HashPrefix(Derived):
    """The first bytes of a hash of other parts. See `md5_prefix`."""

    width: int
    hash: str
    of: tuple[str, ...] | None

    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """The hash's first bytes."""
        return HASHES[self.hash][1](data)[: self.width]

    def __repr__(self) -> str:
        return f"{self.hash}_prefix({self.width}{of_text(self.of)})"


def md5_prefix(width: int = 4, *, of: str | list[str] | tuple[str, ...] | None = None) -> Part:
    """The first ``width`` bytes of the MD5 of the parts ``of``, which stand in the key as well.

    Writes spread, and who knows the parts can rebuild the key. Without ``of`` it is made from everything behind it:
    then only whole keys can be found. With ``of="host"`` the rows of a host stay together, and ranges within are one
    scan.

    Example:
        >>> from rowstone.keys import Key, md5_prefix, text
        >>> Key(md5_prefix(2, of="host"), text("host")).encode(host="a")
        b'\\x0c\\xc1a'
    """
    return _prefix("md5", width, of)


def murmur_prefix(width: int = 4, *, of: str | list[str] | tuple[str, ...] | None = None) -> Part:
    """As `md5_prefix`, of HBase's MurmurHash3; at most 4 bytes."""
    return _prefix("murmur", width, of)


def _prefix(name: str, width: int, of: str | list[str] | tuple[str, ...] | None) -> Part:
    if not 1 <= width <= HASHES[name][0]:
        raise InvalidArgument(f"{name}_prefix({width}): it has 1 to {HASHES[name][0]} bytes")
    return HashPrefix(width, name, names_of(of))


def names_of(of: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The names of parts behind ``of=``."""
    if of is None or isinstance(of, str):
        return (of,) if of else None
    if not all(isinstance(name, str) for name in of) or not of:
        raise InvalidType(f"of={of!r} must be the name of a part, or several")
    return tuple(of)


def of_text(of: tuple[str, ...] | None) -> str:
    """``of=`` as it is written."""
    return "" if of is None else f", of={of[0]!r}" if len(of) == 1 else f", of={list(of)!r}"


@dataclass(frozen=True, repr=False)
class Hashed(Part):
    """A hash in place of the value. See `md5`."""

    name: str
    hash: str
    order: Order = "none"

    @property
    def width(self) -> int:  # type: ignore[override]
        """The hash's length."""
        return HASHES[self.hash][0]

    def encode(self, value: Any) -> bytes:
        """The hash of the text or the bytes."""
        if isinstance(value, Digest):
            return bytes(value)
        if not isinstance(value, (str, bytes, bytearray, memoryview)):
            self.wrong_type(value, "str or bytes")
        return HASHES[self.hash][1](value.encode() if isinstance(value, str) else bytes(value))

    def decode(self, data: bytes, start: int) -> tuple[Digest, int]:
        """The hash: what it was made from is gone."""
        return Digest(self.taken(data, start, self.width)), start + self.width

    def __repr__(self) -> str:
        return f"{self.hash}({self.name!r})"


class Digest(bytes):
    """A hash that was read from a key: encoded again, it stays as it is."""

    def __repr__(self) -> str:
        return f"Digest({self.hex()!r})"


def md5(name: str) -> Part:
    """The MD5 of a text or of bytes, 16 bytes, in place of it: fixed length, well spread, and not to be read back.

    Decoded, it is a `Digest`. Store the value in a column where it is needed.
    """
    return Hashed(name, "md5")


def murmur(name: str) -> Part:
    """HBase's MurmurHash3 of a text or of bytes, 4 bytes, in place of it. Different values may share one."""
    return Hashed(name, "murmur")
