"""Messages as bytes, good and bad, written by hand: what no client would send."""

from __future__ import annotations

import struct

STRUCT_END = b"\0"


def binary_call(name: bytes, arguments: bytes, sequence: int = 7) -> bytes:
    """A call in the binary protocol."""
    head = struct.pack(">II", 0x8001_0001, len(name)) + name + struct.pack(">i", sequence)
    return head + arguments


def old_call(name: bytes, arguments: bytes, sequence: int = 7) -> bytes:
    """A call in the binary protocol as it was before it had versions."""
    return struct.pack(">I", len(name)) + name + b"\1" + struct.pack(">i", sequence) + arguments


def compact_call(name: bytes, arguments: bytes) -> bytes:
    """A call in the compact protocol."""
    return bytes([0x82, 0x21, 7, len(name)]) + name + arguments


def field(kind: int, number: int, value: bytes) -> bytes:
    """A field of a struct in the binary protocol."""
    return struct.pack(">bh", kind, number) + value


def string(value: bytes) -> bytes:
    """A string in the binary protocol."""
    return struct.pack(">i", len(value)) + value


def framed(message: bytes) -> bytes:
    """The message in a frame."""
    return struct.pack(">i", len(message)) + message


TABLE_NAMES = binary_call(b"getTableNames", STRUCT_END)
COMPACT_TABLE_NAMES = compact_call(b"getTableNames", STRUCT_END)
_NESTED_LISTS = struct.pack(">bi", 15, 1) * 10_000
_HUGE = struct.pack(">i", 2**31 - 1)
BAD = {
    "nothing of Thrift": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a version that is none": b"\x80\x02\x00\x01" + bytes(20),
    "a frame of 2 GiB": b"\x7f\xff\xff\xff\x80\x01",
    "a frame of less than nothing": b"\xff\xff\xff\xff\x80\x01\x00\x01",
    "a frame of nothing": b"\x00\x00\x00\x00\x80\x01\x00\x01",
    "a frame that is cut": framed(TABLE_NAMES[:-3]),
    "a name of 2 GiB": b"\x80\x01\x00\x01" + _HUGE,
    "a name of less than nothing": b"\x80\x01\x00\x01" + b"\xff\xff\xff\xfe",
    "a string of 2 GiB": binary_call(b"enableTable", field(11, 1, _HUGE)),
    "a string of less than nothing": binary_call(b"enableTable", field(11, 1, b"\xff\xff\xff\xff")),
    "a list of 2 thousand million": binary_call(b"getRows", field(15, 2, b"\x0b" + _HUGE)),
    "a list of fewer than none": binary_call(b"getRows", field(15, 2, b"\x0b\xff\xff\xff\xff")),
    "a list of what needs no bytes": binary_call(b"getRows", field(15, 9, b"\x00" + _HUGE)),
    "a list of other elements": binary_call(b"getRows", field(15, 2, b"\x08\x00\x00\x00\x01\x00\x00\x00\x01")),
    "a map of what needs no bytes": binary_call(b"getRow", field(13, 3, b"\x01\x01" + _HUGE)),
    "lists in lists": binary_call(b"getRows", field(15, 9, _NESTED_LISTS)),
    "structs in structs": binary_call(b"getRows", field(12, 9, struct.pack(">bh", 12, 1) * 10_000)),
    "a type that is none": binary_call(b"getTableNames", field(77, 1, bytes(8))),
    "a text that is none": binary_call(b"createTable", field(15, 2, b"\x0c\0\0\0\1" + field(11, 3, string(b"\xff")))),
    "an answer": struct.pack(">II", 0x8001_0002, 1) + b"x" + bytes(5),
    "compact: a version that is none": b"\x82\x3f" + bytes(9),
    "compact: a number without end": compact_call(b"getVer", b"\x45" + b"\xff" * 100_000),
    "compact: a list without end": compact_call(b"getRows", b"\x29\xf8\xff\xff\xff\xff\x0f"),
    "compact: a string of 2 GiB": compact_call(b"enableTable", b"\x18\xff\xff\xff\xff\x07"),
    "compact: a map without end": compact_call(b"getRow", b"\x3b\xff\xff\xff\xff\x0f\x11"),
    "compact: lists in lists": compact_call(b"getRows", b"\x99" + b"\x19" * 10_000),
    "compact: structs in structs": compact_call(b"getRows", b"\x9c" + b"\x1c" * 10_000),
    "compact: a type that is none": compact_call(b"getTableNames", b"\x1f"),
    "HTTP: a body of 2 GiB": b"POST / HTTP/1.1\r\nContent-Length: 2147483647\r\n\r\n",
    "HTTP: no length": b"POST / HTTP/1.1\r\n\r\n",
    "HTTP: a length that is none": b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
    "HTTP: a body that is none": b"POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd",
    "HTTP: headers without end": b"POST / HTTP/1.1\r\n" + b"X: y\r\n" * 30_000,
    "HTTP: another method": b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
}
"""Errors that end a connection, with or without a message."""
