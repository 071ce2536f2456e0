"""Floating-point numbers whose bytes sort in numeric order."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from rowstone.keys.parts._part import Part

_NAN = {4: 0x7FC00000, 8: 0x7FF8000000000000}


def sortable(value: float, width: int) -> bytes:
    """IEEE 754, big-endian, with the sign bit flipped, of negative numbers all bits; a single NaN, which sorts last."""
    form = ">f" if width == 4 else ">d"
    bits = _NAN[width] if value != value else int.from_bytes(struct.pack(form, value), "big")
    sign = 1 << (8 * width - 1)
    return (bits ^ (2 * sign - 1 if bits & sign else sign)).to_bytes(width, "big")


def from_sortable(data: bytes) -> float:
    """The inverse of `sortable`."""
    width = len(data)
    bits, sign = int.from_bytes(data, "big"), 1 << (8 * width - 1)
    bits ^= sign if bits & sign else 2 * sign - 1
    number: float = struct.unpack(">f" if width == 4 else ">d", bits.to_bytes(width, "big"))[0]
    return number


@dataclass(frozen=True, repr=False)
class Float(Part):
    """A number of 4 or 8 bytes. See `float64`."""

    name: str
    width: int

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        """The type of this width."""
        return f"float{8 * self.width}"

    def encode(self, value: Any) -> bytes:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.wrong_type(value, "float")
        try:
            return sortable(float(value), self.width)
        except OverflowError:
            self.wrong(f"{value} does not fit {8 * self.width} bits")

    def decode(self, data: bytes, start: int) -> tuple[float, int]:
        return from_sortable(self.take(data, start, self.width)), start + self.width

    def from_text(self, text: str) -> float:
        return float(text)

    def __repr__(self) -> str:
        return f"float{8 * self.width}({self.name!r})"


def float32(name: str) -> Part:
    """A number in 4 bytes, rounded to single precision; sorts like float64."""
    return Float(name, 4)


def float64(name: str) -> Part:
    """A number in 8 bytes; -infinity sorts first, -0.0 before 0.0, NaN last."""
    return Float(name, 8)
