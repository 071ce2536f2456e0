"""Filters by column."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.cells import Cell
from tests.reference.filters.base import FIRST, Code, Filter, Place


class ColumnPrefixFilter(Filter):
    hinting = True

    def __init__(self, prefix: bytes) -> None:
        self.prefix = prefix

    def check(self, cell: Cell) -> Code:
        if cell.qualifier.startswith(self.prefix):
            return Code.INCLUDE
        return Code.HINT if cell.qualifier < self.prefix else Code.NEXT_ROW

    def hint(self, cell: Cell) -> Place | None:
        return (cell.row, cell.family, self.prefix, FIRST, FIRST)


class MultipleColumnPrefixFilter(Filter):
    """Only the largest prefix that is not larger than the qualifier is compared."""

    hinting = True

    def __init__(self, prefixes: Sequence[bytes]) -> None:
        self.prefixes = sorted(prefixes)
        self.next: bytes | None = None

    def check(self, cell: Cell) -> Code:
        if not self.prefixes:
            return Code.INCLUDE
        behind = [prefix for prefix in self.prefixes if prefix <= cell.qualifier]
        ahead = [prefix for prefix in self.prefixes if prefix > cell.qualifier]
        if behind and cell.qualifier.startswith(behind[-1]):
            return Code.INCLUDE
        if not ahead:
            return Code.NEXT_ROW
        self.next = ahead[0]
        return Code.HINT

    def hint(self, cell: Cell) -> Place | None:
        return None if self.next is None else (cell.row, cell.family, self.next, FIRST, FIRST)


class ColumnRangeFilter(Filter):
    hinting = True

    def __init__(self, least: bytes, with_least: bool, most: bytes, with_most: bool) -> None:
        self.least, self.with_least, self.most, self.with_most = least, with_least, most, with_most

    def check(self, cell: Cell) -> Code:
        if self.least:
            if cell.qualifier < self.least:
                return Code.HINT
            if cell.qualifier == self.least and not self.with_least:
                return Code.NEXT_COLUMN
        if self.most and (cell.qualifier > self.most or (cell.qualifier == self.most and not self.with_most)):
            return Code.NEXT_ROW
        return Code.INCLUDE

    def hint(self, cell: Cell) -> Place | None:
        return (cell.row, cell.family, self.least, FIRST, FIRST)


class ColumnPaginationFilter(Filter):
    def __init__(self, limit: int, offset: int | bytes) -> None:
        self.limit, self.offset, self.count = limit, offset, 0

    def reset(self) -> None:
        self.count = 0

    def check(self, cell: Cell) -> Code:
        if isinstance(self.offset, bytes):
            if self.count >= self.limit:
                return Code.NEXT_ROW
            if self.count == 0 and cell.qualifier < self.offset:
                return Code.HINT
            self.count += 1
            return Code.INCLUDE_NEXT_COLUMN
        if self.count >= self.offset + self.limit:
            return Code.NEXT_ROW
        self.count += 1
        return Code.NEXT_COLUMN if self.count <= self.offset else Code.INCLUDE_NEXT_COLUMN

    def hint(self, cell: Cell) -> Place | None:
        return (cell.row, cell.family, self.offset, FIRST, FIRST) if isinstance(self.offset, bytes) else None


class ColumnCountGetFilter(Filter):
    def __init__(self, limit: int) -> None:
        self.limit, self.count = limit, 0

    def reset(self) -> None:
        self.count = 0

    def done(self) -> bool:
        return self.count > self.limit

    def check(self, cell: Cell) -> Code:
        self.count += 1
        return Code.NEXT_COLUMN if self.done() else Code.INCLUDE_NEXT_COLUMN


class FirstKeyFilter(Filter):
    """Up to the first cell, or the first with one of the qualifiers."""

    def __init__(self, qualifiers: Sequence[bytes] | None) -> None:
        self.qualifiers, self.found = qualifiers, False

    def reset(self) -> None:
        self.found = False

    def check(self, cell: Cell) -> Code:
        if self.found:
            return Code.NEXT_ROW
        self.found = self.qualifiers is None or cell.qualifier in self.qualifiers
        return Code.INCLUDE
