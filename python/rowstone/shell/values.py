"""Values of the shell: how Ruby writes them, and the way between text and bytes.

Ruby's numbers, texts, arrays, hashes, ``true``, ``false`` and ``nil`` are Python's own. A text holds bytes that are no
UTF-8 as surrogates.
"""

from __future__ import annotations

import re
from typing import Any

_ESCAPED = {byte: f"\\x{byte:02X}" for byte in range(256) if not 32 <= byte < 127 or byte == 92}
_SHORT = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 27: "\\e"}


class Symbol(str):
    """``:name``"""

    __slots__ = ()


class Opaque:
    """A Java object that a command of HBase returns; only shown, as Ruby shows it."""

    __slots__ = ("shown",)

    def __init__(self, shown: str) -> None:
        self.shown = shown


def to_bytes(value: Any) -> bytes:
    r"""What HBase stores for a value: the bytes of its text.

    >>> to_bytes("\udcff"), to_bytes(42), to_bytes(None)
    (b'\xff', b'42', b'')
    """
    return value if isinstance(value, bytes) else to_s(value).encode(errors="surrogateescape")


def to_text(data: bytes) -> str:
    """Bytes as a text of the shell; `to_bytes` gives them back."""
    return data.decode(errors="surrogateescape")


def binary_text(data: bytes) -> str:
    r"""Bytes as HBase shows them: printable ASCII as it is, backslash and the rest as ``\xHH``.

    Source: ``Bytes.toStringBinary``.

    >>> binary_text(b"row\x00\\")
    'row\\x00\\x5C'
    """
    return data.decode("latin-1").translate(_ESCAPED)


def from_binary_text(text: str) -> bytes:
    r"""The bytes that ``\xHH`` and plain characters stand for. Source: ``Bytes.toBytesBinary``."""
    data = text.encode(errors="surrogateescape")
    return re.sub(rb"\\x([0-9a-fA-F]{2})", lambda match: bytes([int(match[1], 16)]), data)


def to_s(value: Any) -> str:
    """A value as ``puts`` prints it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        return to_text(value)
    return inspect(value)


def inspect(value: Any) -> str:
    """A value as the shell shows it behind ``=>``.

    >>> print(inspect({"NAME": "f", Symbol("a"): [1, None, True, 2.0]}))
    {"NAME"=>"f", :a=>[1, nil, true, 2.0]}
    """
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Symbol):
        return f":{value}"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(inspect, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{inspect(key)}=>{inspect(item)}' for key, item in value.items())}}}"
    if isinstance(value, Opaque):
        return value.shown
    if isinstance(value, bytes):
        return f"#<Java::byte[{len(value)}]>"
    return str(value)


def java_object(kind: str, value: Any) -> str:
    """How JRuby shows an object that has no text of its own: its class, with ``::``, and some address."""
    return f"#<Java::{kind}:{id(value) & 0xFFFFFFFF:#x}>"


def _float(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    if "e" not in text:
        return text
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent[0]}{exponent[1:].zfill(2)}"


def _quoted(text: str) -> str:
    shown = []
    for place, character in enumerate(text):
        code = ord(character)
        if character in '"\\' or (character == "#" and text[place + 1 : place + 2] in ("{", "$", "@")):
            shown.append("\\" + character)
        elif 0xDC80 <= code <= 0xDCFF:
            shown.append(f"\\x{code - 0xDC00:02X}")
        elif code in _SHORT:
            shown.append(_SHORT[code])
        elif code < 32 or code == 127:
            shown.append(f"\\u{code:04X}" if code < 32 else "\\x7F")
        else:
            shown.append(character)
    return f'"{"".join(shown)}"'


def kind_of(value: Any) -> str:
    """The name of a value's class in Ruby."""
    if value is None:
        return "NilClass"
    if isinstance(value, bool):
        return "TrueClass" if value else "FalseClass"
    names = ((Symbol, "Symbol"), (str, "String"), (int, "Integer"), (float, "Float"), (list, "Array"), (dict, "Hash"))
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)


def is_text(value: Any) -> bool:
    """Whether a value is a text, as Ruby's ``is_a?(String)`` asks."""
    return isinstance(value, str) and not isinstance(value, Symbol)
