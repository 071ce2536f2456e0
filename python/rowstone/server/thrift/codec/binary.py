"""Thrift's binary protocol.

```text
message   80 01 00 kind | i32 length, name | i32 sequence | struct        strict, what current clients write
          i32 length, name | kind | i32 sequence | struct                 old: read, but answered as strict
struct    ( type | i16 field | value )* | 00
string    i32 length, bytes
list, set type | i32 count | values            map   type | type | i32 count | key, value …
```

Readers and writers are created once per type, each a function specialized for it.

Source: Apache Thrift's ``TBinaryProtocol``.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct as Layout
from struct import error as StructError
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
    STOP,
    STRING,
    STRUCT,
    Malformed,
)

if TYPE_CHECKING:
    from rowstone.server.thrift._idl import Field, Struct, Type

Read = Callable[[Source, int], Any]
Write = Callable[[bytearray, Any], None]

STRICT = 0x80
_VERSION = 0x8001_0000
_HEAD = Layout(">bh")
_COUNTED = Layout(">bi")
_I16 = Layout(">h")
_I32 = Layout(">i")
_I64 = Layout(">q")
_length_at = _I32.unpack_from
_WIDTHS = {BOOL: 1, BYTE: 1, I16: 2, I32: 4, I64: 8, DOUBLE: 8}


class Binary:
    """The protocol; one instance serves all connections."""

    name = "binary"

    def begin(self, source: Source) -> tuple[str, int, int]:
        """Read name, kind and sequence number of the next message."""
        (first,) = _I32.unpack(source.take(4))
        if first < 0:
            kind = first & 0xFF
            if first & 0xFFFF_FF00 != _VERSION:
                raise Malformed(f"the version is {first & 0xFFFFFFFF:#x}")
            name = _read_string(source)
        else:
            name = source.take(first)
            kind = source.byte()
        (sequence,) = _I32.unpack(source.take(4))
        return name.decode(errors="replace"), kind, sequence

    def head(self, name: str, kind: int, sequence: int) -> bytearray:
        """The head of a message."""
        word = name.encode()
        return bytearray((_VERSION | kind).to_bytes(4, "big") + _I32.pack(len(word)) + word + _I32.pack(sequence))

    def skip_struct(self, source: Source) -> None:
        """Skip a struct."""
        _skip(source, STRUCT, MOST_DEPTH)

    def reader(self, struct: Struct) -> Callable[[Source], Any]:
        """A function that reads a struct."""
        read = _struct_reader(struct)
        return lambda source: read(source, MOST_DEPTH)

    def writer(self, struct: Struct) -> Write:
        """A function that writes a struct's value."""
        return _struct_writer(struct)


def _read_string(source: Source, depth: int = 0) -> bytes:
    data, start = source.data, source.at + 4
    try:
        (length,) = _length_at(data, start - 4)
    except StructError:
        (length,) = _I32.unpack(source.take(4))
        return source.take(length)
    end = start + length
    if length < 0 or end > len(data):
        source.at = start
        return source.take(length)
    source.at = end
    return data[start:end]


def _read_text(source: Source, depth: int) -> str:
    try:
        return _read_string(source).decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"a text is not UTF-8: {error}") from None


def _read_bool(source: Source, depth: int) -> bool:
    return source.byte() != 0


def _number_reader(layout: Layout) -> Read:
    size, unpack = layout.size, layout.unpack

    def read(source: Source, depth: int) -> int:
        (number,) = unpack(source.take(size))
        return number  # type: ignore[no-any-return]

    return read


def _reader(kind: Type) -> Read:
    if kind.code == STRING:
        return _read_text if kind.is_text else _read_string
    if kind.code == BOOL:
        return _read_bool
    if kind.struct is not None:
        return _struct_reader(kind.struct)
    if kind.element is not None:
        return _map_reader(kind) if kind.key is not None else _list_reader(kind)
    return _number_reader({BYTE: Layout(">b"), I16: _I16, I32: _I32, I64: _I64}[kind.code])


def _struct_reader(struct: Struct) -> Read:
    known = {_HEAD.pack(one.type.code, one.id): (place, _reader(one.type)) for place, one in enumerate(struct.fields)}
    defaults = [one.default for one in struct.fields]
    make = struct.values._make

    def read(source: Source, depth: int) -> Any:
        if depth == 0:
            raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
        values = defaults[:]
        while True:
            # Most of a message consists of these heads: a complete one is decoded directly from the buffer.
            found = known.get(source.data[source.at : source.at + 3])
            if found is None:
                code = source.byte()
                if code == STOP:
                    return make(values)
                found = known.get(bytes([code]) + source.take(2))
                if found is None:
                    _skip(source, code, depth - 1)
                    continue
            else:
                source.at += 3
            place, read_value = found
            values[place] = read_value(source, depth - 1)

    return read


def _is_bytes(kind: Type) -> bool:
    return kind.code == STRING and not kind.is_text


def _count(source: Source, wanted: int) -> int:
    """Read the number of elements, which must have the expected type."""
    code, count = _COUNTED.unpack(source.take(5))
    if code != wanted and count != 0:
        raise Malformed(f"a container has elements of type {code}, not {wanted}")
    return source.elements(count)


def _list_reader(kind: Type) -> Read:
    assert kind.element is not None
    read_value, code = _reader(kind.element), kind.element.code

    def read(source: Source, depth: int) -> list[Any]:
        if depth == 0:
            raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
        return [read_value(source, depth - 1) for _ in range(_count(source, code))]

    return read


def _map_reader(kind: Type) -> Read:
    assert kind.element is not None
    assert kind.key is not None
    read_key, read_value = _reader(kind.key), _reader(kind.element)
    key_code, code = kind.key.code, kind.element.code

    def read(source: Source, depth: int) -> dict[Any, Any]:
        if depth == 0:
            raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
        found_key = source.byte()
        count = _count(source, code)
        if found_key != key_code and count != 0:
            raise Malformed(f"a map has keys of type {found_key}, not {key_code}")
        return {read_key(source, depth - 1): read_value(source, depth - 1) for _ in range(count)}

    return read


def _skip(source: Source, code: int, depth: int) -> None:
    """Skip a value of an unknown field."""
    if depth == 0:
        raise Malformed(f"structs and containers are more than {MOST_DEPTH} deep")
    width = _WIDTHS.get(code)
    if width is not None:
        source.take(width)
    elif code == STRING:
        _read_string(source)
    elif code == STRUCT:
        while (field := source.byte()) != STOP:
            source.take(2)
            _skip(source, field, depth - 1)
    elif code in (LIST, SET, MAP):
        codes = [source.byte()] if code == MAP else []
        element, count = _COUNTED.unpack(source.take(5))
        codes.append(element)
        for _ in range(source.elements(count)):
            for one in codes:
                _skip(source, one, depth - 1)
    else:
        raise Malformed(f"there is no type {code}")


def _write_bytes(out: bytearray, value: bytes | str) -> None:
    data = value.encode() if isinstance(value, str) else value
    out += _I32.pack(len(data))
    out += data


def _number_writer(layout: Layout) -> Write:
    pack = layout.pack

    def write(out: bytearray, value: int) -> None:
        out += pack(value)

    return write


def _writer(kind: Type) -> Write:
    if kind.code == STRING:
        return _write_bytes
    if kind.struct is not None:
        return _struct_writer(kind.struct)
    if kind.element is not None:
        return _map_writer(kind) if kind.key is not None else _list_writer(kind)
    return _number_writer({BOOL: Layout(">?"), BYTE: Layout(">b"), I16: _I16, I32: _I32, I64: _I64}[kind.code])


def _struct_writer(struct: Struct) -> Write:
    """Write a field's head together with its number, or with the length of its bytes."""
    fields = [(one.type.code in _FUSED, *_fused(one)) for one in struct.fields]

    def write(out: bytearray, value: Any) -> None:
        for (is_number, pack, code, number, write_value), part in zip(fields, value, strict=False):
            if part is None:
                continue
            if is_number:
                out += pack(code, number, part)
            elif write_value is None:
                out += pack(code, number, len(part))
                out += part
            else:
                out += pack(code, number)
                write_value(out, part)
        out.append(STOP)

    return write


_FUSED = {BOOL: Layout(">bh?"), BYTE: Layout(">bhb"), I16: Layout(">bhh"), I32: Layout(">bhi"), I64: Layout(">bhq")}


def _fused(field: Field) -> tuple[Callable[..., bytes], int, int, Write | None]:
    """The packer of a field's head with type and number, and the writer of its value if that is separate."""
    code = field.type.code
    if code in _FUSED:
        return _FUSED[code].pack, code, field.id, None
    if _is_bytes(field.type):
        return _FUSED[I32].pack, code, field.id, None
    return _HEAD.pack, code, field.id, _writer(field.type)


def _list_writer(kind: Type) -> Write:
    assert kind.element is not None
    write_value, code = _writer(kind.element), kind.element.code

    def write(out: bytearray, value: Any) -> None:
        out += _COUNTED.pack(code, len(value))
        for one in value:
            write_value(out, one)

    return write


def _map_writer(kind: Type) -> Write:
    assert kind.element is not None
    assert kind.key is not None
    write_key, write_value = _writer(kind.key), _writer(kind.element)
    key_code, code = kind.key.code, kind.element.code

    def write(out: bytearray, value: dict[Any, Any]) -> None:
        out.append(key_code)
        out += _COUNTED.pack(code, len(value))
        for key, one in value.items():
            write_key(out, key)
            write_value(out, one)

    return write
