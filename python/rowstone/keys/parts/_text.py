"""Text and bytes: terminated by a zero byte, escaped, of a fixed width, or unterminated at the end of a key.

| part | in the middle of a key | at its end |
|---|---|---|
| `text` | UTF-8 and 00; a value with U+0000 is refused | UTF-8 |
| ``text(…, end="-")`` | UTF-8 and ``-``; a value with a character up to ``-`` is refused | the same |
| `blob` | 00 becomes 00 01, then 00 00 | the bytes |
| `fixed`, `fixed_bytes` | the value, of exactly that length | the same |
| `domain` | as `text`, ``www.cnn.com`` as ``com.cnn.www`` | as `text` |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rowstone._base.printable import printable
from rowstone.keys.parts._part import Part


@dataclass(frozen=True, repr=False)
class Text(Part):
    """Text of any length. See `text` and `domain`."""

    name: str
    end: str = "\0"
    is_domain: bool = False
    is_last: bool = False
    width = None

    def encode(self, value: Any) -> bytes:
        """UTF-8 with the terminator."""
        data = self._plain(value)
        if self.is_last:
            return data
        self._refuse_end(value, data)
        return data + self.end.encode()

    def _refuse_end(self, value: str, data: bytes) -> None:
        end = self.end.encode()
        if (worst := min(data, default=255)) <= end[0]:
            hint = "use blob, which takes any bytes" if self.end == "\0" else "text without end= takes all but U+0000"
            self.wrong(f"{value!r} has the character {chr(worst)!r}, and {self.end!r} ends the part; {hint}")

    def _plain(self, value: Any) -> bytes:
        if not isinstance(value, str):
            self.wrong_type(value, "str")
        return self.utf8(reversed_domain(value) if self.is_domain else value)

    def decode(self, data: bytes, start: int) -> tuple[str, int]:
        end = self.end.encode()
        stop = len(data) if self.is_last else data.find(end, start)
        if stop < 0:
            self.wrong(f"nothing ends the text at {start}")
        try:
            text = data[start:stop].decode()
        except UnicodeDecodeError:
            self.wrong(f"'{printable(data[start:stop])}' is not UTF-8")
        if not self.is_last and min(data[start:stop], default=255) <= end[0]:
            self.wrong(f"{text!r} has a character up to {self.end!r}, which ends the part")
        return reversed_domain(text) if self.is_domain else text, stop if self.is_last else stop + len(end)

    def last(self) -> Part:
        """Without a terminator, unless one was requested."""
        return replace(self, is_last=True) if self.end == "\0" else self

    def open_prefix(self, start: str | bytes) -> bytes:
        """The text's bytes."""
        text = self.start_text(start)
        data = self._plain(text)
        if not self.is_last:
            self._refuse_end(text, data)
        return data

    def __repr__(self) -> str:
        end = "" if self.end == "\0" else f", end={self.end!r}"
        return f"{'domain' if self.is_domain else 'text'}({self.name!r}{end})"


def text(name: str, *, end: str = "\0") -> Part:
    """Text of any length; sorts as its UTF-8 does.

    Args:
        end: The character that ends it if another part follows: by default a zero byte, which no value may contain.
            ``"-"`` or ``":"`` are for existing keys. Values then may not contain that character or a smaller one,
            because they would not sort.
    """
    part = Text(name, end)
    if len(end) != 1 or not end.isascii():
        part.wrong(f"end={end!r} must be one ASCII character; for keys without one use fixed(…), or put the text last")
    return part


def domain(name: str) -> Part:
    """A domain name with its labels reversed, so that the hosts of a domain are adjacent.

    ``startswith(".cnn.com")`` finds the hosts below ``cnn.com``.

    Example:
        >>> from rowstone.keys import Key, domain
        >>> Key(domain("host")).encode(host="www.cnn.com")
        b'com.cnn.www'
    """
    return Text(name, is_domain=True)


def reversed_domain(name: str) -> str:
    """Reverse the labels of a domain name. It is its own inverse.

    >>> reversed_domain("www.cnn.com")
    'com.cnn.www'
    """
    return ".".join(reversed(name.split(".")))


@dataclass(frozen=True, repr=False)
class Blob(Part):
    """Bytes of any length. See `blob`."""

    name: str
    is_last: bool = False
    width = None
    arrow_type = "binary"

    def encode(self, value: Any) -> bytes:
        """The bytes, escaped and terminated."""
        data = _bytes(self, value)
        return data if self.is_last else data.replace(b"\0", b"\0\1") + b"\0\0"

    def decode(self, data: bytes, start: int) -> tuple[bytes, int]:
        if self.is_last:
            return data[start:], len(data)
        stop = start
        while (stop := data.find(b"\0", stop)) >= 0 and data[stop + 1 : stop + 2] == b"\1":
            stop += 2
        if stop < 0 or data[stop + 1 : stop + 2] != b"\0":
            self.wrong(f"nothing ends the bytes at {start}")
        return data[start:stop].replace(b"\0\1", b"\0"), stop + 2

    def last(self) -> Part:
        """As they are."""
        return replace(self, is_last=True)

    def open_prefix(self, start: str | bytes) -> bytes:
        """The bytes, escaped."""
        data = self.start_bytes(start)
        return data if self.is_last else data.replace(b"\0", b"\0\1")

    def from_text(self, text: str) -> bytes:
        """UTF-8."""
        return text.encode()

    def __repr__(self) -> str:
        return f"blob({self.name!r})"


def blob(name: str) -> Part:
    """Bytes of any length and content; they sort as bytes."""
    return Blob(name)


@dataclass(frozen=True, repr=False)
class Fixed(Part):
    """Text or bytes of ``width`` bytes. See `fixed` and `fixed_bytes`."""

    name: str
    width: int
    is_text: bool

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        """Text or bytes."""
        return "string" if self.is_text else "binary"

    def encode(self, value: Any) -> bytes:
        if self.is_text and not isinstance(value, str):
            self.wrong_type(value, "str")
        data = self.utf8(value) if self.is_text else _bytes(self, value)
        if len(data) != self.width:
            self.wrong(f"{value!r} has {len(data)} bytes, not {self.width}")
        return data

    def decode(self, data: bytes, start: int) -> tuple[str | bytes, int]:
        piece = self.take(data, start, self.width)
        if not self.is_text:
            return piece, start + self.width
        try:
            return piece.decode(), start + self.width
        except UnicodeDecodeError:
            self.wrong(f"'{printable(piece)}' is not UTF-8")

    def open_prefix(self, start: str | bytes) -> bytes:
        data = self.start_bytes(start)
        if len(data) > self.width:
            self.wrong(f"no value begins with {start!r}: values have {self.width} bytes")
        return data

    def from_text(self, text: str) -> str | bytes:
        """As it is, or in UTF-8."""
        return text if self.is_text else text.encode()

    def __repr__(self) -> str:
        return f"{'fixed' if self.is_text else 'fixed_bytes'}({self.name!r}, {self.width})"


def fixed(name: str, width: int) -> Part:
    """Text of exactly ``width`` bytes, such as an airport's three letters."""
    return _wide_enough(Fixed(name, width, True))


def fixed_bytes(name: str, width: int) -> Part:
    """Exactly ``width`` bytes, such as a UUID's 16."""
    return _wide_enough(Fixed(name, width, False))


def _wide_enough(part: Fixed) -> Part:
    if part.width < 1:
        part.wrong("at least 1 byte is needed")
    return part


def _bytes(part: Part, value: Any) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        part.wrong_type(value, "bytes")
    return bytes(value)
