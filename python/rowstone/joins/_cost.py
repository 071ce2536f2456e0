"""What a join read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rowstone._native import Row


@dataclass
class JoinCost:
    """What a join read, as far as it went.

    Attributes:
        how: ``"nested"`` or ``"hash"``.
        held: Which side a hash join held in memory, ``"left"`` or ``"right"``; empty for nested loops.
        scans: Scans that were begun. multi_gets: Batches of gets; each is one call to each server that has rows of it.
        gets: Rows that were asked for in them, found or not.
        left_rows, right_rows: Rows that came. left_bytes, right_bytes: Of their cells: keys, columns and values.
        returned: Pairs that the caller got.
    """

    how: str = ""
    held: str = ""
    scans: int = 0
    multi_gets: int = 0
    gets: int = 0
    left_rows: int = 0
    right_rows: int = 0
    left_bytes: int = 0
    right_bytes: int = 0
    returned: int = 0

    @property
    def calls(self) -> int:
        """Scans and batches of gets. A long scan comes in several answers, each of them a call on a cluster."""
        return self.scans + self.multi_gets

    def left(self, rows: Iterable[Row]) -> Iterator[Row]:
        """``rows``, counted."""
        for row in rows:
            self.left_rows += 1
            self.left_bytes += _bytes_of(row)
            yield row

    def right(self, rows: Iterable[Row]) -> Iterator[Row]:
        """``rows``, counted."""
        for row in rows:
            self.right_rows += 1
            self.right_bytes += _bytes_of(row)
            yield row

    def __str__(self) -> str:
        way = "nested loops" if self.how == "nested" else f"hash join, the {self.held} side held"
        return (
            f"{way}: {self.calls:,} calls ({self.scans:,} scans, {self.multi_gets:,} batches of {self.gets:,} gets)\n"
            f"read {self.left_rows:,} rows with {self.left_bytes:,} bytes of the left side, "
            f"{self.right_rows:,} with {self.right_bytes:,} of the right; returned {self.returned:,}"
        )


def _bytes_of(row: Row) -> int:
    return sum(len(row.key) + len(cell.family) + len(cell.qualifier) + len(cell.value) for cell in row.cells)
