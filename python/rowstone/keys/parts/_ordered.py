"""Parts of HBase's OrderedBytes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.keys.parts import _ordered_bytes
from rowstone.keys.parts._part import Order, Part


@dataclass(frozen=True, repr=False)
class Ordered(Part):
    """A value of OrderedBytes. See `ordered`."""

    name: str
    kind: str
    is_descending: bool

    @property
    def arrow_type(self) -> str:  # type: ignore[override]
        """The kind; numbers of any size are text, as Python's `decimal.Decimal` prints them."""
        if self.kind in _ordered_bytes.INTEGERS | _ordered_bytes.FLOATS:
            return self.kind
        return "string" if self.kind in ("number", "text") else "binary"

    @property
    def order(self) -> Order:  # type: ignore[override]
        """The requested order; "none" for ``blob``, because HBase's bytes sort ``01`` before ``00 00``."""
        if self.kind == "blob":
            return "none"
        return "descending" if self.is_descending else "ascending"

    @property
    def width(self) -> int | None:  # type: ignore[override]
        """Including the byte for the type."""
        fixed = _ordered_bytes.INTEGERS | _ordered_bytes.FLOATS
        return 1 + fixed[self.kind][1] if self.kind in fixed else None

    @property
    def last_only(self) -> str:  # type: ignore[override]
        """HBase has ``blob_copy`` for the last part."""
        return f"ordered({self.name!r}, 'blob')" if self.kind == "blob_copy" else ""

    def encode(self, value: Any) -> bytes:
        """HBase's bytes."""
        if self.kind == "text" and isinstance(value, str):
            self.utf8(value)
        try:
            return _ordered_bytes.encode(self.kind, value, descending=self.is_descending)
        except InvalidArgument as error:
            raise type(error)(f"{self!r}: {error}") from None

    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        """The value, or None."""
        try:
            return _ordered_bytes.decode(self.kind, data, start, descending=self.is_descending)
        except InvalidArgument as error:
            raise type(error)(f"{self!r}: {error}") from None

    def open_prefix(self, start: str | bytes) -> bytes:
        """For text: the encoding without its terminator."""
        if self.kind != "text":
            return super().open_prefix(start)
        data = self.encode(self.start_text(start))
        return data[:-1]

    def from_text(self, text: str) -> Any:
        """Parse a value of the kind."""
        if self.kind in _ordered_bytes.INTEGERS:
            return int(text)
        if self.kind in _ordered_bytes.FLOATS:
            return float(text)
        if self.kind == "number":
            try:
                return Decimal(text)
            except InvalidOperation:
                raise ValueError(f"{text!r} is no number") from None
        return text if self.kind == "text" else text.encode()

    def __repr__(self) -> str:
        return f"ordered({self.name!r}, {self.kind!r}{', descending=True' if self.is_descending else ''})"


def ordered(name: str, kind: str, *, descending: bool = False) -> Part:
    """A value in HBase's OrderedBytes, byte for byte.

    Args:
        kind: ``"int8"`` … ``"int64"``, ``"float32"``, ``"float64"``. Or one of these, where None stands for null and
            sorts first: ``"number"`` (any number, decoded as `decimal.Decimal` of at most 31 digits), ``"text"``,
            ``"blob_copy"`` (raw bytes, only at the end of a key), and ``"blob"``, which has no ranges because HBase's
            encoding does not sort values of different lengths correctly (`rowstone.keys.blob` sorts).
        descending: Large values first, null last.

    Source: HBase's ``OrderedBytes``.

    Example:
        >>> from rowstone.keys import Key, ordered
        >>> Key(ordered("n", "number"), ordered("s", "text")).decode(bytes.fromhex("18036434616200"))
        Values(n=Decimal('1.5'), s='ab')
    """
    if kind not in _ordered_bytes.KINDS:
        raise InvalidArgument(f"ordered({name!r}, {kind!r}): there are {', '.join(_ordered_bytes.KINDS)}")
    return Ordered(name, kind, descending)
