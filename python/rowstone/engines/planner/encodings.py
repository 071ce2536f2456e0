r"""Encodings of values as sets of bytes: the values above a bound are those whose bytes are in some ranges.

| codec | bytes of the values from 5 on |
|---|---|
| uint8 | from ``05`` |
| int8 | from ``05`` to before ``80``, where the negative numbers begin |
| float64 | from 5.0 to before ``80 …``, and NaN with a sign |
| text, bytes | from the bound on |

The ranges may contain bytes that are no value of the codec.
"""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rowstone.engines._predicate import Compare, In, StartsWith
from rowstone.engines.planner.byte_ranges import EVERYTHING, Ranges, complement, intersection, union
from rowstone.engines.planner.normal import Condition
from rowstone.keys import KeyRange
from rowstone.keys.parts._part import behind

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Unknown(Exception):
    """The bytes of such values are not known, or do not sort: only the decoded value can be compared."""


class Encoding(ABC):
    """The bytes of the values of a column."""

    is_exact = True
    """Whether the ranges contain no other values; superfluous values are then left to the residue."""

    @abstractmethod
    def above(self, value: Any, *, includes: bool) -> Ranges:
        """Return the bytes of the values greater than ``value``, or equal if ``includes``. Raises `Unknown`."""

    def equal(self, value: Any) -> Ranges:
        """Return the bytes of ``value``. Raises `Unknown`."""
        return intersection(self.above(value, includes=True), complement(self.above(value, includes=False)))

    def starting(self, prefix: Any) -> Ranges:
        """Return the bytes of the values that begin with ``prefix``. Raises `Unknown`."""
        raise Unknown


def single(data: bytes) -> Ranges:
    """Return the range with only these bytes."""
    return (KeyRange(data, data + b"\0"),)


def from_to(start: bytes, stop: bytes = b"") -> Ranges:
    """Return the range from ``start``, included, to ``stop``, excluded; empty is the end."""
    return union([KeyRange(start, stop)])


@dataclass(frozen=True)
class Integers(Encoding):
    """Big-endian numbers of ``size`` bytes, in two's complement if they are signed."""

    size: int
    is_signed: bool

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """From the number to the largest one."""
        return self._from(first_integer(value, includes=includes))

    def equal(self, value: Any) -> Ranges:
        """One number, or none if the value is no whole number of this size."""
        first = first_integer(value, includes=True)
        is_whole = first not in (math.inf, -math.inf) and first == value
        return single(self._encode(int(first))) if is_whole and self._least <= first <= self._most else ()

    def _from(self, first: float) -> Ranges:
        if first > self._most:
            return ()
        low = int(max(first, self._least))
        if not self.is_signed:
            return from_to(self._encode(low))
        negative = b"\x80" + bytes(self.size - 1)
        if low >= 0:
            return from_to(self._encode(low), negative)
        return union([KeyRange(b"", negative), KeyRange(self._encode(low), b"")])

    def _encode(self, number: int) -> bytes:
        return number.to_bytes(self.size, "big", signed=self.is_signed)

    @property
    def _least(self) -> int:
        return -(1 << (8 * self.size - 1)) if self.is_signed else 0

    @property
    def _most(self) -> int:
        return (1 << (8 * self.size - self.is_signed)) - 1


def first_integer(value: Any, *, includes: bool) -> int | float:
    """Return the least whole number above a bound, infinite if there is none. Raises `Unknown` for other types."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        raise Unknown
    if value != value or value == math.inf:
        return math.inf
    if value == -math.inf:
        return -math.inf
    return math.ceil(value) if includes else math.floor(value) + 1


class Times(Integers):
    """Milliseconds since 1970 in 8 bytes, compared with aware datetimes."""

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """From the millisecond on."""
        return super().above(_milliseconds(value), includes=includes)

    def equal(self, value: Any) -> Ranges:
        """One millisecond, or none if the time is between two."""
        return super().equal(_milliseconds(value))


def _milliseconds(value: Any) -> Fraction:
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise Unknown
    micros = (value - _EPOCH) // timedelta(microseconds=1)
    # Timestamps of pandas have nanoseconds.
    return Fraction(micros * 1000 + getattr(value, "nanosecond", 0), 1_000_000)


@dataclass(frozen=True)
class Floats(Encoding):
    """IEEE 754, big-endian. Bytes of negative numbers sort backwards, after those of all others. NaN is greatest."""

    size: int

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """Numbers above the bound, and NaN."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unknown
        number, includes = nearest_float(value, self.size, includes=includes)
        infinite = self._encode(math.inf)
        minus_infinite = self._encode(-math.inf)
        middle = self._encode(-0.0)
        nans = [KeyRange(infinite + b"\0", middle), KeyRange(minus_infinite + b"\0", b"")]
        if number != number:
            return union(nans) if includes else ()
        data = self._encode(number)
        if number > 0 or (number == 0 and not includes):
            start = self._encode(0.0) if number == 0 else data
            return union([*nans, KeyRange(start if includes else start + b"\0", middle)])
        if number == 0:
            return union([*nans, KeyRange(b"", middle + b"\0")])
        return union([*nans, KeyRange(b"", data + b"\0" if includes else data)])

    def _encode(self, number: float) -> bytes:
        return struct.pack(">f" if self.size == 4 else ">d", number)


def nearest_float(value: int | float, size: int, *, includes: bool) -> tuple[float, bool]:
    """Return a number of ``size`` bytes with the same numbers above it as ``value``, and whether it is among them."""
    try:
        number = float(value)
        number = number if size == 8 or math.isinf(number) else struct.unpack(">f", struct.pack(">f", number))[0]
    except OverflowError:
        # Larger than every finite number: between the largest one and infinity, or below.
        return (math.inf, True) if value > 0 else (-math.inf, False)
    if number != number or number == value:
        return number, includes
    return number, number > value


class Booleans(Encoding):
    """One byte; 00 is false."""

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """True is greater than false."""
        if not isinstance(value, bool):
            raise Unknown
        if value and not includes:
            return ()
        return from_to(b"\1") if value or not includes else EVERYTHING


@dataclass(frozen=True)
class Strings(Encoding):
    """Text in UTF-8, or bytes, as they are."""

    is_text: bool

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """From the bytes on."""
        data = self._bytes(value)
        return from_to(data if includes else data + b"\0")

    def equal(self, value: Any) -> Ranges:
        """The bytes."""
        return single(self._bytes(value))

    def starting(self, prefix: Any) -> Ranges:
        """From the prefix to before what sorts behind it."""
        data = self._bytes(prefix)
        return from_to(data, behind(data) or b"")

    def _bytes(self, value: Any) -> bytes:
        if not isinstance(value, str if self.is_text else bytes):
            raise Unknown
        try:
            return value.encode() if isinstance(value, str) else bytes(value)
        except UnicodeEncodeError:
            raise Unknown from None


class Unordered(Encoding):
    """Values of which nothing but their existence is known."""

    is_exact = False

    def above(self, value: Any, *, includes: bool) -> Ranges:
        """Raise `Unknown`."""
        raise Unknown


def encoding_of(kind: str) -> Encoding:
    """Return the encoding of a codec, given by name, as in `Field.codec`."""
    if kind.startswith(("int", "uint")):
        return Integers(int(kind.lstrip("uint")) // 8, kind.startswith("int"))
    if kind.startswith("float"):
        return Floats(int(kind.removeprefix("float")) // 8)
    if kind in ("text", "json"):
        return Strings(True)
    if kind == "datetime":
        return Times(8, True)
    if kind == "bool":
        return Booleans()
    return Unordered() if kind == "decimal" else Strings(False)


def bytes_of(encoding: Encoding, condition: Condition) -> Ranges:
    """Return the bytes of the values for which a condition other than a null test holds. Raises `Unknown`."""
    match condition.leaf:
        case Compare(_, operator, value):
            if operator in ("==", "!="):
                found = encoding.equal(value)
            else:
                found = encoding.above(value, includes=operator in (">=", "<"))
            return found if operator in ("==", ">", ">=") else complement(found)
        case In(_, values):
            if condition.is_negated and None in values:
                return ()
            found = union(one for value in values if value is not None for one in encoding.equal(value))
        case StartsWith(_, prefix):
            found = encoding.starting(prefix)
        case _:
            raise Unknown
    return complement(found) if condition.is_negated else found
