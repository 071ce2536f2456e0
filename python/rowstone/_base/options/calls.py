"""Keyword options of `Table` and `Scanner`, as groups for functions that pass them on.

`Table` itself lists its options one by one; a test compares them with these groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from rowstone._base.options.words import Durability, Isolation
    from rowstone._core.table import Columns, RowKey
    from rowstone._native import _Acl, _FamilyTimeRanges, _Filter, _Tags, _TimeRange, _Timestamp, _Ttl
    from rowstone.keys import Key


class ReadOptions(TypedDict, total=False):
    """Cells of rows to read, in a table or in its past."""

    versions: int | None
    cells_per_family: int | None
    offset_per_family: int
    cache_blocks: bool
    filter: _Filter | None


class TimeOptions(TypedDict, total=False):
    """Times of the cells to read."""

    time_range: _TimeRange | None
    timestamp: _Timestamp | None
    family_time_ranges: _FamilyTimeRanges | None


class GetOptions(ReadOptions, TimeOptions, total=False):
    """Options of `Table.get`, `Table.get_many`, `Table.exists` and `Table.exists_many`."""


class FetchOptions(ReadOptions, total=False):
    """Options for the way in which a scan reads."""

    caching: int | None
    raw: bool
    isolation: Isolation
    load_families_on_demand: bool


class RangeOptions(TypedDict, total=False):
    """Rows of a scan, and their order."""

    prefix: RowKey | None
    limit: int | None
    batch: int | None
    reverse: bool
    include_start: bool
    include_stop: bool


class ViewScanOptions(FetchOptions, RangeOptions, total=False):
    """Options of `TableView.scan`."""

    columns: Columns | None


class ScanOptions(ViewScanOptions, TimeOptions, total=False):
    """Options of `Table.scan`."""


class KeyedScanOptions(FetchOptions, TimeOptions, total=False):
    """Options of `Table.scan` that do not select rows."""

    columns: Columns | None


class RowsOptions(FetchOptions, RangeOptions, TimeOptions, total=False):
    """Options of `Table.scan` that do not select columns, with its first two arguments."""

    start: RowKey | None
    stop: RowKey | None


class PutOptions(TypedDict, total=False):
    """Options of `Table.put`."""

    timestamp: _Timestamp | None
    ttl_ms: _Ttl | None
    durability: Durability | None
    tags: _Tags | None
    acl: _Acl | None


class DeleteOptions(TypedDict, total=False):
    """Options of `Table.delete`."""

    timestamp: _Timestamp | None
    version: _Timestamp | Literal["latest"] | None
    durability: Durability | None


class ChangeOptions(TypedDict, total=False):
    """Options of `Table.increment` and `Table.append`."""

    timestamp: _Timestamp | None
    ttl_ms: _Ttl | None
    time_range: _TimeRange | None
    durability: Durability | None
    acl: _Acl | None


class CheckOptions(TypedDict, total=False):
    """Options of `Table.check_and_mutate`."""

    filter: _Filter | None
    time_range: _TimeRange | None


class BatchOptions(TypedDict, total=False):
    """Options of `Table.batch`."""

    buffer_bytes: int | None
    transaction: bool


class FrameWriteOptions(TypedDict, total=False):
    """Options of `Table.put_frame`, without those of keys and codecs."""

    family: RowKey | None
    timestamp: _Timestamp | str | None
    ttl_ms: _Ttl | None
    durability: Durability | None


class FrameOptions(TypedDict, total=False):
    """Options of `Scanner.polars` and `Scanner.duckdb`, without the codecs."""

    key: str | Key
    versions: bool
    threads: int


class ArrowOptions(FrameOptions, total=False):
    """Options of `Scanner.arrow`, without the codecs."""

    batch_rows: int
    batch_bytes: int
