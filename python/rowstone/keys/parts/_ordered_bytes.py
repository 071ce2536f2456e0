"""HBase's OrderedBytes: self-describing values that sort, ascending or descending.

    05                null                    2b + 4 bytes      int32, sign bit flipped
    07 … 26           number                  2c + 8 bytes      int64, sign bit flipped
    29 + 1 byte       int8, sign bit flipped  30 + 4 bytes      float32, as `_floats`
    2a + 2 bytes      int16                   31 + 8 bytes      float64
    34 … 00           text, UTF-8             37 …              blob: 7 bits a byte, the first bit says "more"
                                              38 … (00)         blob as it is; the 00 descending only; last in a key

Descending, every bit is flipped. Blobs of different lengths do not sort correctly: ``01`` is 37 80 40, which comes
before 37 80 80 00 of ``00 00``. That is HBase's encoding; nothing here relies on its order.

Source: HBase's ``org.apache.hadoop.hbase.util.OrderedBytes``.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys.parts._floats import from_sortable, sortable
from rowstone.keys.parts._ordered_number import decode_number, encode_number
from rowstone.keys.parts._reverse import complement

INTEGERS = {"int8": (0x29, 1), "int16": (0x2A, 2), "int32": (0x2B, 4), "int64": (0x2C, 8)}
FLOATS = {"float32": (0x30, 4), "float64": (0x31, 8)}
NULLABLE = ("number", "text", "blob", "blob_copy")
KINDS = (*INTEGERS, *FLOATS, *NULLABLE)
"""Kinds of values that can be encoded."""

_NULL, _TEXT, _BLOB, _BLOB_COPY = b"\x05", b"\x34", b"\x37", b"\x38"


def encode(kind: str, value: Any, *, descending: bool = False) -> bytes:
    """Encode a value as HBase does; None is null, for the kinds that have one.

    Raises:
        InvalidArgument: OrderedBytes cannot represent the value. InvalidType: The value has another type.

    Example:
        >>> encode("text", "a").hex(), encode("int8", 1, descending=True).hex()
        ('346100', 'd67e')
    """
    data = _null(kind, descending) if value is None else _ascending(kind, value, descending)
    return complement(data) if descending else data


def _null(kind: str, descending: bool) -> bytes:
    if kind not in NULLABLE:
        raise InvalidType(f"{kind} of OrderedBytes has no null")
    return _NULL + b"\0" if kind == "blob_copy" and descending else _NULL


def _ascending(kind: str, value: Any, descending: bool) -> bytes:
    if kind in INTEGERS:
        header, width = INTEGERS[kind]
        half = 1 << (8 * width - 1)
        if not -half <= _of_type(kind, value, int) < half:
            raise InvalidArgument(f"{value} does not fit {kind}: {-half} to {half - 1}")
        shifted: int = value + half
        return bytes([header]) + shifted.to_bytes(width, "big")
    if kind in FLOATS:
        header, width = FLOATS[kind]
        try:
            return bytes([header]) + sortable(float(_of_type(kind, value, int, float)), width)
        except OverflowError:
            raise InvalidArgument(f"{value} does not fit {kind}") from None
    if kind == "number":
        return encode_number(_of_type(kind, value, int, float, Decimal))
    if kind == "text":
        data: bytes = _of_type(kind, value, str).encode()
        if b"\0" in data:
            raise InvalidArgument(f"{value!r} has U+0000, which ends a text of OrderedBytes; use blob")
        return _TEXT + data + b"\0"
    blob = bytes(_of_type(kind, value, bytes, bytearray, memoryview))
    if kind == "blob":
        return _BLOB + _seven_bits(blob)
    if descending and b"\0" in blob:
        raise InvalidArgument(f"{blob!r} has a byte of zero, which ends a descending blob_copy; use blob")
    return _BLOB_COPY + blob + (b"\0" if descending else b"")


def _of_type(kind: str, value: Any, *types: type) -> Any:
    if isinstance(value, bool) or not isinstance(value, types):
        names = " or ".join(one.__name__ for one in types)
        raise InvalidType(f"{kind} of OrderedBytes takes {names}, not {type(value).__name__}")
    return value


def _seven_bits(data: bytes) -> bytes:
    """Seven bits a byte; the first bit of all but the last is set."""
    if not data:
        return b"\0"
    bits = 8 * len(data)
    count = -(-bits // 7)
    number = int.from_bytes(data, "big") << (7 * count - bits)
    pieces = [(number >> (7 * place)) & 0x7F for place in range(count - 1, -1, -1)]
    return bytes([0x80 | piece for piece in pieces[:-1]] + [pieces[-1]])


def decode(kind: str, data: bytes, start: int = 0, *, descending: bool = False) -> tuple[Any, int]:
    """Decode the value of a kind at ``start``; return it with the position after it.

    Raises:
        InvalidArgument: There is no such value.
    """
    if descending:
        value, end = _decode(kind, complement(data[start:]), 0, True)
        return value, start + end
    return _decode(kind, data, start, False)


def _decode(kind: str, data: bytes, start: int, descending: bool) -> tuple[Any, int]:
    header = data[start : start + 1]
    if header == _NULL and kind in NULLABLE:
        return None, start + 1 + (kind == "blob_copy" and descending)
    if kind == "number":
        return decode_number(data, start)
    if kind in INTEGERS or kind in FLOATS:
        mark, width = INTEGERS.get(kind) or FLOATS[kind]
        piece = data[start + 1 : start + 1 + width]
        if header != bytes([mark]) or len(piece) < width:
            raise _unlike(kind, data, start)
        value = from_sortable(piece) if kind in FLOATS else int.from_bytes(piece, "big") - (1 << (8 * width - 1))
        return value, start + 1 + width
    if kind == "text":
        end = data.find(b"\0", start)
        if header != _TEXT or end < 0:
            raise _unlike(kind, data, start)
        try:
            return data[start + 1 : end].decode(), end + 1
        except UnicodeDecodeError:
            raise _unlike(kind, data, start) from None
    if kind == "blob":
        return _blob(data, start)
    end = len(data) - descending
    if header != _BLOB_COPY or (descending and data[end:] != b"\0"):
        raise _unlike(kind, data, start)
    return data[start + 1 : end], len(data)


def _blob(data: bytes, start: int) -> tuple[bytes, int]:
    end = start + 1
    while end < len(data) and data[end] & 0x80:
        end += 1
    if data[start : start + 1] != _BLOB or end >= len(data):
        raise _unlike("blob", data, start)
    pieces = data[start + 1 : end + 1]
    if pieces == b"\0":
        return b"", end + 1
    number = 0
    for piece in pieces:
        number = number << 7 | piece & 0x7F
    length = 7 * len(pieces) // 8
    return (number >> (7 * len(pieces) - 8 * length)).to_bytes(length, "big"), end + 1


def _unlike(kind: str, data: bytes, start: int) -> InvalidArgument:
    return InvalidArgument(f"'{printable(data[start : start + 20])}' at {start} is no {kind} of OrderedBytes")
