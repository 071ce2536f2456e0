"""Whole numbers: binary in sortable form, binary as Java writes them, decimal text.

| function | bytes of 1 | sorts |
|---|---|---|
| `int64` | ``80 00 00 00 00 00 00 01`` | all numbers: the sign bit is flipped |
| `uint64` | ``00 00 00 00 00 00 00 01`` | all numbers: there are no negative ones |
| `java_int64` | ``00 00 00 00 00 00 00 01`` | negative numbers after all others: two's complement |
| ``padded(…, 4)`` | ``30 30 30 31`` | all numbers: there are no negative ones |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowstone._base.printable import printable
from rowstone.keys.parts._part import Part


@dataclass(frozen=True, repr=False)
class Integer(Part):
    """A big-endian number of ``width`` bytes. See `int64`, `uint64`, `java_int64`."""

    name: str
    width: int
    kind: str
    """"int" (sign bit flipped), "uint" or "java_int" (two's complement)."""

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        """The type of this width."""
        return f"{self.kind.removeprefix('java_')}{8 * self.width}"

    @property
    def least(self) -> int:
        """The smallest number that fits."""
        return 0 if self.kind == "uint" else -(1 << (8 * self.width - 1))

    @property
    def most(self) -> int:
        """The largest number that fits."""
        return (1 << (8 * self.width - (self.kind != "uint"))) - 1

    def encode(self, value: Any) -> bytes:
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong_type(value, "int")
        if not self.least <= value <= self.most:
            self.wrong(f"{value} does not fit: {self.least} to {self.most}")
        if self.kind == "java_int":
            return value.to_bytes(self.width, "big", signed=True)
        return (value - self.least).to_bytes(self.width, "big")

    def decode(self, data: bytes, start: int) -> tuple[int, int]:
        piece = self.take(data, start, self.width)
        if self.kind == "java_int":
            return int.from_bytes(piece, "big", signed=True), start + self.width
        return int.from_bytes(piece, "big") + self.least, start + self.width

    def from_text(self, text: str) -> int:
        return int(text)

    def span(self, low: Any, high: Any) -> tuple[bytes, bytes | None]:
        """As in any part; `java_int64` and the like refuse ranges below zero, where their bytes do not sort."""
        if self.kind == "java_int":
            if low is None or low < 0:
                self.wrong(
                    f"a range must begin at 0 or above, not at {low}: negative numbers sort last; int64 sorts all"
                )
            if high is None:
                return self.encode(low), b"\x80" + bytes(self.width - 1)
            if high < 0:
                self.wrong(f"{low} is not before {high}; a range ends before its second value")
        return super().span(low, high)

    def __repr__(self) -> str:
        return f"{self.kind}{8 * self.width}({self.name!r})"


def int8(name: str) -> Part:
    """A number from -128 to 127 in 1 byte; sorts."""
    return Integer(name, 1, "int")


def int16(name: str) -> Part:
    """A signed number in 2 bytes; sorts."""
    return Integer(name, 2, "int")


def int32(name: str) -> Part:
    """A signed number in 4 bytes; sorts."""
    return Integer(name, 4, "int")


def int64(name: str) -> Part:
    """A signed number in 8 bytes: big-endian with the sign bit flipped, so negative numbers sort first."""
    return Integer(name, 8, "int")


def uint8(name: str) -> Part:
    """A number from 0 to 255 in 1 byte; sorts."""
    return Integer(name, 1, "uint")


def uint16(name: str) -> Part:
    """An unsigned number in 2 bytes; sorts."""
    return Integer(name, 2, "uint")


def uint32(name: str) -> Part:
    """An unsigned number in 4 bytes; sorts."""
    return Integer(name, 4, "uint")


def uint64(name: str) -> Part:
    """An unsigned number in 8 bytes, big-endian; sorts."""
    return Integer(name, 8, "uint")


def java_int16(name: str) -> Part:
    """A number as ``Bytes.toBytes(short)`` writes it; ranges from 0 up only."""
    return Integer(name, 2, "java_int")


def java_int32(name: str) -> Part:
    """A number as ``Bytes.toBytes(int)`` writes it; ranges from 0 up only."""
    return Integer(name, 4, "java_int")


def java_int64(name: str) -> Part:
    """A number as ``Bytes.toBytes(long)`` and counters store it: negative numbers sort after all others.

    So ranges begin at 0 or above. If numbers below zero have to sort, use `int64`.
    """
    return Integer(name, 8, "java_int")


@dataclass(frozen=True, repr=False)
class Padded(Part):
    """Decimal text of ``width`` digits. See `padded`."""

    name: str
    width: int

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        """A number, or text if it may be too large for one."""
        return "int64" if self.width <= 18 else "string"

    def encode(self, value: Any) -> bytes:
        """``width`` digits."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong_type(value, "int")
        if not 0 <= value < 10**self.width:
            self.wrong(f"{value} does not fit: 0 to {10**self.width - 1}")
        return b"%0*d" % (self.width, value)

    def decode(self, data: bytes, start: int) -> tuple[int, int]:
        piece = self.take(data, start, self.width)
        if not piece.isdigit():
            self.wrong(f"'{printable(piece)}' are not {self.width} digits")
        return int(piece), start + self.width

    def from_text(self, text: str) -> int:
        return int(text)

    def __repr__(self) -> str:
        return f"padded({self.name!r}, {self.width})"


def padded(name: str, digits: int) -> Part:
    """A number from 0 up as decimal text of ``digits`` digits with leading zeros; longer numbers are refused.

    Without the zeros 10 would sort before 9.

    Example:
        >>> from rowstone.keys import Key, padded
        >>> Key(padded("n", 4)).encode(n=42)
        b'0042'
    """
    part = Padded(name, digits)
    if digits < 1:
        part.wrong("a number has at least 1 digit")
    return part
