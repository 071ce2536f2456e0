"""The nine comparators.

A plain ``str`` or ``bytes`` given as a comparator becomes a `BinaryComparator`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from rowstone.filters._base import Bytes, Comparator


@dataclass(frozen=True)
class BinaryComparator(Comparator):
    """Bytes, compared as unsigned from left to right; a prefix sorts first. In the language: ``'binary:...'``."""

    value: Bytes


@dataclass(frozen=True)
class BinaryPrefixComparator(Comparator):
    """Bytes, compared with the same number of leading bytes of the value. In the language: ``'binaryprefix:...'``."""

    value: Bytes


@dataclass(frozen=True)
class BinaryComponentComparator(Comparator):
    """Bytes, compared with those from ``offset`` on. Of a shorter value the existing bytes are compared."""

    value: Bytes
    offset: int


@dataclass(frozen=True)
class BitComparator(Comparator):
    """Bits: EQUAL if the value has the same length and ``bit_operator`` leaves a bit set."""

    value: Bytes
    bit_operator: Literal["AND", "OR", "XOR"]


@dataclass(frozen=True)
class NullComparator(Comparator):
    """Never EQUAL: with NOT_EQUAL every value passes."""


@dataclass(frozen=True)
class RegexStringComparator(Comparator):
    """A Java regular expression, searched anywhere in the value. In the language: ``'regexstring:...'``.

    ``flags`` are those of ``java.util.regex.Pattern``: 2 ignores case, 8 is multi-line, 16 takes the text literally,
    32 (the default) lets a dot match everything. ``charset`` decodes the bytes: ``"UTF-8"``, ``"ISO-8859-1"`` (every
    byte a character: for binary data) or ``"US-ASCII"``. ``engine`` selects HBase's implementation, ``"JAVA"`` or
    ``"JONI"``.

    Unsupported syntax, such as ``\\X`` or Unicode blocks, is refused when a read begins.
    """

    pattern: str
    flags: int = 32
    charset: str = "UTF-8"
    engine: Literal["JAVA", "JONI"] = "JAVA"


@dataclass(frozen=True)
class SubstringComparator(Comparator):
    """A text, searched anywhere in the value, ignoring case. In the language: ``'substring:...'``."""

    substring: str


@dataclass(frozen=True)
class LongComparator(Comparator):
    """A signed number of 8 big-endian bytes, as increments write it. A value of another length fails the read."""

    value: int


@dataclass(frozen=True)
class BigDecimalComparator(Comparator):
    """A decimal number as HBase's ``Bytes.toBytes(BigDecimal)`` writes it. A shorter value fails the read."""

    value: Decimal
