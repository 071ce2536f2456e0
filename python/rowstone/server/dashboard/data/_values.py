"""Values of cells for people, and values that people type."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rowstone._base.printable import printable
from rowstone._core.inspect.guess import guess, show
from rowstone.codecs import Codec, Codecs, declared
from rowstone.errors import InvalidArgument, RowstoneError
from rowstone.server.dashboard._words import not_a
from rowstone.server.dashboard.data._query import bytes_of

IMAGES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif"}
"""Media types of values that pages show as an image."""
_TEXTS = ("text", "decimal", "JSON", "XML", "date", "UUID")
_FILES = (*IMAGES, "PDF", "gzip", "zip", "Avro", "Parquet", "zstd")
_HEAD_BYTES = 4096
_MOST_DECODED_BYTES = 64 << 10


@dataclass(frozen=True)
class Shown:
    """A value as text, and its type. ``is_sure``: the type is declared, not guessed. ``is_wrong``: the declared codec
    cannot decode it."""

    text: str
    kind: str
    is_sure: bool = False
    is_wrong: bool = False

    @property
    def label(self) -> str:
        """The type, with a question mark if it is guessed."""
        return self.kind if self.is_sure else f"{self.kind}?"


def codecs_of(attributes: Mapping[str, Any]) -> Codecs:
    """Codecs declared for a table; none if the declaration cannot be read."""
    try:
        return declared(attributes)
    except (RowstoneError, ImportError, ValueError, RecursionError):
        return Codecs({})


def show_value(value: bytes, codec: Codec | None = None, form: str = "decoded", limit: int = 120) -> Shown:
    r"""A value as text of about ``limit`` characters. ``form`` is ``decoded``, ``escaped`` or ``hex``.

    >>> show_value((5).to_bytes(8, "big")).text, show_value(b"\xff\x01", form="hex").text
    ('5', 'ff 01')
    """
    kind = guess(value[:_HEAD_BYTES], len(value))
    if form == "hex":
        return Shown(_cut(value[: limit + 1].hex(" "), limit), kind)
    if form == "escaped":
        return Shown(_cut(printable(value[: limit + 1]), limit), kind)
    if codec is not None and len(value) <= _MOST_DECODED_BYTES:
        try:
            return Shown(_cut(codec.show(value), limit), name_of(codec), is_sure=True)
        except (RowstoneError, ImportError, ValueError, ArithmeticError, RecursionError):
            return Shown(
                _cut(printable(value[: limit + 1]), limit), f"not {name_of(codec)}", is_sure=True, is_wrong=True
            )
    return Shown(_cut(_text_of(value, kind, limit), limit), kind)


def name_of(codec: Codec) -> str:
    """The name of a codec; that of every schema is ``avro``."""
    return codec.name if isinstance(codec.name, str) else "avro"


def _text_of(value: bytes, kind: str, limit: int) -> str:
    if kind in _TEXTS:
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(value[: 4 * limit + 4])
        except UnicodeDecodeError:
            # Only the head was checked.
            return printable(value[: limit + 1])
    if kind in _FILES:
        return f"({kind})"
    return show(value[: limit + 1] if len(value) > 8 else value, kind)


def _cut(text: str, limit: int) -> str:
    return f"{text[:limit]}…" if len(text) > limit else text


def pretty(value: bytes) -> str | None:
    """JSON with indentation; None for anything else, and for long values."""
    if len(value) > _MOST_DECODED_BYTES or guess(value, len(value)) != "JSON":
        return None
    try:
        return json.dumps(json.loads(value), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None


def hex_dump(value: bytes) -> str:
    """Offsets, bytes and printable characters, 16 bytes per line.

    >>> print(hex_dump(b"row\\x00"))
    00000000  72 6f 77 00                                      row.
    """
    lines = []
    for start in range(0, len(value), 16):
        part = value[start : start + 16]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:08x}  {part.hex(' '):<47}  {letters}")
    return "\n".join(lines)


def value_of(text: str, form: str, codec: Codec | None) -> bytes:
    r"""Bytes of a value that a user typed. ``form``: ``text``, ``escaped``, ``hex`` or ``declared``.

    Raises:
        InvalidArgument: The text does not have that form.

    >>> value_of("ü", "text", None), value_of(r"\x00a", "escaped", None), value_of("00 ff", "hex", None)
    (b'\xc3\xbc', b'\x00a', b'\x00\xff')
    """
    # Browsers send the lines of a text area with carriage returns.
    plain = text.replace("\r\n", "\n")
    if form == "escaped":
        return bytes_of(plain, "value")
    if form == "declared" and codec is not None:
        return _of_codec(plain, codec)
    if form not in ("text", "hex"):
        raise InvalidArgument(f"form '{form}' of a value is unknown, or no codec is declared for the column")
    try:
        return plain.encode() if form == "text" else bytes.fromhex(plain)
    except UnicodeEncodeError:
        raise InvalidArgument(not_a(plain, "text in UTF-8", r"write bytes as \xHH, and choose that encoding")) from None
    except ValueError:
        hint = "write two digits of 0-9 and a-f for each byte, such as 00 ff"
        raise InvalidArgument(not_a(plain, "hexadecimal value", hint)) from None


def _of_codec(text: str, codec: Codec) -> bytes:
    try:
        return codec.encode(text if codec.name == "text" else json.loads(text))
    except json.JSONDecodeError:
        hint = 'write it as JSON, such as 5 or "text"'
    except (ValueError, TypeError, RecursionError) as error:
        hint = str(error)
    raise InvalidArgument(not_a(text, f"value of type {name_of(codec)}", hint))


def typed_value(value: bytes, codec: Codec | None) -> tuple[str, str]:
    r"""The text and form from which `value_of` gives a value; both are empty for long values.

    >>> typed_value(b"12045", None), typed_value(b"\x00a", None)
    (('12045', 'text'), ('\\x00a', 'escaped'))
    """
    if len(value) > _MOST_DECODED_BYTES:
        return "", ""
    for form in ("text",) if codec is None else ("declared", "text"):
        try:
            text = value.decode() if codec is None or form == "text" else codec.show(value)
            # Pages show other control characters as escapes.
            if all(letter.isprintable() or letter == "\n" for letter in text) and value_of(text, form, codec) == value:
                return text, form
        except (RowstoneError, ImportError, ValueError, ArithmeticError, RecursionError):
            continue
    return printable(value), "escaped"
