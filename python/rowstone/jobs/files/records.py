"""Records that file readers return: values, or the reason why a line is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument

_MOST_VALUE_CHARACTERS = 80


class BadInput(InvalidArgument):
    """A line that cannot become a row. ``file``, ``line`` (from 1; a row number in Parquet), ``column``, ``value``."""

    def __init__(self, file: str, refused: "Refused") -> None:
        where = f"{file} line {refused.line}" + (f", column '{refused.column}'" if refused.column else "")
        what = "" if refused.value is None else f": {_show(refused.value)}"
        super().__init__(f"{where}{what}: {refused.reason}")
        self.file = file
        self.line = refused.line
        self.column = refused.column
        self.value = refused.value


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a file: the number of bytes (rows in Parquet) and lines before it."""

    offset: int = 0
    line: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """Values in the order of the requested sources; None for a missing value.

    ``line`` is the first line of the record, ``after`` the position after it, ``raw`` its text if there is one.
    """

    line: int
    values: Sequence[Any]
    after: Position
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused record: its position, and the reason."""

    line: int
    reason: str
    after: Position
    raw: bytes = b""
    column: str = ""
    value: Any = None


class Reader(Protocol):
    """A file of records."""

    def total(self) -> int:
        """The position's offset at the end."""

    def records(self, start: Position) -> Iterator[Record | Refused]:
        """Records from ``start`` on, which is the beginning or the `Record.after` of an earlier reading."""

    def mark(self, position: Position) -> str:
        """A digest that shows, at a later reading, whether the file before ``position`` is unchanged."""


def _show(value: Any) -> str:
    if isinstance(value, bytes):
        return f"'{printable(value, _MOST_VALUE_CHARACTERS)}'"
    text = str(value)
    return repr(text[:_MOST_VALUE_CHARACTERS] + ("…" if len(text) > _MOST_VALUE_CHARACTERS else ""))
