"""Readable values of ``hbase:meta`` cells: region descriptions and server start codes.

A description is four letters and a protobuf message (``RegionInfo``)::

    "PBUF"  field key (varint: number << 3 | kind)  value ...
            1 region id   2 table {1 namespace 2 name}   3 start key   4 end key   5 offline   6 split   7 replica
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from rowstone._base.printable import printable

_MAGIC = b"PBUF"


def meta_text(column: bytes, value: bytes) -> str | None:
    """The printed value of an ``hbase:meta`` cell; None if it is printed like any other cell."""
    if column in (b"info:regioninfo", b"info:splitA", b"info:splitB") or column.startswith(b"info:merge"):
        return _region_text(value)
    if column == b"info:serverstartcode" and len(value) == 8:
        return str(int.from_bytes(value, "big", signed=True))
    return None


def _region_text(value: bytes) -> str:
    """A region in the format of ``RegionInfo.toString``; empty if the bytes are not one."""
    if not value.startswith(_MAGIC):
        return ""
    try:
        fields = dict(_fields(value[len(_MAGIC) :]))
        table = dict(_fields(bytes(fields[2])))
    except (IndexError, KeyError, TypeError, ValueError):
        return ""
    namespace, name = bytes(table.get(1, b"")), bytes(table.get(2, b""))
    start, end = bytes(fields.get(3, b"")), bytes(fields.get(4, b""))
    replica = int(fields.get(7, 0))
    whole = name if namespace == b"default" else namespace + b":" + name
    begin = b"%s,%s,%d" % (whole, start, int(fields.get(1, 0)))
    begin += b"_%04X" % replica if replica else b""
    encoded = hashlib.md5(begin, usedforsecurity=False).hexdigest()
    flags = (", OFFLINE => true" if fields.get(5) else "") + (", SPLIT => true" if fields.get(6) else "")
    flags += f", REPLICA_ID => {replica}" if replica else ""
    shown = printable(begin + b"." + encoded.encode() + b".")
    keys = f"STARTKEY => '{printable(start)}', ENDKEY => '{printable(end)}'"
    return f"{{ENCODED => {encoded}, NAME => '{shown}', {keys}{flags}}}"


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a protobuf message, in order. Raises `IndexError` or `ValueError` if the message is malformed."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        value, place = _varint(data, place)
        if key & 7 == 0:
            yield key >> 3, value
        elif key & 7 == 2 and place + value <= len(data):
            yield key >> 3, data[place : place + value]
            place += value
        else:
            raise ValueError(f"field kind {key & 7}")


def _varint(data: bytes, place: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = data[place]
        number |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
