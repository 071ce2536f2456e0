"""Messages as protobuf. HBase's REST messages use so few field types that no library is needed.

A field is a key, ``number << 3 | wire type``, and its value: a varint (0), 8 bytes (1), a length and so many bytes (2),
or 4 bytes (5), all little-endian. Unknown fields are passed over.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.server.rest.messages.shapes._field import Field, Kind, Message, Shape, Spend, no_limit

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5
_FIELD_BYTES = 200
_PAIR = Shape("Pair", (Field("name", 1, Kind.TEXT), Field("value", 2, Kind.TEXT)))


def to_protobuf(shape: Shape, message: Message) -> bytes:
    """The message's bytes."""
    pieces: dict[int, bytearray] = {}
    for field in shape.fields:
        value = message.get(field.name)
        if value is None or not field.number:
            continue
        data = pieces[field.number] = bytearray()
        if field.kind is Kind.PAIRS:
            _write_pairs(data, field.number, value)
        else:
            for one in value if field.many else [value]:
                _write(data, field, one)
    if shape.open is not None:
        attributes = {name: value for name, value in message.items() if shape.field(name) is None}
        _write_pairs(pieces.setdefault(shape.open.number, bytearray()), shape.open.number, attributes)
        for field in shape.open.typed:
            if field.name in attributes:
                _write(pieces.setdefault(field.number, bytearray()), field, _typed(field, attributes[field.name]))
    return b"".join(pieces[number] for number in sorted(pieces))


def from_protobuf(shape: Shape, data: bytes, spend: Spend = no_limit) -> Message:
    """Parse a message from bytes. Raises `InvalidArgument`."""
    message: Message = {}
    typed: Message = {}
    by_number = {field.number: field for field in shape.fields if field.number}
    typed_by_number = {field.number: field for field in shape.open.typed} if shape.open is not None else {}
    for number, wire_type, value in _fields(data):
        spend(_FIELD_BYTES + (len(value) if isinstance(value, bytes) else 0))
        field = by_number.get(number)
        if field is not None:
            _read(message, field, wire_type, value, spend)
        elif shape.open is not None and number == shape.open.number:
            message.update([_pair(wire_type, value)])
        elif number in typed_by_number:
            _read(typed, typed_by_number[number], wire_type, value, spend)
    message.update({name: _typed_text(value) for name, value in typed.items()})
    return message


def _typed(field: Field, text: str) -> Any:
    if field.kind is Kind.FLAG:
        return text.lower() == "true"
    return text if field.kind is Kind.TEXT else int(text)


def _typed_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_pairs(data: bytearray, number: int, pairs: dict[str, str]) -> None:
    for name, value in pairs.items():
        _write_bytes(data, number, to_protobuf(_PAIR, {"name": name, "value": value}))


def _write(data: bytearray, field: Field, value: Any) -> None:
    kind = field.kind
    if field.is_flat and isinstance(kind, Shape):
        _write(data, Field(field.name, field.number, kind.fields[0].kind), value[kind.fields[0].name])
    elif isinstance(kind, Shape):
        _write_bytes(data, field.number, to_protobuf(kind, value))
    elif kind is Kind.BYTES:
        _write_bytes(data, field.number, value)
    elif kind is Kind.TEXT:
        _write_bytes(data, field.number, value.encode())
    elif kind is Kind.DOUBLE:
        _write_varint(data, field.number << 3 | EIGHT_BYTES)
        data += struct.pack("<d", value)
    else:
        _write_varint(data, field.number << 3 | VARINT)
        _write_varint(data, int(value) & 0xFFFF_FFFF_FFFF_FFFF)


def _write_bytes(data: bytearray, number: int, value: bytes) -> None:
    _write_varint(data, number << 3 | LENGTH)
    _write_varint(data, len(value))
    data += value


def _write_varint(data: bytearray, value: int) -> None:
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)


def _fields(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    """Number, wire type and raw value of each field."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire_type = key >> 3, key & 7
        if wire_type == VARINT:
            value, at = _varint(data, at)
            yield number, wire_type, value
            continue
        if wire_type == LENGTH:
            size, at = _varint(data, at)
        else:
            size = {EIGHT_BYTES: 8, FOUR_BYTES: 4}.get(wire_type, -1)
        if number == 0 or size < 0 or at + size > len(data):
            raise InvalidArgument(f"the body is not protobuf: field {number} at byte {at} of {len(data)}")
        yield number, wire_type, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
    raise InvalidArgument(f"the body is not protobuf: a number has no end at byte {at}")


def _read(message: Message, field: Field, wire_type: int, value: int | bytes, spend: Spend) -> None:
    if field.kind is Kind.PAIRS:
        message.setdefault(field.name, {}).update([_pair(wire_type, value)])
    elif field.many:
        message.setdefault(field.name, []).append(_one(field, wire_type, value, spend))
    else:
        message[field.name] = _one(field, wire_type, value, spend)


def _one(field: Field, wire_type: int, value: int | bytes, spend: Spend) -> Any:
    kind = field.kind
    if kind is Kind.DOUBLE and wire_type == EIGHT_BYTES and isinstance(value, bytes):
        return struct.unpack("<d", value)[0]
    if kind in (Kind.INT, Kind.LONG, Kind.FLAG) and isinstance(value, int):
        return bool(value) if kind is Kind.FLAG else _signed(value, 32 if kind is Kind.INT else 64)
    if wire_type != LENGTH or not isinstance(value, bytes) or kind in (Kind.INT, Kind.LONG, Kind.FLAG, Kind.DOUBLE):
        raise InvalidArgument(f"the body is not protobuf: field {field.name} has wire type {wire_type}")
    if isinstance(kind, Shape):
        if not field.is_flat:
            return from_protobuf(kind, value, spend)
        inner = kind.fields[0]
        return {inner.name: _one(Field(inner.name, field.number, inner.kind), wire_type, value, spend)}
    return value if kind is Kind.BYTES else _decoded(field.name, value)


def _pair(wire_type: int, value: int | bytes) -> tuple[str, str]:
    if wire_type != LENGTH or not isinstance(value, bytes):
        raise InvalidArgument(f"the body is not protobuf: an attribute has wire type {wire_type}")
    pair = from_protobuf(_PAIR, value)
    return pair.get("name", ""), pair.get("value", "")


def _decoded(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise InvalidArgument(f"{name} is not UTF-8") from None


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
