r"""Bytes as the words of a script, in HBase's notation: printable ASCII as it is, else `\xNN`."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\x([0-9A-Fa-f]{2})")


def to_bytes(word: str) -> bytes:
    r"""The bytes of a word; `''` is the empty string, `\x00` one zero byte."""
    if word == "''":
        return b""
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), word.encode("latin-1"))


def to_text(data: bytes) -> str:
    r"""Bytes as HBase prints them: everything but printable ASCII, and the backslash, as `\xNN`."""
    return "".join(chr(byte) if 0x20 <= byte <= 0x7E and byte != 0x5C else f"\\x{byte:02X}" for byte in data)


def to_word(data: bytes) -> str:
    """Bytes as one word of a script: blanks and separators escaped, the empty string as `''`."""
    if not data:
        return "''"
    return "".join(f"\\x{ord(c):02X}" if c in " ,;:='" else c for c in to_text(data))


def to_column(word: str) -> tuple[bytes, bytes | None]:
    """`f:q` as (f, q); `f` as (f, None)."""
    family, colon, qualifier = word.partition(":")
    return to_bytes(family), (to_bytes(qualifier) if colon else None)
