"""Requests of HBase's RPC as raw bytes, for input that no client sends."""

from __future__ import annotations

import socket
import struct


def varint(number: int) -> bytes:
    """Encode a number as a varint."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def field(number: int, value: bytes | str | int) -> bytes:
    """Encode a field of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


CODEC = "org.apache.hadoop.hbase.codec.KeyValueCodec"


def connect(port: int) -> socket.socket:
    """Open a socket with a timeout of a few seconds."""
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def hello(
    service: str = "ClientService", codec: str | None = CODEC, more: bytes = b"", *, user: str = "tester"
) -> bytes:
    """Encode preamble and connection header."""
    header = field(1, field(1, user)) + field(2, service) + (field(3, codec) if codec else b"") + more
    return b"HBas\x00\x50" + struct.pack(">I", len(header)) + header


def request(call: int, method: str, message: bytes = b"", cells: bytes = b"", *, timeout_ms: int = 0) -> bytes:
    """Encode a frame."""
    meta = field(5, field(1, len(cells))) if cells else b""
    header = field(1, call) + field(3, method) + field(4, 1) + meta + field(7, timeout_ms)
    body = varint(len(header)) + header + varint(len(message)) + message + cells
    return struct.pack(">I", len(body)) + body


def read_exactly(sock: socket.socket, count: int) -> bytes:
    """Read this many bytes; fewer if the server closes the connection."""
    data = b""
    while len(data) < count:
        part = sock.recv(count - len(data))
        if not part:
            break
        data += part
    return data


def answer(sock: socket.socket) -> bytes:
    """Read the next frame without its length; empty if the connection is closed."""
    try:
        head = read_exactly(sock, 4)
        return read_exactly(sock, struct.unpack(">I", head)[0]) if len(head) == 4 else b""
    except ConnectionResetError:
        return b""


def by_name(region: str) -> bytes:
    """Encode the specifier of a region."""
    return field(1, 1) + field(2, region)
