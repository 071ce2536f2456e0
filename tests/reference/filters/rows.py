"""Filters by row."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.cells import Cell
from tests.reference.comparators import Test
from tests.reference.filters.base import FIRST, Code, Filter, Place


class PrefixFilter(Filter):
    hinting = True

    def __init__(self, prefix: bytes, reverse: bool) -> None:
        self.prefix, self.reverse = prefix, reverse
        self.passed, self.wrong, self.before = False, True, False

    def reset(self) -> None:
        self.wrong = True

    def done(self) -> bool:
        return self.passed

    def skips_row(self, row: bytes) -> bool:
        if self.passed:
            return True
        start = row[: len(self.prefix)]
        smaller, larger = start < self.prefix, start > self.prefix
        self.before, self.passed = (larger, smaller) if self.reverse else (smaller, larger)
        self.wrong = smaller or larger
        return self.passed

    def check(self, cell: Cell) -> Code:
        if self.before:
            return Code.HINT
        return Code.NEXT_ROW if self.wrong else Code.INCLUDE

    def drops_row(self) -> bool:
        return self.wrong

    def hint(self, cell: Cell) -> Place | None:
        if not self.reverse:
            return (self.prefix, b"", b"", FIRST, FIRST)
        stripped = self.prefix.rstrip(b"\xff")
        if not stripped:
            return None
        return (stripped[:-1] + bytes([stripped[-1] + 1]), b"", b"", FIRST, FIRST)


class RowFilter(Filter):
    def __init__(self, test: Test) -> None:
        self.test, self.wrong = test, False

    def reset(self) -> None:
        self.wrong = False

    def skips_row(self, row: bytes) -> bool:
        self.wrong = self.wrong or not self.test(row)
        return self.wrong

    def check(self, cell: Cell) -> Code:
        return Code.NEXT_ROW if self.wrong else Code.INCLUDE

    def drops_row(self) -> bool:
        return self.wrong


class InclusiveStopFilter(Filter):
    def __init__(self, stop: bytes, reverse: bool) -> None:
        self.stop, self.reverse, self.passed = stop, reverse, False

    def done(self) -> bool:
        return self.passed

    def skips_row(self, row: bytes) -> bool:
        if not self.passed:
            self.passed = row < self.stop if self.reverse else row > self.stop
        return self.passed

    def check(self, cell: Cell) -> Code:
        return Code.NEXT_ROW if self.passed else Code.INCLUDE


class RandomRowFilter(Filter):
    """Only for chances that are no chances."""

    whole_rows = True

    def __init__(self, chance: float) -> None:
        assert chance < 0 or chance > 1, "nobody can tell"
        self.wrong = False
        self.chance = chance

    def reset(self) -> None:
        self.wrong = False

    def skips_row(self, row: bytes) -> bool:
        self.wrong = self.chance < 0
        return self.wrong

    def check(self, cell: Cell) -> Code:
        return Code.NEXT_ROW if self.wrong else Code.INCLUDE

    def drops_row(self) -> bool:
        return self.wrong


class PageFilter(Filter):
    whole_rows = True

    def __init__(self, size: int) -> None:
        self.size, self.rows = size, 0

    def done(self) -> bool:
        return self.rows >= self.size

    def drops_row(self) -> bool:
        self.rows += 1
        return self.rows > self.size


class FuzzyRowFilter(Filter):
    """Hints only save work, except that they end the scan where no later row can fit."""

    hinting = True

    def __init__(self, keys: Sequence[tuple[bytes, bytes]], reverse: bool) -> None:
        self.keys, self.reverse, self.wrong = keys, reverse, False

    def reset(self) -> None:
        self.wrong = False

    def check(self, cell: Cell) -> Code:
        fits = any(
            all(kind == 1 or wanted == found for wanted, kind, found in zip(key, mask, cell.row, strict=False))
            for key, mask in self.keys
        )
        if fits:
            return Code.INCLUDE
        self.wrong = True
        return Code.HINT

    def drops_row(self) -> bool:
        return self.wrong


class MultiRowRangeFilter(Filter):
    """The first one given of ranges with the same start row says whether that row is included."""

    hinting = True

    def __init__(self, ranges: Sequence[tuple[bytes, bool, bytes, bool]], reverse: bool) -> None:
        first: dict[bytes, bool] = {}
        self.ranges = [(start, first.setdefault(start, included), *stop) for start, included, *stop in ranges]
        self.reverse = reverse
        self.code, self.passed = Code.INCLUDE, False

    def done(self) -> bool:
        return self.passed

    def skips_row(self, row: bytes) -> bool:
        if self.passed:
            return True
        inside = any(not _before(row, r) and not _behind(row, r) for r in self.ranges)
        ahead = any(_behind(row, r) if self.reverse else _before(row, r) for r in self.ranges)
        self.passed = not inside and not ahead
        self.code = Code.INCLUDE if inside else Code.SKIP
        return False

    def check(self, cell: Cell) -> Code:
        return self.code


def _before(row: bytes, wanted: tuple[bytes, bool, bytes, bool]) -> bool:
    start, include_start, _, _ = wanted
    return row < start or (row == start and not include_start)


def _behind(row: bytes, wanted: tuple[bytes, bool, bytes, bool]) -> bool:
    _, _, stop, include_stop = wanted
    return bool(stop) and (row > stop or (row == stop and not include_stop))
