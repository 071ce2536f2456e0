"""Reversed parts: sorted in the opposite order, or stored from the last byte to the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.keys.parts._integers import Integer
from rowstone.keys.parts._part import Derived, Order, Part, behind

_COMPLEMENT = bytes(255 - byte for byte in range(256))


def complement(data: bytes) -> bytes:
    """Every bit flipped."""
    return data.translate(_COMPLEMENT)


@dataclass(frozen=True, repr=False)
class Descending(Part):
    """A part whose large values sort first. See `descending`."""

    inner: Part

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        return self.inner.arrow_type

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def width(self) -> int | None:  # type: ignore[override]
        return self.inner.width

    @property
    def last_only(self) -> str:  # type: ignore[override]
        return self.inner.last_only

    @property
    def order(self) -> Order:  # type: ignore[override]
        """The opposite order of the inner part."""
        return "ascending" if self.inner.order == "descending" else "descending"

    def encode(self, value: Any) -> bytes:
        return complement(self.inner.encode(value))

    def sought(self, value: Any) -> bytes:
        return complement(self.inner.sought(value))

    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        value, end = self.inner.decode(complement(data[start:]), 0)
        return value, start + end

    def open_prefix(self, start: str | bytes) -> bytes:
        return complement(self.inner.open_prefix(start))

    def span(self, low: Any, high: Any) -> tuple[bytes, bytes | None]:
        """As in any part; of numbers as Java writes them, as for these numbers themselves: from 0 up only."""
        if isinstance(self.inner, Descending):
            # The bytes are those of the part within.
            return self.inner.inner.span(low, high)
        if isinstance(self.inner, Integer) and self.inner.kind == "java_int":
            first, stop = self.inner.span(low, high)
            return behind(complement(stop or b"")) or b"", behind(complement(first))
        return super().span(low, high)

    def from_text(self, text: str) -> Any:
        return self.inner.from_text(text)

    def __repr__(self) -> str:
        return f"descending({self.inner!r})"


def descending(part: Part) -> Part:
    """The same part with large values first: every bit is flipped, and a terminator of zero becomes 255.

    Example:
        >>> from rowstone.keys import Key, descending, text, uint8
        >>> key = Key(descending(uint8("score")), text("player"))
        >>> sorted([key.encode(score=1, player="b"), key.encode(score=9, player="a")])[0]
        b'\\xf6a'
    """
    if part.order == "none":
        raise InvalidArgument(f"{part!r} does not sort by value, so it cannot sort descending")
    return Descending(part)


@dataclass(frozen=True, repr=False)
class Backwards(Part):
    """A part of fixed width stored from its last byte to its first. See `reversed_fixed`."""

    inner: Part
    order: Order = "none"

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        return self.inner.arrow_type

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def width(self) -> int:  # type: ignore[override]
        assert self.inner.width is not None
        return self.inner.width

    def encode(self, value: Any) -> bytes:
        return reversed_key(self.inner.encode(value))

    def sought(self, value: Any) -> bytes:
        return reversed_key(self.inner.sought(value))

    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        value, _ = self.inner.decode(reversed_key(self.take(data, start, self.width)), 0)
        return value, start + self.width

    def from_text(self, text: str) -> Any:
        return self.inner.from_text(text)

    def __repr__(self) -> str:
        return f"reversed_fixed({self.inner!r})"


def reversed_fixed(part: Part) -> Part:
    """A part of fixed width, stored from its last byte to its first: the fastest changing byte leads, so writes spread.

    The order of the values is lost: there are no ranges over it. With `padded` and `fixed` the key stays readable.

    Example:
        >>> from rowstone.keys import Key, padded, reversed_fixed
        >>> Key(reversed_fixed(padded("order", 4))).encode(order=123)
        b'3210'
    """
    if part.width is None or isinstance(part, Derived):
        raise InvalidArgument(f"{part!r} has no fixed width, so its end could not be found: use padded or fixed")
    return Backwards(part)


def reversed_key(key: str | bytes) -> bytes:
    """Reverse the bytes of a key of fixed width. It is its own inverse.

    >>> reversed_key("0123")
    b'3210'
    """
    return (key.encode() if isinstance(key, str) else bytes(key))[::-1]
