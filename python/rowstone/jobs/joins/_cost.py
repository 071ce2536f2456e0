"""Cost of a join."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rowstone._native import Row


@dataclass
class JoinCost:
    """Amount of data that a join has read so far.

    Attributes:
        how: ``"nested"`` or ``"hash"``.
        held: The side that a hash join kept in memory, ``"left"`` or ``"right"``; empty for nested loops.
        scans: Scans started.
        multi_gets: Batches of gets. A batch is one call to each server that hosts any of its rows.
        gets: Rows requested in the batches, found or not.
        left_rows, right_rows: Rows received. left_bytes, right_bytes: Keys, columns and values of their cells.
        returned: Pairs returned to the caller.
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
        """Number of scans and batches of gets. On a cluster a long scan takes several further calls."""
        return self.scans + self.multi_gets

    def count_left(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Iterate over ``rows``, counting them."""
        for row in rows:
            self.left_rows += 1
            self.left_bytes += _bytes_of(row)
            yield row

    def right(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Iterate over ``rows``, counting them."""
        for row in rows:
            self.right_rows += 1
            self.right_bytes += _bytes_of(row)
            yield row

    def __str__(self) -> str:
        way = "nested loops" if self.how == "nested" else f"hash join, the {self.held} side in memory"
        return (
            f"{way}: {self.calls:,} calls ({self.scans:,} scans, {self.multi_gets:,} batches of {self.gets:,} gets)\n"
            f"read {self.left_rows:,} rows with {self.left_bytes:,} bytes of the left side, "
            f"{self.right_rows:,} with {self.right_bytes:,} of the right; returned {self.returned:,}"
        )


def _bytes_of(row: Row) -> int:
    return sum(len(row.key) + len(cell.family) + len(cell.qualifier) + len(cell.value) for cell in row.cells)
