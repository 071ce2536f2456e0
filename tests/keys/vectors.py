"""Lines of HBase's own bytes, `kind order value hex`, held against ours."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from rowstone import codecs, keys
from rowstone.errors import InvalidArgument
from rowstone.keys.parts import _ordered_bytes

NULLS = {"null": "text", "null_blob_copy": "blob_copy"}


def unlike(lines: Iterable[str]) -> list[str]:
    """The lines that say something else than we do, with what we say."""
    return [f"{line} but {ours}" for line in lines if (ours := _ours(*line.split()[:3])) != line.split()[3]]


def _ours(kind: str, order: str, text: str) -> str:
    data = b"" if text == "-" else text
    if kind == "murmur3":
        return str(keys.murmur3(bytes.fromhex(text) if data else b"", int(order)))
    if kind.startswith("java_"):
        return getattr(keys, kind)("n").encode(int(text)).hex()
    if kind == "decimal":
        return codecs.codec(kind).encode(Decimal(text)).hex()
    return _ordered(*_value(kind, text), order == "descending")


def _value(kind: str, text: str) -> tuple[str, Any]:
    if kind in NULLS:
        return NULLS[kind], None
    if kind in ("text", "blob", "blob_copy"):
        data = b"" if text == "-" else bytes.fromhex(text)
        return kind, data.decode() if kind == "text" else data
    if kind in ("number_float", "float32", "float64"):
        return kind.replace("number_float", "number"), float(text.replace("Infinity", "inf"))
    return kind, Decimal(text) if kind == "number" else int(text)


def _ordered(kind: str, value: Any, descending: bool) -> str:
    try:
        data = _ordered_bytes.encode(kind, value, descending=descending)
    except InvalidArgument:
        return "refused"
    back, end = _ordered_bytes.decode(kind, data, descending=descending)
    if end != len(data):
        return f"{data.hex()}, of which {end} bytes are read"
    # A number may have been rounded, and NaN equals nothing: what was read is written the same again.
    again = _ordered_bytes.encode(kind, back, descending=descending)
    return data.hex() if again == data else f"{data.hex()}, read as {back!r}"
