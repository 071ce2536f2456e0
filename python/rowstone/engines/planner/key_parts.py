"""Parts of row keys as encodings: the bytes of a part, with everything that may follow it in the key.

The bytes of a part say where it ends, so the keys whose part is at most ``v`` are all those before the end of the keys
that begin with the bytes of ``v``. Only text and bytes at the end of a key have no end of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rowstone.engines.planner.byte_ranges import Ranges, complement, union
from rowstone.engines.planner.encodings import (
    Encoding,
    Integers,
    Unknown,
    first_integer,
    from_to,
    nearest_float,
    single,
)
from rowstone.errors import InvalidArgument, NotFoundError
from rowstone.keys import Digest, KeyRange, Part
from rowstone.keys.parts._dictionary import Substituted
from rowstone.keys.parts._floats import Float
from rowstone.keys.parts._hashes import Hashed
from rowstone.keys.parts._integers import Integer, Padded
from rowstone.keys.parts._ordered import Ordered
from rowstone.keys.parts._part import behind
from rowstone.keys.parts._random import Random
from rowstone.keys.parts._reverse import Backwards, Descending
from rowstone.keys.parts._text import Blob, Fixed, Text
from rowstone.keys.parts._times import LAST, Time


@dataclass(frozen=True)
class PartEncoding(Encoding):
    """The bytes of a part of a key."""

    part: Part

    @property
    def is_exact(self) -> bool:  # type: ignore[override]
        """OrderedBytes have nulls, which are in the ranges below a bound."""
        return not self.has_nulls

    @property
    def has_nulls(self) -> bool:
        """Whether the part can be null."""
        inner = inner_part(self.part)
        return isinstance(inner, Ordered) and not inner.kind.startswith(("int", "float"))

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """See `Encoding.above`."""
        inner = inner_part(self.part)
        if isinstance(inner, Integer) and inner.kind == "java_int":
            if self.part is not inner:
                raise Unknown
            return Integers(inner.width, True).above(value, includes=includes)
        if self.part.order == "none" or (isinstance(inner, Text) and inner.is_domain):
            raise Unknown
        if (limits := _limits(inner)) is not None:
            first = first_integer(value, includes=includes)
            return () if first > limits[1] else self._from(int(max(first, limits[0])), includes=True)
        if isinstance(inner, Float):
            return self._floats_above(value, inner.width, includes=includes)
        return self._texts_above(value, inner, includes=includes)

    def _floats_above(self, value: Any, width: int, *, includes: bool) -> Ranges:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unknown
        number, includes = nearest_float(value, width, includes=includes)
        nans = self._nans()
        if number != number:
            return nans if includes else ()
        if number == 0:
            number = -0.0 if includes else 0.0
        return union([*nans, *self._from(number, includes=includes)])

    def _nans(self) -> Ranges:
        """The keys whose part is NaN: beyond both infinities, because it may have a sign."""
        first, last = sorted(map(self.part.sought, (-math.inf, math.inf)))
        return union([KeyRange(b"", first), *_after(last)])

    def _texts_above(self, value: Any, inner: Part, *, includes: bool) -> Ranges:
        _check_type(inner, value)
        if isinstance(inner, Fixed) and self.part is inner:
            data = value.encode() if isinstance(value, str) else value
            is_within = len(data) < inner.width or (len(data) == inner.width and includes)
            return from_to(data) if is_within else _after(data[: inner.width])
        return self._from(value, includes=includes)

    def _from(self, value: Any, *, includes: bool) -> Ranges:
        """The keys whose part is above a value that the part can have."""
        try:
            data = self.part.sought(value)
        except InvalidArgument:
            raise Unknown from None
        if self.part.order == "descending":
            if isinstance(self.part, Descending) and self._is_open:
                # The bytes of a value are a prefix of those of greater ones.
                raise Unknown
            # Greater values have smaller bytes.
            return complement(_after(data) if includes else from_to(data))
        if includes:
            return from_to(data)
        return from_to(data + b"\0") if self._is_open else _after(data)

    def points(self, value: Any) -> dict[bytes, Any]:
        """The part's values that equal ``value``, by their bytes: none if no key can have it. Raises `Unknown`."""
        found = {}
        for one in _values(inner_part(self.part), value):
            try:
                found[self.part.sought(one)] = one
            except (InvalidArgument, NotFoundError):
                continue
        return found

    def equal(self, value: Any) -> Ranges:
        """The keys whose part is the value."""
        if isinstance(inner_part(self.part), Float) and value != value:
            return self.above(value, includes=True)
        return union(one for data in self.points(value) for one in self.at(data))

    def at(self, data: bytes) -> Ranges:
        """Return the keys whose part has these bytes."""
        return single(data) if self._is_open else from_to(data, behind(data) or b"")

    def starting(self, prefix: Any) -> Ranges:
        """The keys whose part begins so."""
        inner = inner_part(self.part)
        is_domain = isinstance(inner, Text) and inner.is_domain
        if is_domain or self.part.order == "none":
            raise Unknown
        _check_type(inner, prefix)
        try:
            data = self.part.open_prefix(prefix)
        except InvalidArgument:
            raise Unknown from None
        return from_to(data, behind(data) or b"")

    @property
    def _is_open(self) -> bool:
        """Whether the part is the last one, and does not say where it ends."""
        return bool(getattr(self.part, "is_last", False) or self.part.last_only)


def inner_part(part: Part) -> Part:
    """Return the part whose order is reversed, or whose bytes are; another part as it is."""
    return inner_part(part.inner) if isinstance(part, Descending | Backwards) else part


def _after(data: bytes) -> Ranges:
    """The keys after all that begin with these bytes."""
    start = behind(data)
    return () if start is None else from_to(start)


def _limits(part: Part) -> tuple[int, int] | None:
    """The smallest and the largest number of a part of whole numbers."""
    if isinstance(part, Integer):
        return part.least, part.most
    if isinstance(part, Padded) and part.arrow_type == "int64":
        return 0, 10**part.width - 1
    if isinstance(part, Time):
        return 0, LAST
    if isinstance(part, Ordered) and part.kind.startswith("int"):
        bits = int(part.kind.removeprefix("int"))
        return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return None


def _check_type(part: Part, value: Any) -> None:
    if _value_type(part) is not type(value):
        raise Unknown


def _value_type(part: Part) -> type | None:
    """The type of values that are stored as text or bytes."""
    if isinstance(part, Text | Substituted):
        return str
    if isinstance(part, Fixed):
        return str if part.is_text else bytes
    if isinstance(part, Ordered):
        return {"text": str, "blob": bytes, "blob_copy": bytes}.get(part.kind)
    return bytes if isinstance(part, Blob | Random) else None


def _values(part: Part, value: Any) -> list[Any]:
    """The values of a part that equal ``value``. Raises `Unknown` if it has another type."""
    if (limits := _limits(part)) is not None:
        first = first_integer(value, includes=True)
        return [int(first)] if first == value and limits[0] <= first <= limits[1] and not math.isinf(first) else []
    if isinstance(part, Float):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unknown
        number, _ = nearest_float(value, part.width, includes=True)
        if number != number:
            # It has many forms.
            raise Unknown
        return ([0.0, -0.0] if number == 0 else [number]) if number == value else []
    if isinstance(part, Hashed):
        if not isinstance(value, bytes):
            raise Unknown
        return [Digest(value)] if len(value) == part.width else []
    _check_type(part, value)
    return [value]
