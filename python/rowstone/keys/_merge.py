"""Scans of several buckets, merged into one by the key without its bucket."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rowstone.errors import InvalidArgument, ScannerClosed
from rowstone.keys._ranges import KeyRange

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._core.table import Table
    from rowstone.keys._key import Key


class KeyedScan:
    """Pairs (values, row), in order: an iterator and a context manager. Made by `KeyedTable.scan`.

    Rows with equal keys in several buckets, as `rowstone.keys.round_robin` can make them, all come, by bucket.
    """

    def __init__(
        self,
        table: Table,
        key: Key,
        ranges: Sequence[KeyRange],
        limit: int | None,
        reverse: bool,
        options: dict[str, Any],
    ) -> None:
        if limit is not None and limit < 1:
            raise InvalidArgument(f"limit {limit} must be 1 or more")
        self._key = key
        self._ranges = tuple(ranges)
        with ExitStack() as opened:
            scanners = [
                opened.enter_context(table.scan(**_bounds(one, reverse), limit=limit, reverse=reverse, **options))
                for one in ranges
            ]
            # All of them began: from here on they are this object's to close.
            self._open = opened.pop_all()
        merged: Iterator[_native.Row] = heapq.merge(*scanners, key=lambda row: key.logical(row.key), reverse=reverse)
        self._rows = islice(merged, limit)
        self._is_closed = False

    @property
    def ranges(self) -> tuple[KeyRange, ...]:
        """What is read: a range of rows for each scan."""
        return self._ranges

    @property
    def scan_count(self) -> int:
        """How many scans run: one a bucket."""
        return len(self._ranges)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    def close(self) -> None:
        """Ends all scans. A second call does nothing."""
        self._is_closed = True
        self._open.close()

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
    """The range for a scan, which from large keys to small ones begins at its end."""
    start, stop = one.start or None, one.stop or None
    if not reverse:
        return {"start": start, "stop": stop}
    return {"start": stop, "stop": start, "include_start": False, "include_stop": True}
