"""Random parts of keys."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rowstone.keys.parts._part import Order, Part


@dataclass(frozen=True, repr=False)
class Random(Part):
    """Random bytes. See `random_bytes`."""

    name: str
    width: int
    draw: Callable[[int], bytes] = field(default=secrets.token_bytes, compare=False)
    order: Order = "none"
    arrow_type = "binary"

    def default(self) -> bytes:
        """Draw new random bytes."""
        return self.draw(self.width)

    def encode(self, value: Any) -> bytes:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            self.wrong_type(value, "bytes")
        if len(value) != self.width:
            self.wrong(f"{bytes(value)!r} has {len(value)} bytes, not {self.width}")
        return bytes(value)

    def decode(self, data: bytes, start: int) -> tuple[bytes, int]:
        return self.take(data, start, self.width), start + self.width

    def from_text(self, text: str) -> bytes:
        """Hex digits."""
        return bytes.fromhex(text)

    def __repr__(self) -> str:
        return f"random_bytes({self.name!r}, {self.width})"


def random_bytes(name: str, width: int = 16, *, draw: Callable[[int], bytes] = secrets.token_bytes) -> Part:
    """``width`` random bytes, drawn if a key is encoded without a value for this part.

    Writes spread evenly. Related rows are not next to each other, so only whole keys can be found.

    Args:
        draw: Returns the given number of random bytes; for tests.
    """
    part = Random(name, width, draw)
    if width < 1:
        part.wrong("at least 1 byte is needed")
    return part
