"""A table that counts its reads and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import rowstone as rs


@dataclass
class Counts:
    """Number of calls, of rows and cells received, and of rows written.

    A get or a scan is one call; on a cluster each is at least one round trip."""

    calls: int = 0
    rows: int = 0
    cells: int = 0
    written: int = 0

    def clear(self) -> None:
        """Resets all counts to zero."""
        self.calls = self.rows = self.cells = self.written = 0

    def saw(self, row: rs.Row) -> None:
        """Counts a received row, unless it is empty."""
        if row:
            self.rows += 1
            self.cells += len(row.cells)


class CountedScan:
    """A scanner that counts the rows it returns."""

    def __init__(self, scanner: rs.Scanner, counts: Counts) -> None:
        self._scanner = scanner
        self._counts = counts

    def __iter__(self) -> Iterator[rs.Row]:
        return self

    def __next__(self) -> rs.Row:
        row = next(self._scanner)
        self._counts.saw(row)
        return row

    def __enter__(self) -> CountedScan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._scanner.close()


class Counted:
    """The methods of `rowstone.Table` that case studies use. `rowstone.keys.KeyedTable` accepts it as a table."""

    def __init__(self, table: rs.Table, counts: Counts) -> None:
        self.table = table
        self.counts = counts

    @property
    def name(self) -> str:
        """The table's name."""
        return self.table.name

    def get(self, row: str | bytes, columns: Any = None, **options: Any) -> rs.Row:
        """Like `Table.get`."""
        self.counts.calls += 1
        found = self.table.get(row, columns, **options)
        self.counts.saw(found)
        return found

    def get_many(self, rows: Iterable[str | bytes], columns: Any = None, **options: Any) -> list[rs.Row]:
        """Like `Table.get_many`; counts as one call."""
        self.counts.calls += 1
        found = self.table.get_many(list(rows), columns, **options)
        for row in found:
            self.counts.saw(row)
        return found

    def scan(self, start: str | bytes | None = None, stop: str | bytes | None = None, **options: Any) -> CountedScan:
        """Like `Table.scan`."""
        self.counts.calls += 1
        return CountedScan(self.table.scan(start, stop, **options), self.counts)

    def put(self, row: str | bytes, data: Any, **options: Any) -> None:
        """Like `Table.put`."""
        self.counts.calls += 1
        self.counts.written += 1
        self.table.put(row, data, **options)

    def delete(self, row: str | bytes, columns: Any = None, **options: Any) -> None:
        """Like `Table.delete`."""
        self.counts.calls += 1
        self.counts.written += 1
        self.table.delete(row, columns, **options)
