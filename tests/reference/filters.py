"""Filters as HBase 2.6 runs them: one class for each, with the state it keeps.

A filter is asked in this order, and answers by changing what it knows:

    for each row:   done()? ends the scan.   skips_row(row)? passes it over.
      each cell that columns, times and versions let through:  check(cell) -> Code;  show(cell) may change it
      retain(cells) may drop some;  drops_row();  reset()

What a list of filters does with the codes of its parts is HBase's `FilterListWithAND` and `FilterListWithOR`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum

from tests.reference.cells import Cell
from tests.reference.comparators import Test, test_of
from tests.script.filter_text import Compared, Node

Place = tuple[bytes, bytes, bytes, int, int]
"""Where in the order of cells: row, family, qualifier, -timestamp, -kind."""

FIRST, LAST = -(1 << 70), 1 << 70


class Code(Enum):
    """What a filter says about a cell."""

    INCLUDE = "INCLUDE"
    INCLUDE_NEXT_COLUMN = "INCLUDE_AND_NEXT_COL"
    INCLUDE_NEXT_ROW = "INCLUDE_AND_SEEK_NEXT_ROW"
    SKIP = "SKIP"
    NEXT_COLUMN = "NEXT_COL"
    NEXT_ROW = "NEXT_ROW"
    HINT = "SEEK_NEXT_USING_HINT"

    @property
    def includes(self) -> bool:
        return self in (Code.INCLUDE, Code.INCLUDE_NEXT_COLUMN, Code.INCLUDE_NEXT_ROW)

    @property
    def jump(self) -> int:
        """0 to the next cell, 1 to the next column, 2 to the next row."""
        if self in (Code.INCLUDE_NEXT_COLUMN, Code.NEXT_COLUMN):
            return 1
        return 2 if self in (Code.INCLUDE_NEXT_ROW, Code.NEXT_ROW) else 0


def code_of(includes: bool, jump: int) -> Code:
    """The code that includes or not and jumps so far."""
    taking = (Code.INCLUDE, Code.INCLUDE_NEXT_COLUMN, Code.INCLUDE_NEXT_ROW)
    leaving = (Code.SKIP, Code.NEXT_COLUMN, Code.NEXT_ROW)
    return (taking if includes else leaving)[jump]


def place_of(cell: Cell) -> Place:
    """A cell's place."""
    return (cell.row, cell.family, cell.qualifier, -cell.timestamp, -cell.kind)


class Filter:
    """What a filter does unless it says otherwise."""

    hinting = False
    """Whether a list asks for its hints even after another part has said no."""
    whole_rows = False
    """Whether it decides on whole rows."""

    def reset(self) -> None:
        """A row has ended."""

    def done(self) -> bool:
        """Nothing that follows can pass."""
        return False

    def skips_row(self, row: bytes) -> bool:
        """The row can be passed over."""
        return self.done()

    def check(self, cell: Cell) -> Code:
        """The verdict on a cell."""
        return Code.INCLUDE

    def show(self, cell: Cell) -> Cell:
        """The cell as it is returned."""
        return cell

    def retain(self, cells: list[Cell]) -> list[Cell]:
        """The cells of the row that stay."""
        return cells

    def drops_row(self) -> bool:
        """The row is dropped after all."""
        return False

    def hint(self, cell: Cell) -> Place | None:
        """Where to go on after `Code.HINT`."""
        return None


# ---- by row


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
    hinting = True

    def __init__(self, ranges: Sequence[tuple[bytes, bool, bytes, bool]], reverse: bool) -> None:
        self.ranges, self.reverse = ranges, reverse
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


# ---- by cell


class CellFilter(Filter):
    """Looks at one part of each cell."""

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


# ---- by column


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
    """Of the prefixes only the largest one that is not larger than the qualifier is tried."""

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


# ---- filters of filters


class SkipFilter(Filter):
    """Hands on cells only: nothing of rows, no hints."""

    whole_rows = True

    def __init__(self, inner: Filter) -> None:
        self.inner, self.wrong = inner, False

    def reset(self) -> None:
        self.inner.reset()
        self.wrong = False

    def check(self, cell: Cell) -> Code:
        code = self.inner.check(cell)
        self.wrong = self.wrong or code is not Code.INCLUDE
        return code

    def show(self, cell: Cell) -> Cell:
        return self.inner.show(cell)

    def drops_row(self) -> bool:
        return self.wrong


class WhileMatchFilter(Filter):
    whole_rows = True

    def __init__(self, inner: Filter) -> None:
        self.inner, self.over = inner, False

    def reset(self) -> None:
        self.inner.reset()

    def done(self) -> bool:
        return self.over or self.inner.done()

    def skips_row(self, row: bytes) -> bool:
        if self.done():
            return True
        skips = self.inner.skips_row(row)
        self.over = self.over or skips
        return skips

    def check(self, cell: Cell) -> Code:
        code = self.inner.check(cell)
        self.over = self.over or code is not Code.INCLUDE
        return code

    def show(self, cell: Cell) -> Cell:
        return self.inner.show(cell)

    def drops_row(self) -> bool:
        drops = self.inner.drops_row()
        self.over = self.over or drops
        return drops


class ListFilter(Filter):
    def __init__(self, parts: Sequence[Filter], reverse: bool) -> None:
        self.parts, self.reverse = parts, reverse

    @property
    def whole_rows(self) -> bool:  # type: ignore[override]
        return any(part.whole_rows for part in self.parts)

    def retain(self, cells: list[Cell]) -> list[Cell]:
        for part in self.parts:
            cells = part.retain(cells)
        return cells


class AllOf(ListFilter):
    """All must pass: the first that does not include a cell hides it from those behind it, except from their hints."""

    def __init__(self, parts: Sequence[Filter], reverse: bool) -> None:
        super().__init__(parts, reverse)
        self.seekers: list[Filter] = []

    def reset(self) -> None:
        self.seekers = []
        for part in self.parts:
            part.reset()

    def done(self) -> bool:
        return any(part.done() for part in self.parts)

    def skips_row(self, row: bytes) -> bool:
        skipped, may_hint = False, False
        for part in self.parts:
            if part.done():
                return True
            if part.skips_row(row):
                skipped = True
            elif part.hinting:
                may_hint = True
        return skipped and not may_hint

    def check(self, cell: Cell) -> Code:
        self.seekers = []
        code = Code.INCLUDE
        rest = iter(self.parts)
        for part in rest:
            if part.done():
                code = Code.NEXT_ROW
                break
            own = part.check(cell)
            if own is Code.HINT:
                self.seekers.append(part)
                break
            code = code_of(code.includes and own.includes, max(code.jump, own.jump))
            if not code.includes:
                break
        self.seekers += [part for part in rest if part.hinting and part.check(cell) is Code.HINT]
        return Code.HINT if self.seekers else code

    def show(self, cell: Cell) -> Cell:
        for part in self.parts:
            cell = part.show(cell)
        return cell

    def drops_row(self) -> bool:
        return any(part.drops_row() for part in self.parts)

    def hint(self, cell: Cell) -> Place | None:
        hints = [hint for part in self.seekers if not part.done() and (hint := part.hint(cell)) is not None]
        if not hints:
            return None
        return min(hints) if self.reverse else max(hints)


class OneOf(ListFilter):
    """One must pass: only the jump that all propose is made, and nobody is asked again before where it wanted to go."""

    def __init__(self, parts: Sequence[Filter], reverse: bool) -> None:
        super().__init__(parts, reverse)
        self.reset_memory()

    def reset_memory(self) -> None:
        self.including: set[int] = set()
        self.jumps: dict[int, tuple[Cell, Code]] = {}

    def reset(self) -> None:
        self.reset_memory()
        for part in self.parts:
            part.reset()

    def done(self) -> bool:
        return all(part.done() for part in self.parts)

    def skips_row(self, row: bytes) -> bool:
        verdicts = [part.done() or part.skips_row(row) for part in self.parts]
        return all(verdicts)

    def check(self, cell: Cell) -> Code:
        merged: Code | None = None
        for number, part in enumerate(self.parts):
            self.including.discard(number)
            if part.done():
                continue
            code = self._earlier(number, part, cell) or part.check(cell)
            self.jumps.pop(number, None)
            if code not in (Code.INCLUDE, Code.SKIP):
                self.jumps[number] = (cell, code)
            if code.includes:
                self.including.add(number)
            if merged is None or merged is code is Code.HINT:
                merged = code
            else:
                merged = code_of(merged.includes or code.includes, min(merged.jump, code.jump))
        return merged or Code.SKIP

    def _earlier(self, number: int, part: Filter, cell: Cell) -> Code | None:
        if number not in self.jumps:
            return None
        start, code = self.jumps[number]
        if code is Code.HINT:
            hint = part.hint(start)
            if hint is None:
                return None
            here = place_of(cell)
            return Code.HINT if (here > hint if self.reverse else here < hint) else None
        if code.jump == 1:
            same = (start.family, start.qualifier) == (cell.family, cell.qualifier)
            return Code.NEXT_COLUMN if same else None
        return Code.NEXT_ROW if start.family == cell.family else None

    def show(self, cell: Cell) -> Cell:
        for number, part in enumerate(self.parts):
            if number in self.including:
                cell = part.show(cell)
        return cell

    def drops_row(self) -> bool:
        return all(part.drops_row() for part in self.parts)

    def hint(self, cell: Cell) -> Place | None:
        hints = [part.hint(cell) for part in self.parts if not part.done()]
        known = [hint for hint in hints if hint is not None]
        if not known or len(known) < len(hints):
            return None
        return max(known) if self.reverse else min(known)


# ---- from descriptions


def build(node: Node, reverse: bool) -> Filter:
    """The filter a description stands for, at the beginning of a scan."""
    # SKIP and WHILE do not tell their filter that a scan goes backward.
    parts = [build(part, reverse and node.name in ("AND", "OR")) for part in node.filters]
    match node.name:
        case "AND":
            return AllOf(parts, reverse)
        case "OR":
            return OneOf(parts, reverse)
        case "SKIP":
            return SkipFilter(parts[0])
        case "WHILE":
            return WhileMatchFilter(parts[0])
    return _build_rows(node, reverse) or _build_columns(node) or _build_values(node)


def _build_rows(node: Node, reverse: bool) -> Filter | None:
    match (node.name, *node.arguments):
        case ("PrefixFilter", bytes(prefix)):
            return PrefixFilter(prefix, reverse)
        case ("InclusiveStopFilter", bytes(stop)):
            return InclusiveStopFilter(stop, reverse)
        case ("PageFilter", int(size)):
            return PageFilter(size)
        case ("RandomRowFilter", bytes(chance)):
            return RandomRowFilter(float(chance))
        case ("FuzzyRowFilter", *texts):
            return FuzzyRowFilter(list(zip(texts[::2], texts[1::2], strict=True)), reverse)  # type: ignore[arg-type]
        case ("MultiRowRangeFilter", *ends):
            ranges = zip(ends[::4], ends[1::4], ends[2::4], ends[3::4], strict=True)
            return MultiRowRangeFilter(list(ranges), reverse)  # type: ignore[arg-type]
    return None


def _build_columns(node: Node) -> Filter | None:
    match (node.name, *node.arguments):
        case ("ColumnPrefixFilter", bytes(prefix)):
            return ColumnPrefixFilter(prefix)
        case ("MultipleColumnPrefixFilter", *prefixes):
            return MultipleColumnPrefixFilter(prefixes)  # type: ignore[arg-type]
        case ("ColumnRangeFilter", bytes(least), bool(with_least), bytes(most), bool(with_most)):
            return ColumnRangeFilter(least, with_least, most, with_most)
        case ("ColumnPaginationFilter", int(limit), (int() | bytes()) as offset):
            return ColumnPaginationFilter(limit, offset)
        case ("ColumnCountGetFilter", int(limit)):
            return ColumnCountGetFilter(limit)
        case ("TimestampsFilter", *stamps):
            return TimestampsFilter(stamps, can_hint=False)  # type: ignore[arg-type]
        case ("HintingTimestampsFilter", *stamps):
            return TimestampsFilter(stamps, can_hint=True)  # type: ignore[arg-type]
        case ("FirstKeyOnlyFilter",):
            return FirstKeyFilter(None)
        case ("FirstKeyValueMatchingQualifiersFilter", *qualifiers):
            return FirstKeyFilter(qualifiers)  # type: ignore[arg-type]
        case ("KeyOnlyFilter",):
            return KeyOnlyFilter(False)
        case ("KeyOnlyFilter", bool(length)):
            return KeyOnlyFilter(length)
    return None


def _build_values(node: Node) -> Filter:
    exclude = node.name == "SingleColumnValueExcludeFilter"
    match (node.name, *node.arguments):
        case ("RowFilter", str(operator), Compared() as wanted):
            return RowFilter(test_of(operator, wanted))
        case ("FamilyFilter", str(operator), Compared() as wanted):
            return CellFilter(test_of(operator, wanted), lambda cell: cell.family, Code.NEXT_ROW)
        case ("QualifierFilter", str(operator), Compared() as wanted):
            return CellFilter(test_of(operator, wanted), lambda cell: cell.qualifier, Code.SKIP)
        case ("ValueFilter", str(operator), Compared() as wanted):
            return CellFilter(test_of(operator, wanted), lambda cell: cell.value, Code.SKIP)
        case ("ColumnValueFilter", bytes(family), bytes(qualifier), str(operator), Compared() as wanted):
            return ColumnValueFilter(family, qualifier, test_of(operator, wanted))
        case ("DependentColumnFilter", bytes(family), bytes(qualifier)):
            return DependentColumnFilter((family, qualifier), False, None)
        case ("DependentColumnFilter", bytes(family), bytes(qualifier), bool(drop)):
            return DependentColumnFilter((family, qualifier), drop, None)
        case ("DependentColumnFilter", bytes(family), bytes(qualifier), bool(drop), str(op), Compared() as wanted):
            return DependentColumnFilter((family, qualifier), drop, test_of(op, wanted))
        case (_, bytes(family), bytes(qualifier), str(operator), Compared() as wanted):
            test = test_of(operator, wanted)
            return SingleColumnValueFilter((family, qualifier), test, False, True, exclude)
        case (_, bytes(family), bytes(qualifier), str(op), Compared() as wanted, bool(missing), bool(latest)):
            test = test_of(op, wanted)
            return SingleColumnValueFilter((family, qualifier), test, missing, latest, exclude)
    raise ValueError(f"no such filter: {node}")
