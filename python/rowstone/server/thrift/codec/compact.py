"""Thrift's compact protocol.

```text
message   82 | kind in 3 bits, version 1 in 5 | varint sequence | varint length, name | struct
struct    ( difference of field numbers in 4 bits, type in 4 | value )* | 00      difference 0: a zig-zag varint follows
bool      in the type of its field: 1 true, 2 false; in a container a byte
numbers   zig-zag varints; byte as it is          string   varint length, bytes
list, set count in 4 bits, type in 4; count 15: a varint follows     map   varint count | types, unless it is 0
```

Source: Apache Thrift's ``TCompactProtocol``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.server.thrift.codec.source import Source
from rowstone.server.thrift.codec.types import (
    BOOL,
    BYTE,
    DOUBLE,
    I16,
    I32,
    I64,
    LIST,
    MAP,
    MOST_DEPTH,
    SET,
    STRING,
    STRUCT,
    Malformed,
)

if TYPE_CHECKING:
    from rowstone.server.thrift._idl import Struct, Type

Read = Callable[[Source, int], Any]
Write = Callable[[bytearray, Any], None]

PROTOCOL = 0x82
_VERSION = 1
_TRUE, _FALSE = 1, 2
# Thrift's number of a type, and the compact one.
_NUMBERS = {BOOL: 1, BYTE: 3, I16: 4, I32: 5, I64: 6, DOUBLE: 7, STRING: 8, LIST: 9, SET: 10, MAP: 11, STRUCT: 12}
_MOST_VARINT_BYTES = 10


class Compact:
    """The protocol; one instance serves all connections."""

    name = "compact"

    def begin(self, source: Source) -> tuple[str, int, int]:
        """Read name, kind and sequence number of the next message."""
        if source.byte() != PROTOCOL:
            raise Malformed("the message is not in the compact protocol")
        version = source.byte()
        if version & 0x1F != _VERSION:
            raise Malformed(f"the version is {version & 0x1F}")
        sequence = _varint(source)
        return source.take(_varint(source)).decode(errors="replace"), version >> 5, sequence

    def head(self, name: str, kind: int, sequence: int) -> bytearray:
        """The head of a message."""
        out = bytearray((PROTOCOL, _VERSION | kind << 5))
        _write_varint(out, sequence & 0xFFFF_FFFF)
        _write_bytes(out, name)
        return out

    def skip_struct(self, source: Source) -> None:
        """Skip a struct."""
        _skip(source, _NUMBERS[STRUCT], MOST_DEPTH)

    def reader(self, struct: Struct) -> Callable[[Source], Any]:
        """A function that reads a struct."""
        read = _struct_reader(struct)
        return lambda source: read(source, MOST_DEPTH)

    def writer(self, struct: Struct) -> Write:
        """A function that writes a struct's value."""
        return _struct_writer(struct)


def _varint(source: Source) -> int:
    byte = source.byte()
    if byte < 0x80:
        return byte
    number, shift = byte & 0x7F, 7
    for _ in range(_MOST_VARINT_BYTES - 1):
        byte = source.byte()
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number
        shift += 7
    raise Malformed(f"a number has more than {_MOST_VARINT_BYTES} bytes")


def _read_number(source: Source, depth: int) -> int:
    number = _varint(source)
    return (number >> 1) ^ -(number & 1)


def _read_byte(source: Source, depth: int) -> int:
    byte = source.byte()
    return byte - 256 if byte > 127 else byte


def _read_bool(source: Source, depth: int) -> bool:
    return source.byte() == _TRUE


def _read_string(source: Source, depth: int) -> bytes:
    return source.take(_varint(source))


def _read_text(source: Source, depth: int) -> str:
    try:
        return source.take(_varint(source)).decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"a text is not UTF-8: {error}") from None


def _reader(kind: Type) -> Read:
    if kind.code == STRING:
        return _read_text if kind.is_text else _read_string
    if kind.code == BOOL:
        return _read_bool
    if kind.struct is not None:
        return _struct_reader(kind.struct)
    if kind.element is not None:
        return _map_reader(kind) if kind.key is not None else _list_reader(kind)
    return _read_byte if kind.code == BYTE else _read_number


def _struct_reader(struct: Struct) -> Read:
    places = {one.id: (place, _NUMBERS[one.type.code], _reader(one.type)) for place, one in enumerate(struct.fields)}
    defaults = [one.default for one in struct.fields]
    make = struct.values._make

    def read(source: Source, depth: int) -> Any:
        if depth == 0:
            raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
        values, number = defaults[:], 0
        while (head := source.byte()) != 0:
            number = number + (head >> 4) if head > 15 else _read_number(source, depth)
            code = head & 15
            place, wanted, read_value = places.get(number, _UNKNOWN)
            if wanted == _TRUE and code in (_TRUE, _FALSE):
                values[place] = code == _TRUE
            elif code == wanted:
                values[place] = read_value(source, depth - 1)
            else:
                _skip_field(source, code, depth - 1)
        return make(values)

    return read


_UNKNOWN: tuple[int, int, Any] = (-1, -1, None)


def _counted(source: Source) -> tuple[int, int]:
    head = source.byte()
    count = head >> 4
    return head & 15, source.elements(_varint(source) if count == 15 else count)


def _same(code: int, wanted: int) -> bool:
    """Whether a container has the expected element type; a bool may be written as 1 or 2."""
    return code == wanted or (wanted == _TRUE and code == _FALSE)


def _list_reader(kind: Type) -> Read:
    assert kind.element is not None
    read_value, wanted = _reader(kind.element), _NUMBERS[kind.element.code]

    def read(source: Source, depth: int) -> list[Any]:
        if depth == 0:
            raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
        code, count = _counted(source)
        if count and not _same(code, wanted):
            raise Malformed(f"a container has elements of type {code}, not {wanted}")
        return [read_value(source, depth - 1) for _ in range(count)]

    return read


def _map_reader(kind: Type) -> Read:
    assert kind.element is not None
    assert kind.key is not None
    read_key, read_value = _reader(kind.key), _reader(kind.element)
    key_code, code = _NUMBERS[kind.key.code], _NUMBERS[kind.element.code]

    def read(source: Source, depth: int) -> dict[Any, Any]:
        if depth == 0:
            raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
        count = source.elements(_varint(source))
        if count == 0:
            return {}
        types = source.byte()
        if not (_same(types >> 4, key_code) and _same(types & 15, code)):
            raise Malformed(f"a map has types {types >> 4} and {types & 15}, not {key_code} and {code}")
        return {read_key(source, depth - 1): read_value(source, depth - 1) for _ in range(count)}

    return read


def _skip_field(source: Source, code: int, depth: int) -> None:
    """Skip a field's value; a bool has none."""
    if code not in (_TRUE, _FALSE):
        _skip(source, code, depth)


def _skip(source: Source, code: int, depth: int) -> None:
    if depth == 0:
        raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
    if code in (_TRUE, _FALSE, _NUMBERS[BYTE]):
        source.byte()
    elif code in (_NUMBERS[I16], _NUMBERS[I32], _NUMBERS[I64]):
        _varint(source)
    elif code == _NUMBERS[DOUBLE]:
        source.take(8)
    elif code == _NUMBERS[STRING]:
        source.take(_varint(source))
    elif code == _NUMBERS[STRUCT]:
        while (head := source.byte()) != 0:
            if head <= 15:
                _varint(source)
            _skip_field(source, head & 15, depth - 1)
    elif code == _NUMBERS[MAP]:
        count = source.elements(_varint(source))
        types = source.byte() if count else 0
        for _ in range(count):
            _skip(source, types >> 4, depth - 1)
            _skip(source, types & 15, depth - 1)
    elif code in (_NUMBERS[LIST], _NUMBERS[SET]):
        element, count = _counted(source)
        for _ in range(count):
            _skip(source, element, depth - 1)
    else:
        raise Malformed(f"there is no type {code}")


def _write_varint(out: bytearray, number: int) -> None:
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _write_bytes(out: bytearray, value: bytes | str) -> None:
    data = value.encode() if isinstance(value, str) else value
    _write_varint(out, len(data))
    out += data


def _write_number(out: bytearray, value: int) -> None:
    _write_varint(out, value << 1 if value >= 0 else (-value << 1) - 1)


def _write_byte(out: bytearray, value: int) -> None:
    out.append(value & 0xFF)


def _write_bool(out: bytearray, value: bool) -> None:
    out.append(_TRUE if value else _FALSE)


def _writer(kind: Type) -> Write:
    if kind.code == STRING:
        return _write_bytes
    if kind.code == BOOL:
        return _write_bool
    if kind.struct is not None:
        return _struct_writer(kind.struct)
    if kind.element is not None:
        return _map_writer(kind) if kind.key is not None else _list_writer(kind)
    return _write_byte if kind.code == BYTE else _write_number


def _struct_writer(struct: Struct) -> Write:
    fields = [(one.id, _NUMBERS[one.type.code], _writer(one.type)) for one in struct.fields]

    def write(out: bytearray, value: Any) -> None:
        last = 0
        for (number, code, write_value), part in zip(fields, value, strict=False):
            if part is None:
                continue
            is_bool = code == _TRUE
            if is_bool and not part:
                code = _FALSE
            if 0 < number - last <= 15:
                out.append(number - last << 4 | code)
            else:
                out.append(code)
                _write_number(out, number)
            last = number
            if not is_bool:
                write_value(out, part)
        out.append(0)

    return write


def _list_writer(kind: Type) -> Write:
    assert kind.element is not None
    write_value, code = _writer(kind.element), _NUMBERS[kind.element.code]

    def write(out: bytearray, value: Any) -> None:
        if len(value) < 15:
            out.append(len(value) << 4 | code)
        else:
            out.append(0xF0 | code)
            _write_varint(out, len(value))
        for one in value:
            write_value(out, one)

    return write


def _map_writer(kind: Type) -> Write:
    assert kind.element is not None
    assert kind.key is not None
    write_key, write_value = _writer(kind.key), _writer(kind.element)
    types = _NUMBERS[kind.key.code] << 4 | _NUMBERS[kind.element.code]

    def write(out: bytearray, value: dict[Any, Any]) -> None:
        _write_varint(out, len(value))
        if value:
            out.append(types)
        for key, one in value.items():
            write_key(out, key)
            write_value(out, one)

    return write
