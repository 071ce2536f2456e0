"""Guesses at the type of a value."""

import codecs
import json
import re
import struct
from collections.abc import Mapping

from rowstone._base.printable import printable

_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"%PDF-": "PDF",
    b"\x1f\x8b\x08": "gzip",
    b"PK\x03\x04": "zip",
    b"Obj\x01": "Avro",
    b"PAR1": "Parquet",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x80\x04\x95": "pickle",
}
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_CLEAR_SHARE = 0.95


def guess(head: bytes, value_bytes: int) -> str:
    r"""Guess the type of a value from its first bytes and its size.

    >>> [guess(value, len(value)) for value in (b"", b"CNN", b"12", b'{"a": 1}', (5).to_bytes(8, "big"), b"\xfe\xfd")]
    ['empty', 'text', 'decimal', 'JSON', 'int64', 'bytes']
    """
    if value_bytes == 0:
        return "empty"
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    text = _text(head, value_bytes > len(head))
    return _of_numbers(head, value_bytes) if text is None else _of_text(text, value_bytes > len(head))


def _text(head: bytes, is_cut: bool) -> str | None:
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head, final=not is_cut)
    except UnicodeDecodeError:
        return None
    return text if all(letter.isprintable() or letter in "\r\n\t" for letter in text) else None


def _of_text(text: str, is_cut: bool) -> str:
    for pattern, name in ((_UUID, "UUID"), (_DATE, "date"), (_NUMBER, "decimal")):
        if not is_cut and pattern.fullmatch(text):
            return name
    stripped = text.strip()
    if stripped[:1] in ("{", "[") and stripped[:1]:
        if is_cut:
            return "JSON" if stripped[1:].lstrip()[:1] in '"{[-0123456789' else "text"
        try:
            json.loads(stripped)
        except (ValueError, RecursionError):
            return "text"
        return "JSON"
    return "XML" if stripped.startswith(("<?xml", "<!DOCTYPE", "<html")) else "text"


def _of_numbers(head: bytes, value_bytes: int) -> str:
    if value_bytes == 1 and head in (b"\0", b"\xff"):
        return "boolean"
    if value_bytes == 8:
        if head[:2] in (b"\0\0", b"\xff\xff"):
            return "int64"
        (number,) = struct.unpack(">d", head)
        return "float64" if 1e-9 < abs(number) < 1e15 else "bytes"
    if value_bytes in (2, 4) and head[:1] in (b"\0", b"\xff"):
        return f"int{8 * value_bytes}"
    return "bytes"


def show(value: bytes, looks_like: str) -> str:
    r"""A value for people: a number as digits, anything else by `printable`.

    >>> show((5).to_bytes(8, "big"), "int64"), show(b"CNN\x00", "bytes")
    ('5', 'CNN\\x00')
    """
    if looks_like.startswith("int") and looks_like[3:].isdigit() and len(value) * 8 == int(looks_like[3:]):
        return str(int.from_bytes(value, "big", signed=True))
    if looks_like == "float64" and len(value) == 8:
        return f"{struct.unpack('>d', value)[0]:g}"
    return printable(value)


def agreed(counts: Mapping[str, int]) -> str:
    """One guess out of those for many values: what nearly all are, or the parts.

    >>> agreed({"text": 99, "decimal": 1}), agreed({"int64": 3, "text": 1})
    ('text', 'int64 75 %, text 25 %')
    """
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    if ordered and ordered[0][1] >= _CLEAR_SHARE * total:
        return ordered[0][0]
    return ", ".join(f"{name} {count / total:.0%}".replace("%", " %") for name, count in ordered[:3])
