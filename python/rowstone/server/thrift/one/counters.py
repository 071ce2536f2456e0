"""Read-modify-write operations: counters, appends, conditional puts."""

from __future__ import annotations

from typing import Any

import rowstone
from rowstone.errors import InvalidArgument
from rowstone.server.columns import split_column
from rowstone.server.thrift._arguments import wait_for_clock
from rowstone.server.thrift._failures import INTERNAL_ERROR, ApplicationFailure
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.one._structs import cells_of
from rowstone.server.thrift.one.mutations import Attributes, durability_of


def atomic_increment(session: Session, table: bytes, row: bytes, column: bytes, amount: int) -> int:
    """Increment a counter and return its new value; a family alone means its empty qualifier."""
    family, qualifier = split_column(column)
    [cell] = wait_for_clock(session.table(table).increment(row, [((family, qualifier or b""), amount)])).cells
    return int.from_bytes(cell.value, "big", signed=True)


def increment(session: Session, increment: Any) -> None:
    """Increment a counter."""
    if not increment.row or not increment.table:
        raise ApplicationFailure(INTERNAL_ERROR, "Must supply a table and a row key; can't increment")
    amounts = [(_column(increment.column), increment.ammount)]
    wait_for_clock(session.table(increment.table).increment(increment.row, amounts))


def increment_rows(session: Session, increments: list[Any]) -> None:
    """Increment counters in turn, until one fails."""
    for one in increments:
        increment(session, one)


def append(session: Session, append: Any) -> Any:
    """Append to values and return the new ones."""
    if not append.row or not append.table:
        raise ApplicationFailure(INTERNAL_ERROR, "Must supply a table and a row key; can't append")
    if len(append.columns) != len(append.values):
        raise InvalidArgument("Sizes of columns and values in tappend object are not matching")
    suffixes = [(_column(column), value) for column, value in zip(append.columns, append.values, strict=True)]
    return cells_of(wait_for_clock(session.table(append.table).append(append.row, suffixes)))


def check_and_put(
    session: Session, table: bytes, row: bytes, column: bytes, value: bytes | None, mput: Any, attributes: Attributes
) -> bool:
    """Put a value if a column has the expected value, or, without one, if the column is empty."""
    target = _column(mput.column)
    data = [(target, b"" if mput.value is None else mput.value)]
    put = rowstone.Put(row, data, durability=durability_of(mput.writeToWAL))
    checked = _column(column)
    return session.table(table).check_and_mutate(row, checked, "EQUAL", value, put).success


def _column(column: bytes) -> tuple[bytes, bytes]:
    family, qualifier = split_column(column)
    if qualifier is None:
        raise InvalidArgument(f"column {column!r} has no qualifier")
    return family, qualifier
