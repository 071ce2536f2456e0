"""Hashes: in front of the parts that they are computed from, or in place of a value."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys.parts._part import Derived, Order, Part

HASHES: Mapping[str, tuple[int, Callable[[bytes], bytes]]] = {
    "md5": (16, lambda data: hashlib.md5(data, usedforsecurity=False).digest()),
    "murmur": (4, lambda data: murmur3(data).to_bytes(4, "big")),
}
"""Length and function of each hash, by name."""


def md5_key(value: str | bytes) -> bytes:
    """Return the 16-byte MD5 digest: to spread and shorten keys, not for security."""
    return HASHES["md5"][1](value.encode() if isinstance(value, str) else bytes(value))


@dataclass(frozen=True, repr=False)
class HashPrefix(Derived):
    """The first bytes of a hash of other parts. See `md5_prefix`."""

    width: int
    hash: str
    of: tuple[str, ...] | None

    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """Return the first bytes of the hash."""
        return HASHES[self.hash][1](data)[: self.width]

    def __repr__(self) -> str:
        return f"{self.hash}_prefix({self.width}{of_text(self.of)})"


def md5_prefix(width: int = 4, *, of: str | list[str] | tuple[str, ...] | None = None) -> Part:
    """The first ``width`` bytes of the MD5 of the parts ``of``, which stay in the key as well.

    Writes spread, and the key can be computed from its parts. Without ``of`` everything after the prefix is hashed:
    then only whole keys can be found. With ``of="host"`` the rows of a host stay together, and a range within a host is
    one scan.

    Example:
        >>> from rowstone.keys import Key, md5_prefix, text
        >>> Key(md5_prefix(2, of="host"), text("host")).encode(host="a")
        b'\\x0c\\xc1a'
    """
    return _prefix("md5", width, of)


def murmur_prefix(width: int = 4, *, of: str | list[str] | tuple[str, ...] | None = None) -> Part:
    """Like `md5_prefix`, with HBase's MurmurHash3; at most 4 bytes."""
    return _prefix("murmur", width, of)


def _prefix(name: str, width: int, of: str | list[str] | tuple[str, ...] | None) -> Part:
    if not 1 <= width <= HASHES[name][0]:
        raise InvalidArgument(f"{name}_prefix({width}): it has 1 to {HASHES[name][0]} bytes")
    return HashPrefix(width, name, names_of(of))


def names_of(of: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The names of parts given as ``of=``."""
    if of is None or isinstance(of, str):
        return (of,) if of else None
    if not all(isinstance(name, str) for name in of) or not of:
        raise InvalidType(f"of={of!r} must be the name of a part, or several")
    return tuple(of)


def of_text(of: tuple[str, ...] | None) -> str:
    """``of=`` as source text."""
    return "" if of is None else f", of={of[0]!r}" if len(of) == 1 else f", of={list(of)!r}"


@dataclass(frozen=True, repr=False)
class Hashed(Part):
    """A hash stored in place of a value. See `md5`."""

    name: str
    hash: str
    order: Order = "none"
    arrow_type = "binary"

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
        return HASHES[self.hash][1](self.utf8(value) if isinstance(value, str) else bytes(value))

    def decode(self, data: bytes, start: int) -> tuple[Digest, int]:
        """Return the hash: the hashed value cannot be recovered."""
        return Digest(self.take(data, start, self.width)), start + self.width

    def __repr__(self) -> str:
        return f"{self.hash}({self.name!r})"


class Digest(bytes):
    """A hash that was decoded from a key; encoding it again leaves it unchanged."""

    def __repr__(self) -> str:
        return f"Digest({self.hex()!r})"


def md5(name: str) -> Part:
    """The 16-byte MD5 of a text or of bytes, stored in place of it: fixed length, evenly spread, not reversible.

    It is decoded to a `Digest`. If you need the value, store it in a column.
    """
    return Hashed(name, "md5")


def murmur(name: str) -> Part:
    """The 4-byte MurmurHash3 of HBase of a text or of bytes, stored in place of it. Different values may collide."""
    return Hashed(name, "murmur")


_MASK = 0xFFFFFFFF


def _rotated(number: int, bits: int) -> int:
    return ((number << bits) | (number >> (32 - bits))) & _MASK


def _mixed(block: int) -> int:
    return _rotated(block * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK


def murmur3(data: bytes, seed: int = 0) -> int:
    """Return the hash, from 0 to 2**32 - 1. HBase uses the same 32 bits as a signed number.

    >>> murmur3(b"hello")
    613153351
    """
    state = seed & _MASK
    whole = len(data) & ~3
    for place in range(0, whole, 4):
        state ^= _mixed(int.from_bytes(data[place : place + 4], "little"))
        state = (_rotated(state, 13) * 5 + 0xE6546B64) & _MASK
    if len(data) > whole:
        state ^= _mixed(int.from_bytes(data[whole:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & _MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
    return state ^ state >> 16
