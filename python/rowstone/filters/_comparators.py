"""The nine comparators.

A plain ``str`` or ``bytes`` in a comparator's place is a `BinaryComparator`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from rowstone.filters._base import Bytes, Comparator


@dataclass(frozen=True)
class BinaryComparator(Comparator):
    """Bytes, compared unsigned from left to right; a prefix comes first. In the language: ``'binary:...'``."""

    value: Bytes


@dataclass(frozen=True)
class BinaryPrefixComparator(Comparator):
    """Bytes, compared with as many first bytes of the other side. In the language: ``'binaryprefix:...'``."""

    value: Bytes


@dataclass(frozen=True)
class BinaryComponentComparator(Comparator):
    """Bytes, compared with those from ``offset`` on. A shorter value is compared as far as it goes."""

    value: Bytes
    offset: int


@dataclass(frozen=True)
class BitComparator(Comparator):
    """Bits: EQUAL where the value is as long and ``bit_operator`` leaves a bit set."""

    value: Bytes
    bit_operator: Literal["AND", "OR", "XOR"]


@dataclass(frozen=True)
class NullComparator(Comparator):
    """EQUAL to nothing: with NOT_EQUAL every value passes."""


@dataclass(frozen=True)
class RegexStringComparator(Comparator):
    """A regular expression of Java, looked for anywhere in the value. In the language: ``'regexstring:...'``.

    ``flags`` are those of ``java.util.regex.Pattern``: 2 ignores case, 8 is multi-line, 16 takes the text literally,
    32 (the default) lets a dot match everything. ``charset`` says how bytes become text: ``"UTF-8"``,
    ``"ISO-8859-1"`` (every byte a character: for binary data) or ``"US-ASCII"``. ``engine`` is what HBase runs it
    with, ``"JAVA"`` or ``"JONI"``.

    What cannot be run here, such as ``\\X`` or blocks of Unicode, is refused when a read begins.
    """

    pattern: str
    flags: int = 32
    charset: str = "UTF-8"
    engine: Literal["JAVA", "JONI"] = "JAVA"


@dataclass(frozen=True)
class SubstringComparator(Comparator):
    """A text, looked for anywhere in the value, whatever the case. In the language: ``'substring:...'``."""

    substring: str


@dataclass(frozen=True)
class LongComparator(Comparator):
    """A signed number of 8 big-endian bytes, as increments write it. A value of another length ends the read."""

    value: int


@dataclass(frozen=True)
class BigDecimalComparator(Comparator):
    """A decimal number as HBase's ``Bytes.toBytes(BigDecimal)`` writes it. A shorter value than that ends the read."""

    value: Decimal
