"""Scans of several buckets, merged into one by the key without its bucket."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rowstone._base.options.checks import check_number
from rowstone.errors import ScannerClosed
from rowstone.keys._ranges import KeyRange

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._base.options.calls import KeyedScanOptions
    from rowstone._core.table import Table
    from rowstone.keys._key import Key


class KeyedScan:
    """Pairs (values, row), in order: an iterator and a context manager. Created by `KeyedTable.scan`.

    If several buckets contain rows with equal keys, as with `rowstone.keys.round_robin`, all are returned, by bucket.
    """

    def __init__(
        self,
        table: Table,
        key: Key,
        ranges: Sequence[KeyRange],
        limit: int | None,
        reverse: bool,
        options: KeyedScanOptions,
    ) -> None:
        if limit is not None:
            check_number("limit", limit)
        self._key = key
        self._ranges = tuple(ranges)
        with ExitStack() as opened:
            scanners = [
                opened.enter_context(table.scan(**_bounds(one, reverse), limit=limit, reverse=reverse, **options))
                for one in ranges
            ]
            # All scans have started: from here on this object closes them.
            self._open = opened.pop_all()
        merged: Iterator[_native.Row] = heapq.merge(*scanners, key=lambda row: key.logical(row.key), reverse=reverse)
        self._rows = islice(merged, limit)
        self._is_closed = False

    @property
    def ranges(self) -> tuple[KeyRange, ...]:
        """The ranges that are read, one per scan."""
        return self._ranges

    @property
    def scan_count(self) -> int:
        """Number of scans: one per bucket."""
        return len(self._ranges)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    def close(self) -> None:
        """End all scans. A second call does nothing."""
        self._is_closed = True
        self._open.close()

    def __repr__(self) -> str:
        ranges = ", ".join(f"{one.start!r} to {one.stop!r}" for one in self._ranges[:4])
        more = f" and {len(self._ranges) - 4} more" if len(self._ranges) > 4 else ""
        return f"<KeyedScan of {self._key!r}: {ranges}{more}{', closed' if self._is_closed else ''}>"

    def __iter__(self) -> Iterator[tuple[Any, _native.Row]]:
        return self

    def __next__(self) -> tuple[Any, _native.Row]:
        if self._is_closed:
            raise ScannerClosed("the scan was closed")
        try:
            row = next(self._rows)
        except BaseException:
            self._open.close()
            raise
        return self._key.decode(row.key), row

    def __enter__(self) -> KeyedScan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _bounds(one: KeyRange, reverse: bool) -> dict[str, Any]:
    """Scan options for the range; a reverse scan starts at its end."""
    start, stop = one.start or None, one.stop or None
    if not reverse:
        return {"start": start, "stop": stop}
    return {"start": stop, "stop": start, "include_start": False, "include_stop": True}
