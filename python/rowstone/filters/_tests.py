"""Operands of expressions: a column, the row key, and the parts of each cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone._base.options.words import CompareOperator
from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.filters._base import OPPOSITES, Bytes, Comparator, Filter
from rowstone.filters._cells import FamilyFilter, QualifierFilter, ValueFilter
from rowstone.filters._comparators import (
    BigDecimalComparator,
    BinaryComparator,
    BinaryPrefixComparator,
    LongComparator,
    NullComparator,
    RegexStringComparator,
    SubstringComparator,
)
from rowstone.filters._expressions import Expression, Test, any_of
from rowstone.filters._rows import PrefixFilter, RowFilter, SingleColumnValueFilter

LITERAL, DOTALL, IGNORE_CASE = 16, 32, 2
SIGNS = {"LESS": "<", "LESS_OR_EQUAL": "<=", "EQUAL": "==", "NOT_EQUAL": "!=", "GREATER_OR_EQUAL": ">=", "GREATER": ">"}
UNSIGNED = {"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}
SIGNED = {"int8": 1, "int16": 2, "int32": 4, "int64": 8}
CODECS = ("bytes", *SIGNED, *UNSIGNED, "decimal")


class Compared(ABC):
    """Base of objects whose comparisons become expressions."""

    __slots__ = ()
    # An object whose == returns an expression cannot be a key of a dict.
    __hash__ = None  # type: ignore[assignment]

    @abstractmethod
    def _compare(self, operator: CompareOperator, value: Any) -> Expression:
        """The expression for one of HBase's six operators."""

    def __lt__(self, value: Any) -> Expression:
        return self._compare("LESS", value)

    def __le__(self, value: Any) -> Expression:
        return self._compare("LESS_OR_EQUAL", value)

    def __eq__(self, value: object) -> Expression:  # type: ignore[override]
        return self._compare("EQUAL", value)

    def __ne__(self, value: object) -> Expression:  # type: ignore[override]
        return self._compare("NOT_EQUAL", value)

    def __ge__(self, value: Any) -> Expression:
        return self._compare("GREATER_OR_EQUAL", value)

    def __gt__(self, value: Any) -> Expression:
        return self._compare("GREATER", value)


class Part(Compared):
    """A part of every row or cell, compared with bytes. Bytes compare as unsigned; ``str`` is encoded as UTF-8."""

    __slots__ = ("_kind", "_make")

    def __init__(self, kind: str, make: Callable[[CompareOperator, Comparator | Bytes], Filter]) -> None:
        self._kind = kind
        self._make = make

    @property
    def _name(self) -> str:
        return "row" if self._kind == "key" else self._kind

    def _compare(self, operator: CompareOperator, value: Any) -> Expression:
        return self._test(operator, _bytes_comparator(self._name, value), f"{self._name} {SIGNS[operator]} {value!r}")

    def _test(
        self, operator: CompareOperator, comparator: Comparator, text: str, positive: Filter | None = None
    ) -> Expression:
        make = self._make
        if positive is None:
            positive = make(operator, comparator)
        return Test(self._kind, positive, make(OPPOSITES[operator], comparator), text, f"~({text})")

    def startswith(self, prefix: Bytes) -> Expression:
        """Test whether it begins with ``prefix``."""
        text = f"{self._name}.startswith({prefix!r})"
        # A scan can seek to rows with a prefix, but not to those without.
        positive = PrefixFilter(prefix) if self._kind == "key" else None
        return self._test("EQUAL", BinaryPrefixComparator(prefix), text, positive)

    def contains(self, part: Bytes, *, ignore_case: bool = False) -> Expression:
        """Test whether it contains ``part``; with ``ignore_case`` compared as text, ignoring case."""
        return self._test("EQUAL", _contains(part, ignore_case), f"{self._name}.contains({part!r})")

    def search(self, pattern: str, *, ignore_case: bool = False, charset: str = "UTF-8") -> Expression:
        """Search it for a Java regular expression, decoded as text in ``charset``."""
        return self._test("EQUAL", _regex(pattern, ignore_case, charset), f"{self._name}.search({pattern!r})")

    def isin(self, values: Iterable[Any]) -> Expression:
        """Test whether it is one of ``values``."""
        return any_of([self == value for value in as_list("values", values)])

    def __repr__(self) -> str:
        return self._name


class Column(Compared):
    """One column of a row, compared by its newest value that is read. Rows without the column pass no comparison, but
    the negation of each: ``~(age >= 25)`` holds for rows without an age."""

    __slots__ = ("_codec", "_family", "_qualifier")

    def __init__(self, family: bytes, qualifier: bytes, codec: str) -> None:
        if codec not in CODECS:
            raise InvalidArgument(f"codec {codec!r} is unknown; there are: {', '.join(CODECS)}")
        self._family = family
        self._qualifier = qualifier
        self._codec = codec

    def _compare(self, operator: CompareOperator, value: Any) -> Expression:
        return self._test(operator, self._comparator(operator, value), f"{self!r} {SIGNS[operator]} {value!r}")

    def _comparator(self, operator: CompareOperator, value: Any) -> Comparator:
        is_order = operator not in ("EQUAL", "NOT_EQUAL")
        if self._codec == "bytes":
            return _bytes_comparator(repr(self), value)
        if self._codec == "decimal":
            if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
                raise InvalidArgument(f"{self!r} compares with Decimal or int, not with {type(value).__name__}")
            return BigDecimalComparator(Decimal(value))
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidArgument(f"{self!r} compares with int, not with {type(value).__name__}")
        signed = self._codec in SIGNED
        width = (SIGNED | UNSIGNED)[self._codec]
        try:
            data = value.to_bytes(width, "big", signed=signed)
        except OverflowError:
            raise InvalidArgument(f"{value} does not fit {self._codec}") from None
        if signed and is_order:
            if width != 8:
                raise UnsupportedOperation(f"HBase cannot order {self._codec}; its signed numbers have 8 bytes (int64)")
            return LongComparator(value)
        return BinaryComparator(data)

    def _test(self, operator: CompareOperator, comparator: Comparator, text: str) -> Expression:
        column = (self._family, self._qualifier)
        positive = SingleColumnValueFilter(*column, operator, comparator, filter_if_missing=True)
        return Test("column", positive, ~positive, text, f"~({text})", column)

    def exists(self) -> Expression:
        """Test whether the row has the column."""
        return self._test("NOT_EQUAL", NullComparator(), f"{self!r}.exists()")

    def startswith(self, prefix: Bytes) -> Expression:
        """Test whether its value begins with ``prefix``."""
        return self._test("EQUAL", BinaryPrefixComparator(prefix), f"{self!r}.startswith({prefix!r})")

    def contains(self, part: Bytes, *, ignore_case: bool = False) -> Expression:
        """Test whether its value contains ``part``; with ``ignore_case`` compared as text, ignoring case."""
        return self._test("EQUAL", _contains(part, ignore_case), f"{self!r}.contains({part!r})")

    def search(self, pattern: str, *, ignore_case: bool = False, charset: str = "UTF-8") -> Expression:
        """Search its value for a Java regular expression, decoded as text in ``charset``."""
        return self._test("EQUAL", _regex(pattern, ignore_case, charset), f"{self!r}.search({pattern!r})")

    def isin(self, values: Iterable[Any]) -> Expression:
        """Test whether its value is one of ``values``."""
        return any_of([self == value for value in as_list("values", values)])

    def __repr__(self) -> str:
        codec = "" if self._codec == "bytes" else f", {self._codec!r}"
        return f"column({self._family + b':' + self._qualifier!r}{codec})"


def column(name: Bytes | tuple[Bytes, Bytes], codec: str = "bytes") -> Column:
    """Return a column to compare: ``column("f:town") == "Oslo"``.

    ``name`` is ``"family:qualifier"`` or a pair. ``codec`` tells how numbers are stored: ``"int64"`` (as increments
    write them; values of other lengths fail a read that orders by it), ``"int32"``, ``"int16"``, ``"int8"`` (equality
    only: HBase cannot order them), ``"uint64"`` ... ``"uint8"`` (big-endian), or ``"decimal"`` (HBase's
    ``BigDecimal``). By default values are bytes.

    If a read selects ``columns`` and the tested one is not among them, it is read for the test and left out of the
    results.

    Raises:
        InvalidArgument: The name has no colon, or the codec is unknown.
    """
    if isinstance(name, tuple):
        family_name, qualifier_name = (_as_bytes(part) for part in name)
        return Column(family_name, qualifier_name, codec)
    family_name, colon, qualifier_name = _as_bytes(name).partition(b":")
    if not colon:
        raise InvalidArgument(f"column {name!r} has no colon; write 'family:qualifier'")
    return Column(family_name, qualifier_name, codec)


row = Part("key", RowFilter)
"""The row key: ``row >= "m"``, ``row.startswith("user-")``. ``start``, ``stop`` and ``prefix`` read fewer rows."""

value = Part("value", ValueFilter)
"""The value of each cell: cells that do not pass are left out. Of a column, the newest passing version is returned."""

qualifier = Part("qualifier", QualifierFilter)
"""The qualifier of each cell."""

family = Part("family", FamilyFilter)
"""The family of each cell."""


def _as_bytes(text: Bytes) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _bytes_comparator(what: str, operand: Any) -> Comparator:
    if isinstance(operand, (int, Decimal)):
        raise InvalidArgument(
            f"{what} holds bytes and {operand!r} is a number; say how numbers are stored: column('f:q', 'int64')"
        )
    if not isinstance(operand, (str, bytes, bytearray, memoryview)):
        raise InvalidArgument(f"{what} compares with bytes or str, not with {type(operand).__name__}")
    return BinaryComparator(operand if isinstance(operand, str) else bytes(operand))


def _contains(part: Bytes, ignore_case: bool) -> Comparator:
    if ignore_case:
        return SubstringComparator(part if isinstance(part, str) else part.decode())
    # In Latin-1 every byte is a character, so bytes are searched as they are.
    return RegexStringComparator(_as_bytes(part).decode("latin-1"), LITERAL | DOTALL, "ISO-8859-1")


def _regex(pattern: str, ignore_case: bool, charset: str) -> Comparator:
    return RegexStringComparator(pattern, DOTALL | (IGNORE_CASE if ignore_case else 0), charset)
