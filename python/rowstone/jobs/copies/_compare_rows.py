"""Comparison of rows of two tables, cell by cell, in one pass."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rowstone import _native
from rowstone._native import Cell

_PIECE_CELLS = 10_000
_CELLS_BETWEEN_REPORTS = 100_000
# HBase's type codes: of cells with equal coordinates, larger codes come first.
_TYPE_CODES = {"Put": 4, "Delete": 8, "DeleteFamilyVersion": 10, "DeleteColumn": 12, "DeleteFamily": 14}

_Place = tuple[bytes, bytes, bytes, int, int]


@dataclass(frozen=True)
class Difference:
    """A difference between tables: the cell in the source and the one in the target; None if there is none."""

    source: Cell | None
    target: Cell | None


@dataclass
class Comparison:
    """Result of a comparison, or its progress.

    ``equal``, ``missing`` (in the target), ``extra`` (in the target) and ``different`` (value or tags) count cells.
    ``differences`` are the first differences.
    """

    equal: int = 0
    missing: int = 0
    extra: int = 0
    different: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def are_equal(self) -> bool:
        """Whether no cell differs."""
        return not (self.missing or self.extra or self.different)


def compare_rows(
    source: _native.Table,
    target: _native.Table,
    *,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    raw: bool = False,
    max_differences: int = 10,
    progress: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """Compare the rows from ``start`` (included) to ``stop`` (excluded); see `compare_tables`.

    ``progress`` is called after every 100,000 cells.
    """
    result = Comparison()
    with _scan(source, start, stop, raw) as ours, _scan(target, start, stop, raw) as theirs:
        for count, (left, right) in enumerate(_merge(_cells(ours), _cells(theirs)), 1):
            _compare(left, right, result, max_differences)
            if progress is not None and count % _CELLS_BETWEEN_REPORTS == 0:
                progress(result)
    return result


def _scan(table: _native.Table, start: str | bytes | None, stop: str | bytes | None, raw: bool) -> _native.Scanner:
    return table.scan(start, stop, raw=raw, versions=None, batch=_PIECE_CELLS, cache_blocks=False)


def _cells(rows: _native.Scanner) -> Iterator[Cell]:
    for row in rows:
        yield from row.cells


def _place(cell: Cell) -> _Place:
    return cell.row, cell.family, cell.qualifier, -cell.timestamp, -_TYPE_CODES[cell.type]


def _merge(left: Iterator[Cell], right: Iterator[Cell]) -> Iterator[tuple[Cell | None, Cell | None]]:
    """Iterate over pairs of cells with equal coordinates, in order; None if one side has no such cell."""
    ours, theirs = next(left, None), next(right, None)
    while ours is not None or theirs is not None:
        if theirs is None or (ours is not None and _place(ours) < _place(theirs)):
            yield ours, None
            ours = next(left, None)
        elif ours is None or _place(theirs) < _place(ours):
            yield None, theirs
            theirs = next(right, None)
        else:
            yield ours, theirs
            ours, theirs = next(left, None), next(right, None)


def _compare(left: Cell | None, right: Cell | None, result: Comparison, max_differences: int) -> None:
    if left is not None and right is not None and left.value == right.value and left.tags == right.tags:
        result.equal += 1
        return
    if left is None:
        result.extra += 1
    elif right is None:
        result.missing += 1
    else:
        result.different += 1
    if len(result.differences) < max_differences:
        result.differences.append(Difference(left, right))
