"""The part of a table that a query in SQL sees: from the first row on, within limits."""

from __future__ import annotations

from dataclasses import dataclass

from rowstone._base.printable import counted, printable
from rowstone._core.database import Database
from rowstone._core.table import Table
from rowstone.errors import InvalidArgument
from rowstone.filters import KeyOnlyFilter
from rowstone.server.dashboard._words import count
from rowstone.server.dashboard.data._budget import Budget, QueryLimits

VIEW = QueryLimits(rows=100_000, bytes=256 << 20, seconds=2.5)
"""Limits of the part; its seconds are the time to find its end."""
MOST_CELLS = 500_000
_BATCH_CELLS = 1_000


@dataclass(frozen=True)
class View:
    """A part of a table.

    Attributes:
        end: The first key beyond the part; None at the end of the table.
        rows: Number of its rows, also of those with deleted cells only. cells: Number of their stored versions.
    """

    end: bytes | None
    rows: int
    cells: int

    def describe(self, database: Database, table: str) -> str:
        """A sentence about the rows that were read, of about how many."""
        if self.end is None:
            return f"All {counted(self.rows, 'row')} of the table were read." if self.rows != 1 else "One row was read."
        whole = next(iter(database.admin.metrics.stores(table).sums("table")), None)
        stored = 0 if whole is None else (whole.store_file_cells or 0) + (whole.memstore_cells or 0)
        about = self.rows * stored / max(self.cells, 1)
        of = f" of about {count(float(f'{about:.2g}'))}" if about > self.rows else ""
        rows = f"the first {counted(self.rows, 'row')}{of}"
        return f"Only {rows} were read, before '{printable(self.end, 60)}': the table is beyond the limits."


def find_view(source: Table, budget: Budget) -> View:
    """Find the end of the part.

    The scan is raw, because deleted cells cost time too, and reads the lengths of values instead of values.
    """
    lengths = KeyOnlyFilter(length_as_value=True)
    key, rows, cells, seen = b"", 0, 0, 0
    with source.scan(raw=True, versions=None, filter=lengths, batch=_BATCH_CELLS) as parts:
        for part in parts:
            budget.check()
            is_new = part.key != key
            key = part.key
            here = len(part.cells)
            seen += sum(int.from_bytes(cell.value, "big") for cell in part.cells)
            is_over = rows + is_new > VIEW.rows or cells + here > MOST_CELLS
            if is_over or seen > VIEW.bytes or budget.seconds > VIEW.seconds:
                if rows + is_new == 1:
                    raise InvalidArgument(f"row '{printable(key, 60)}' alone is beyond the limits of SQL")
                return View(key, rows - (not is_new), cells)
            rows += is_new
            cells += here
    return View(None, rows, cells)
