"""Filters of filters."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.cells import Cell
from tests.reference.filters.base import Code, Filter, Place, code_of, place_of


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
    """MUST_PASS_ONE: it jumps only where all parts agree, and calls no part again before the part's own target."""

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
