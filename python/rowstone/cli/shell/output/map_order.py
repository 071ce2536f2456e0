"""Iteration order of Java's ``HashMap``, in which HBase prints family descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def text_hash(text: str) -> int:
    """``String.hashCode``, as 32 bits."""
    code = 0
    for unit in text.encode("utf-16-be")[1::2] if text.isascii() else map(ord, text):
        code = (31 * code + unit) & 0xFFFFFFFF
    return code


def bytes_hash(text: str) -> int:
    """``Bytes.hashCode`` of HBase, as 32 bits: bytes are signed."""
    code = 1
    for byte in text.encode():
        code = (31 * code + (byte - 256 if byte > 127 else byte)) & 0xFFFFFFFF
    return code


def in_map_order(keys: Iterable[str], hash_of: Callable[[str], int], *, capacity: int = 16) -> list[str]:
    """``keys``, put one after the other into a map of at least ``capacity`` places, in its order.

    >>> in_map_order(["TTL", "VERSIONS", "BLOCKSIZE"], bytes_hash)
    ['VERSIONS', 'TTL', 'BLOCKSIZE']
    """
    names = list(dict.fromkeys(keys))
    while len(names) > capacity * 3 // 4:
        capacity *= 2
    buckets: dict[int, list[str]] = {}
    for name in names:
        code = hash_of(name)
        buckets.setdefault((code ^ (code >> 16)) & (capacity - 1), []).append(name)
    return [name for place in sorted(buckets) for name in buckets[place]]
