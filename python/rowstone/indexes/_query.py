"""Query of an index: reads entries and their rows, skips and counts outdated entries, explains its cost."""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone._base.schema import columns_with
from rowstone.filters import column
from rowstone.indexes._definition import Definition
from rowstone.indexes._explain import Explanation
from rowstone.indexes._read import Entry, batches, entries, members

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.table import Table

_log = logging.getLogger("rowstone")
LARGE_TABLE_CELLS = 1_000_000


class IndexQuery:
    """Rows sorted by value and row key. Created by `Index.query`; iterate once or repeatedly, then call `explain`.

    Every row is read from the table and compared with its entry, so no result is wrong. Outdated (stale) entries, whose
    row has changed since, are skipped and counted.
    """

    def __init__(
        self,
        database: "Database",
        definition: Definition,
        low: bytes | None,
        high: bytes | None,
        *,
        limit: int | None,
        columns: list[Any] | None,
        threads: int,
        note: str,
        open_entries: Callable[[], "Table"],
    ) -> None:
        self._database = database
        self._definition = definition
        self._low, self._high = low, high
        self._limit = limit
        self._columns = columns
        self._threads = threads
        self._note = note
        self._open_entries = open_entries
        self._index_rows = self._table_rows = self._returned = self._outdated = 0
        self._elapsed_ns = 0
        self._is_read = False

    def __repr__(self) -> str:
        one, limit = self._definition, "" if self._limit is None else f", limit={self._limit}"
        low, high = ("" if key is None else f"'{printable(key, 40)}'" for key in (self._low, self._high))
        return f"<query of index {one.name!r} of '{one.table}': {low or 'the first'} to {high or 'the last'}{limit}>"

    @property
    def _uses_index(self) -> bool:
        return self._definition.strategy != "filter" and self._definition.is_built

    def __iter__(self) -> Iterator[_native.Row]:
        self._index_rows = self._table_rows = self._returned = self._outdated = 0
        self._is_read = True
        started = time.perf_counter_ns()
        try:
            for row in self._by_index() if self._uses_index else self._by_filter():
                self._returned += 1
                yield row
                if self._returned == self._limit:
                    return
        finally:
            self._elapsed_ns = time.perf_counter_ns() - started

    def explain(self) -> Explanation:
        """Return the access path, and its cost once it was read."""
        one = self._definition
        path = f"filter scan of {one.table}"
        if self._uses_index:
            kind = "buckets" if one.strategy == "summary" else "entries"
            path = f"{kind} of {one.index_table}, rows of {one.table}"
        counts = (self._index_rows, self._table_rows, self._returned, self._outdated)
        return Explanation(one.name, one.strategy, path, *counts, self._elapsed_ns / 1e6, self._note, self._is_read)

    def _matches(self, value: tuple[bytes, int] | None) -> bool:
        if value is None:
            return False
        return (self._low is None or value[0] >= self._low) and (self._high is None or value[0] < self._high)

    def _select_columns(self) -> list[Any] | None:
        own = self._definition.columns
        if self._columns is None or own is None:
            return self._columns
        return columns_with(self._columns, own)

    def _by_index(self) -> Iterator[_native.Row]:
        """Yield the rows of the entries in range. Skip and count an outdated entry: its row has another value now."""
        one = self._definition
        index = self._open_entries()
        table = self._database.table(one.table)
        found: Iterator[Entry] = (
            members(index, one, self._low, self._high)
            if one.strategy == "summary"
            else entries(index, self._low, self._high)
        )
        for batch in batches(found):
            self._index_rows += len(batch)
            rows = table.get_many([row for _, row in batch], self._select_columns())
            self._table_rows += len(rows)
            for (value, _), row in zip(batch, rows, strict=True):
                now = one.value_of(row.key, row.cells) if row else None
                if now is not None and now[0] == value:
                    yield row
                else:
                    self._outdated += 1

    def _by_filter(self) -> Iterator[_native.Row]:
        self._warn()
        found = [(value, row.key, row) for value, row in self._scanned()]
        found.sort(key=lambda one: one[:2])
        yield from (row for _, _, row in found)

    def _scanned(self) -> Iterator[tuple[bytes, _native.Row]]:
        regions = self._database.admin.regions.list(self._definition.table)
        ranges = [(region.start_key or None, region.end_key or None) for region in regions]
        if self._threads <= 1:
            ranges = [(None, None)]
        if len(ranges) == 1:
            yield from self._scan(*ranges[0])
            return
        with ThreadPoolExecutor(self._threads, thread_name_prefix="rowstone-index") as pool:
            for part in pool.map(lambda ends: list(self._scan(*ends)), ranges):
                yield from part

    def _scan(self, start: bytes | None, stop: bytes | None) -> Iterator[tuple[bytes, _native.Row]]:
        one = self._definition
        table = self._database.table(one.table)
        with table.scan(start, stop, columns=self._select_columns(), filter=self._filter()) as rows:
            for row in rows:
                self._table_rows += 1
                value = one.value_of(row.key, row.cells)
                if value is not None and self._matches(value):
                    yield value[0], row

    def _filter(self) -> Any:
        """Return the filter for conditions that the store can evaluate: bytes in their own order."""
        one = self._definition
        if not isinstance(one.on, bytes):
            return None
        tested = column(one.on)
        if one.codec not in ("bytes", "text") and not one.codec.startswith("uint"):
            return tested.exists()
        parts = [tested >= self._low] if self._low is not None else []
        parts += [tested < self._high] if self._high is not None else []
        return (parts[0] & parts[1]) if len(parts) == 2 else parts[0] if parts else tested.exists()

    def _warn(self) -> None:
        numbers = self._database.admin.metrics.stores(self._definition.table).sums("table")
        cells = sum((one.memstore_cells or 0) + (one.store_file_cells or 0) for one in numbers)
        if cells > LARGE_TABLE_CELLS:
            said = f"this query reads all {cells:,} cells of table '{self._definition.table}'"
            _log.warning("%s; an index, or threads=, makes it shorter", said)
            self._note = f"{self._note}; {said}" if self._note else said
