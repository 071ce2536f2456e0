"""Filters as HBase 2.6 runs them: one class for each, with the state it keeps.

A filter is asked in this order, and answers by changing what it knows:

    for each row:   done()? ends the scan.   skips_row(row)? passes it over.
      each cell that columns, times and versions let through:  check(cell) -> Code;  show(cell) may change it
      retain(cells) may drop some;  drops_row();  reset()

What a list of filters does with the codes of its parts is HBase's `FilterListWithAND` and `FilterListWithOR`.
"""

from __future__ import annotations

from enum import Enum

from tests.reference.cells import Cell

Place = tuple[bytes, bytes, bytes, int, int]
"""Position in the order of cells: row, family, qualifier, -timestamp, -kind."""

FIRST, LAST = -(1 << 70), 1 << 70


class Code(Enum):
    """A filter's decision about a cell."""

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
    """Default behavior of a filter."""

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
        """The cell to continue with after `Code.HINT`."""
        return None
