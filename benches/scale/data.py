"""The rows of the scale benchmark, all known from their numbers.

A row has ten cells of 16 bytes. Rows are written in an order that is random to the engine. A serialized KeyValue has 60
bytes, so a billion cells are 60 GB before encoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import shake_128

COLUMNS = 10
VALUE_BYTES = 16
CELL_BYTES = 60
"""Bytes of a cell as HBase's KeyValue: lengths, key of 16 bytes, family, qualifier, timestamp, type, value."""
QUALIFIERS = [b"c%d" % number for number in range(COLUMNS)]
_ODD = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def key_of(row: int) -> bytes:
    """The key of a row: 16 hexadecimal digits, different for each number."""
    return b"%016x" % (row * _ODD & _MASK)


def values_of(key: bytes) -> list[bytes]:
    """The values of the row's cells, which do not compress."""
    bits = shake_128(key).digest(COLUMNS * VALUE_BYTES)
    return [bits[start : start + VALUE_BYTES] for start in range(0, len(bits), VALUE_BYTES)]


def rows(start: int, end: int) -> Iterator[tuple[bytes, list[bytes]]]:
    """Keys and values of the rows from ``start`` to before ``end``."""
    for row in range(start, end):
        key = key_of(row)
        yield key, values_of(key)
