"""Predicates over named columns, with SQL's three-valued logic.

A record is a mapping from column name to value, as `pyarrow.RecordBatch.to_pylist` returns it. A missing cell is None,
and None is the only null. A comparison with a null is unknown, and so is its negation. NaN equals itself and is greater
than every other number, as in DuckDB, Polars and Spark; zero equals minus zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from rowstone.errors import InvalidArgument, InvalidType

Operator = Literal["==", "!=", "<", "<=", ">", ">="]

NEGATED: Mapping[str, Operator] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The opposite of each operator."""

Record = Mapping[str, object]
"""A row as an engine gets it: values by column name."""


class Numeral(float):
    """A number with a point or an exponent in a condition's text: exact in comparisons with decimals, as in SQL."""

    text: str


class Predicate(ABC):
    """A condition on rows. Combine predicates with ``&``, ``|`` and ``~``."""

    @abstractmethod
    def matches(self, record: Record) -> bool | None:
        """Whether a record meets the condition; None if that is unknown because of a null."""

    @abstractmethod
    def columns(self) -> Iterator[str]:
        """The names of the columns in it, possibly repeated."""

    def __and__(self, other: Predicate) -> Predicate:
        return And((self, other))

    def __or__(self, other: Predicate) -> Predicate:
        return Or((self, other))

    def __invert__(self) -> Predicate:
        return Not(self)


@dataclass(frozen=True)
class Compare(Predicate):
    """``column operator value``; the value is not None. An operator of ``==``, ``!=``, ``<``, ``<=``, ``>``, ``>=``."""

    column: str
    operator: Operator
    value: Any

    def __post_init__(self) -> None:
        if self.operator not in NEGATED:
            raise InvalidArgument(f"operator {self.operator!r} is unknown; there are: {', '.join(NEGATED)}")
        if self.value is None:
            raise InvalidArgument(f"column '{self.column}' is compared with None: use IsNull({self.column!r})")

    def matches(self, record: Record) -> bool | None:
        """None if the cell is missing.

        Raises:
            InvalidType: Values of these types have no order.
        """
        found = record[self.column]
        return None if found is None else _TESTS[self.operator](order(self.column, found, self.value))

    def columns(self) -> Iterator[str]:
        yield self.column


@dataclass(frozen=True)
class In(Predicate):
    """The column has one of the values. If None is among them, the result is true or unknown, as in SQL."""

    column: str
    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))

    def matches(self, record: Record) -> bool | None:
        """None if the cell is missing, or has none of the values and None is among them."""
        if not self.values:
            return False
        found = record[self.column]
        if found is None:
            return None
        if any(one is not None and order(self.column, found, one) == 0 for one in self.values):
            return True
        return None if None in self.values else False

    def columns(self) -> Iterator[str]:
        yield self.column


@dataclass(frozen=True)
class StartsWith(Predicate):
    """The column's text or bytes begin with ``prefix``."""

    column: str
    prefix: Any

    def matches(self, record: Record) -> bool | None:
        """None if the cell is missing. Raises `InvalidType` unless the value has the type of the prefix."""
        found: Any = record[self.column]
        if found is None:
            return None
        if type(found) is not type(self.prefix):
            raise _refusal(self.column, found, self.prefix)
        starts: bool = found.startswith(self.prefix)
        return starts

    def columns(self) -> Iterator[str]:
        yield self.column


@dataclass(frozen=True)
class IsNull(Predicate):
    """The row has no cell in the column."""

    column: str

    def matches(self, record: Record) -> bool:
        """Never unknown."""
        return record[self.column] is None

    def columns(self) -> Iterator[str]:
        yield self.column


@dataclass(frozen=True)
class And(Predicate):
    """All parts hold. Without parts it is true."""

    parts: tuple[Predicate, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))

    def matches(self, record: Record) -> bool | None:
        """False if a part is false, else unknown if a part is unknown."""
        found = {part.matches(record) for part in self.parts}
        return False if False in found else None if None in found else True

    def columns(self) -> Iterator[str]:
        """Those of all parts."""
        for part in self.parts:
            yield from part.columns()


@dataclass(frozen=True)
class Or(Predicate):
    """One of the parts holds. Without parts it is false."""

    parts: tuple[Predicate, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))

    def matches(self, record: Record) -> bool | None:
        """True if a part is true, else unknown if a part is unknown."""
        found = {part.matches(record) for part in self.parts}
        return True if True in found else None if None in found else False

    def columns(self) -> Iterator[str]:
        """Those of all parts."""
        for part in self.parts:
            yield from part.columns()


@dataclass(frozen=True)
class Not(Predicate):
    """The opposite; unknown if the part is unknown."""

    part: Predicate

    def matches(self, record: Record) -> bool | None:
        """Of unknown the opposite is unknown."""
        found = self.part.matches(record)
        return None if found is None else not found

    def columns(self) -> Iterator[str]:
        """Those of the part."""
        return self.part.columns()


@dataclass(frozen=True)
class Opaque(Predicate):
    """A condition that only the engine can check. The planner reads every row that could meet it.

    Attributes:
        text: The condition as the engine prints it, for `Plan.explain`.
        reads: The columns that the engine needs to check it.
    """

    text: str
    reads: tuple[str, ...] = ()

    def matches(self, record: Record) -> bool | None:
        """Raise `InvalidArgument`: only the engine knows."""
        raise InvalidArgument(f"the condition {self.text} can be checked by the engine only")

    def columns(self) -> Iterator[str]:
        """Those that the engine needs."""
        yield from self.reads


_TESTS: Mapping[str, Callable[[int], bool]] = {
    "==": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
}


def order(column: str, left: Any, right: Any) -> int:
    """Return -1, 0 or 1 for the order of two values of a column. Raises `InvalidType` if they have none."""
    if isinstance(left, bool) is not isinstance(right, bool):
        raise _refusal(column, left, right)
    if isinstance(right, Numeral) and isinstance(left, Decimal):
        right = Decimal(right.text)
    left_nan, right_nan = bool(left != left), bool(right != right)
    if left_nan or right_nan:
        return left_nan - right_nan
    try:
        return int(left > right) - int(left < right)
    except TypeError:
        raise _refusal(column, left, right) from None


def _refusal(column: str, left: Any, right: Any) -> InvalidType:
    return InvalidType(f"column '{column}' has {type(left).__name__}, which does not compare with {right!r}")


def all_of(parts: Sequence[Predicate]) -> Predicate | None:
    """Return the conjunction of the parts; None without any, the part itself for one."""
    return None if not parts else parts[0] if len(parts) == 1 else And(tuple(parts))
