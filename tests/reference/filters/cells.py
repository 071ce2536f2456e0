"""Filters by cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.reference.cells import Cell
from tests.reference.comparators import Test
from tests.reference.filters.base import FIRST, LAST, Code, Filter, Place


class CellFilter(Filter):
    """Tests one part of each cell."""

    def __init__(self, test: Test, part: Callable[[Cell], bytes], otherwise: Code) -> None:
        self.test, self.part, self.otherwise = test, part, otherwise

    def check(self, cell: Cell) -> Code:
        return Code.INCLUDE if self.test(self.part(cell)) else self.otherwise


class ColumnValueFilter(Filter):
    def __init__(self, family: bytes, qualifier: bytes, test: Test) -> None:
        self.column, self.test, self.found = (family, qualifier), test, False

    def reset(self) -> None:
        self.found = False

    def check(self, cell: Cell) -> Code:
        if (cell.family, cell.qualifier) != self.column:
            return Code.NEXT_ROW if self.found else Code.NEXT_COLUMN
        self.found = True
        return Code.INCLUDE if self.test(cell.value) else Code.SKIP


class SingleColumnValueFilter(Filter):
    whole_rows = True

    def __init__(
        self, column: tuple[bytes, bytes], test: Test, if_missing: bool, latest_only: bool, exclude: bool
    ) -> None:
        self.column, self.test, self.exclude = column, test, exclude
        self.if_missing, self.latest_only = if_missing, latest_only
        self.found = self.matched = False

    def reset(self) -> None:
        self.found = self.matched = False

    def check(self, cell: Cell) -> Code:
        if self.matched:
            return Code.INCLUDE
        if self.latest_only and self.found:
            return Code.NEXT_ROW
        if (cell.family, cell.qualifier) != self.column:
            return Code.INCLUDE
        self.found = True
        if self.test(cell.value):
            self.matched = True
            return Code.INCLUDE
        return Code.NEXT_ROW if self.latest_only else Code.INCLUDE

    def retain(self, cells: list[Cell]) -> list[Cell]:
        return [cell for cell in cells if not self.exclude or (cell.family, cell.qualifier) != self.column]

    def drops_row(self) -> bool:
        return not self.matched if self.found else self.if_missing


class DependentColumnFilter(Filter):
    whole_rows = True

    def __init__(self, column: tuple[bytes, bytes], drop: bool, test: Test | None) -> None:
        self.column, self.drop, self.test = column, drop, test
        self.stamps: set[int] = set()

    def reset(self) -> None:
        self.stamps = set()

    def check(self, cell: Cell) -> Code:
        if (cell.family, cell.qualifier) != self.column:
            return Code.INCLUDE
        if self.test is not None and not self.test(cell.value):
            return Code.SKIP
        self.stamps.add(cell.timestamp)
        return Code.SKIP if self.drop else Code.INCLUDE

    def retain(self, cells: list[Cell]) -> list[Cell]:
        return [cell for cell in cells if cell.timestamp in self.stamps]


class KeyOnlyFilter(Filter):
    def __init__(self, length_as_value: bool) -> None:
        self.length_as_value = length_as_value

    def show(self, cell: Cell) -> Cell:
        value = len(cell.value).to_bytes(4, "big") if self.length_as_value else b""
        return replace(cell, value=value, tags=())


class TimestampsFilter(Filter):
    hinting = True

    def __init__(self, stamps: Sequence[int], can_hint: bool) -> None:
        self.stamps, self.can_hint = sorted(set(stamps)), can_hint

    def check(self, cell: Cell) -> Code:
        if cell.timestamp in self.stamps:
            return Code.INCLUDE
        if not self.stamps or cell.timestamp < self.stamps[0]:
            return Code.NEXT_COLUMN
        return Code.HINT if self.can_hint else Code.SKIP

    def hint(self, cell: Cell) -> Place | None:
        if not self.can_hint:
            return None
        smaller = [stamp for stamp in self.stamps if stamp < cell.timestamp]
        column = (cell.row, cell.family, cell.qualifier)
        return (*column, -smaller[-1], FIRST) if smaller else (*column, LAST, LAST)
