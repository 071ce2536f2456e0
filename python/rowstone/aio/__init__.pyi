"""Made by `python -m tests.python.aio_stub` from the blocking classes; do not edit."""

import os
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Literal, Unpack, overload

from pandas import DataFrame

from rowstone import _native
from rowstone._admin import Stats, StoreFileInfo
from rowstone._cluster import ClusterOptions
from rowstone._cluster_admin import ClusterStatus, Region, RegionInfo, RegionPlace, Snapshot
from rowstone._column_catalogue import ColumnCatalogue
from rowstone._configuration import Configuration, ConfigurationArgument
from rowstone._maintenance import BackupReport
from rowstone._native import (
    CheckResult,
    Delete,
    Get,
    Put,
    Row,
    RowMutations,
    _Amounts,
    _Bytes,
    _Column,
    _Columns,
    _Data,
    _FamilyTimeRanges,
    _Filter,
    _Mutation,
    _Suffixes,
    _Tags,
    _TimeRange,
    _Timestamp,
    _Ttl,
)
from rowstone._schema import FamiliesArgument, FamilyArgument, TableSchema
from rowstone._stores import StoreReport
from rowstone._table import Columns, RowKey
from rowstone._views import View
from rowstone.splits import SplitsArgument
from rowstone.testing import ManualClock

class Connecting:
    async def __aenter__(self) -> Database: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __await__(self) -> Generator[Any, Any, Database]: ...

class Admin:
    async def add_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None: ...
    async def alter_namespace(
        self, namespace: str, *, set: Mapping[str, Any] | None = None, unset: Iterable[str] | None = None
    ) -> None: ...
    async def alter_table(
        self,
        name: str,
        *,
        families: FamiliesArgument | None = None,
        remove: Iterable[str | bytes] | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
    ) -> None: ...
    async def assign_region(self, region: Region) -> None: ...
    async def backup(self, out: str | os.PathLike[str]) -> BackupReport: ...
    async def balance(self) -> bool: ...
    async def bulk_load(
        self,
        name: str,
        files: Mapping[str, Iterable[str | os.PathLike[str]]] | Mapping[bytes, Iterable[str | os.PathLike[str]]],
    ) -> list[StoreFileInfo]: ...
    async def clone_snapshot(self, snapshot: str, table: str) -> None: ...
    async def clone_table_schema(self, name: str, new_name: str, *, preserve_splits: bool = True) -> None: ...
    async def cluster_status(self) -> ClusterStatus: ...
    async def compact(self, name: str, family: str | bytes | None = None) -> None: ...
    async def compact_region(
        self, region: Region, family: str | bytes | None = None, *, major: bool = False
    ) -> None: ...
    async def compaction_state(self, table_or_region: Region) -> str: ...
    async def create_namespace(self, namespace: str, properties: Mapping[str, Any] | None = None) -> None: ...
    async def create_table(
        self,
        name: str,
        families: FamiliesArgument,
        *,
        splits: SplitsArgument | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
        if_not_exists: bool = False,
    ) -> bool: ...
    async def delete_family(self, name: str, family: str | bytes) -> None: ...
    async def delete_snapshot(self, snapshot: str) -> None: ...
    async def describe(self, name: str) -> TableSchema: ...
    async def describe_namespace(self, namespace: str) -> dict[str, str]: ...
    async def disable_table(self, name: str) -> None: ...
    async def drop_namespace(self, namespace: str) -> None: ...
    async def drop_table(self, name: str, *, force: bool = False) -> None: ...
    async def enable_table(self, name: str) -> None: ...
    async def exists(self, name: str) -> bool: ...
    async def export_hfiles(self, name: str, directory: str | os.PathLike[str]) -> list[StoreFileInfo]: ...
    async def flush(self, name: str | None = None) -> None: ...
    async def flush_region(self, region: Region, family: str | bytes | None = None) -> None: ...
    async def is_enabled(self, name: str) -> bool: ...
    async def locate_region(self, name: str, row: str | bytes) -> RegionPlace: ...
    async def major_compact(self, name: str, family: str | bytes | None = None) -> None: ...
    async def merge(self, regions: Iterable[Region], *, force: bool = False) -> None: ...
    async def merge_regions(self, regions: Iterable[Region], *, force: bool = False) -> None: ...
    async def modify_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None: ...
    async def move_region(self, region: Region, server: str | None = None) -> None: ...
    async def namespace_tables(self, namespace: str) -> list[str]: ...
    async def namespaces(self) -> list[str]: ...
    async def region_places(self, name: str) -> list[RegionPlace]: ...
    async def regions(self, name: str) -> list[RegionInfo]: ...
    async def restore_snapshot(self, snapshot: str) -> None: ...
    async def set_balancer(self, on: bool) -> bool: ...
    async def snapshot(
        self, snapshot: str, table: str, *, flush: bool = True, ttl: int | timedelta | None = None
    ) -> None: ...
    async def snapshots(self) -> list[Snapshot]: ...
    async def split(self, table_or_region: Region, split_row: str | bytes | None = None) -> None: ...
    async def split_keys(self, name: str) -> list[bytes]: ...
    async def split_region(self, region: Region, row: str | bytes | None = None) -> None: ...
    async def stats(self, name: str | None = None) -> Stats: ...
    async def store_files(self, name: str) -> list[StoreFileInfo]: ...
    async def store_stats(self, name: str | None = None) -> StoreReport: ...
    async def tables(self, namespace: str | None = None) -> list[str]: ...
    async def truncate_region(self, region: Region) -> None: ...
    async def truncate_table(self, name: str, *, preserve_splits: bool = False) -> None: ...
    async def unassign_region(self, region: Region) -> None: ...

class Database:
    async def __aenter__(self) -> Database: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    @property
    def admin(self) -> Admin: ...
    async def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def configuration(self) -> Configuration: ...
    async def create_table(
        self,
        name: str,
        families: FamiliesArgument,
        *,
        splits: SplitsArgument | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
        if_not_exists: bool = False,
    ) -> bool: ...
    async def drop_table(self, name: str) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def read_only(self) -> bool: ...
    def table(self, name: str) -> Table: ...
    async def tables(self, namespace: str | None = None) -> list[str]: ...

class Table:
    def __aiter__(self) -> AsyncIterator[bytes]: ...
    async def __getitem__(self, row: RowKey) -> _native.Row: ...
    async def append(
        self,
        row: _Bytes,
        column: _Column | _Suffixes,
        value: _Bytes | None = None,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: str | None = None,
    ) -> Any: ...
    async def as_map(self) -> dict[bytes, dict[bytes, dict[int, dict[bytes, bytes]]]]: ...
    def as_of(self, timestamp: int | datetime) -> TableView: ...
    def batch(self, *, buffer_bytes: int = 2097152) -> BufferedWriter: ...
    async def check_and_mutate(
        self,
        row: _Bytes,
        column: _Column | None = None,
        operator: str | None = None,
        value: _Bytes | None = None,
        mutation: _Mutation | RowMutations | Sequence[_Mutation] | None = None,
        *,
        filter: _Filter | None = None,
        time_range: _TimeRange | None = None,
    ) -> CheckResult: ...
    async def column_catalogue(
        self,
        family: RowKey | None = None,
        *,
        rows: int = 1000,
        full: bool = False,
        most_columns: int = 100000,
        progress: Callable[[int], None] | None = None,
    ) -> ColumnCatalogue: ...
    async def columns(self, family: RowKey) -> set[bytes]: ...
    async def conceptual_view(self) -> View: ...
    async def delete(
        self,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        timestamp: _Timestamp | None = None,
        version: _Timestamp | Literal["latest"] | None = None,
        durability: str | None = None,
    ) -> None: ...
    async def exists(
        self,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        versions: int | None = 1,
        time_range: _TimeRange | None = None,
        timestamp: _Timestamp | None = None,
        family_time_ranges: _FamilyTimeRanges | None = None,
        cells_per_family: int | None = None,
        offset_per_family: int = 0,
        cache_blocks: bool = True,
        filter: _Filter | None = None,
    ) -> bool: ...
    async def exists_many(
        self,
        rows: Iterable[_Bytes],
        columns: _Columns | None = None,
        *,
        versions: int | None = 1,
        time_range: _TimeRange | None = None,
        timestamp: _Timestamp | None = None,
        family_time_ranges: _FamilyTimeRanges | None = None,
        cells_per_family: int | None = None,
        offset_per_family: int = 0,
        cache_blocks: bool = True,
        filter: _Filter | None = None,
    ) -> list[bool]: ...
    async def get(
        self,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        versions: int | None = 1,
        time_range: _TimeRange | None = None,
        timestamp: _Timestamp | None = None,
        family_time_ranges: _FamilyTimeRanges | None = None,
        cells_per_family: int | None = None,
        offset_per_family: int = 0,
        cache_blocks: bool = True,
        filter: _Filter | None = None,
    ) -> _native.Row: ...
    async def get_many(
        self,
        rows: Iterable[_Bytes],
        columns: _Columns | None = None,
        *,
        versions: int | None = 1,
        time_range: _TimeRange | None = None,
        timestamp: _Timestamp | None = None,
        family_time_ranges: _FamilyTimeRanges | None = None,
        cells_per_family: int | None = None,
        offset_per_family: int = 0,
        cache_blocks: bool = True,
        filter: _Filter | None = None,
    ) -> list[Row]: ...
    @overload
    async def increment(
        self,
        row: _Bytes,
        column: _Bytes,
        amount: int = 1,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: str | None = None,
    ) -> int: ...
    @overload
    async def increment(
        self,
        row: _Bytes,
        column: _Amounts,
        amount: int = 1,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: str | None = None,
    ) -> Row: ...
    def items(self) -> AsyncIterator[tuple[bytes, _native.Row]]: ...
    def keys(self) -> AsyncIterator[bytes]: ...
    async def multi(self, actions: Iterable[_Mutation | Get | RowMutations]) -> list[Row | Exception | None]: ...
    async def mutate_row(self, row: _Bytes, mutations: _Mutation | RowMutations | Iterable[_Mutation]) -> Row: ...
    @property
    def name(self) -> str: ...
    async def physical_view(self, family: RowKey) -> View: ...
    async def put(
        self,
        row: _Bytes,
        data: _Data,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        durability: str | None = None,
        tags: _Tags | None = None,
    ) -> None: ...
    async def rename_row(self, old: RowKey, new: RowKey, *, replace: bool = False) -> int: ...
    def scan(
        self,
        start: _Bytes | None = None,
        stop: _Bytes | None = None,
        *,
        prefix: _Bytes | None = None,
        columns: _Columns | None = None,
        versions: int | None = 1,
        time_range: _TimeRange | None = None,
        timestamp: _Timestamp | None = None,
        family_time_ranges: _FamilyTimeRanges | None = None,
        limit: int | None = None,
        batch: int | None = None,
        reverse: bool = False,
        include_start: bool = True,
        include_stop: bool = False,
        raw: bool = False,
        cells_per_family: int | None = None,
        offset_per_family: int = 0,
        cache_blocks: bool = True,
        filter: _Filter | None = None,
        isolation: str = "READ_COMMITTED",
    ) -> Scanner: ...
    @property
    def schema(self) -> Coroutine[Any, Any, TableSchema]: ...

class TableView:
    def __aiter__(self) -> AsyncIterator[bytes]: ...
    async def __getitem__(self, row: RowKey) -> _native.Row: ...
    async def exists(self, row: RowKey, columns: Columns | None = None, **options: Any) -> bool: ...
    async def get(self, row: RowKey, columns: Columns | None = None, **options: Any) -> _native.Row: ...
    async def get_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Any
    ) -> list[_native.Row]: ...
    def scan(self, start: RowKey | None = None, stop: RowKey | None = None, **options: Any) -> Scanner: ...
    @property
    def timestamp(self) -> int: ...

class Scanner:
    async def __aenter__(self) -> Scanner: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __aiter__(self) -> Scanner: ...
    async def __anext__(self) -> _native.Row: ...
    async def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def pairs(self, column: str | bytes | tuple[str | bytes, str | bytes]) -> AsyncIterator[tuple[bytes, bytes]]: ...
    async def pandas(self, *, decode: str | None = None) -> DataFrame: ...
    async def to_columns(self) -> tuple[list[bytes], dict[bytes, list[bytes | None]]]: ...

class BufferedWriter:
    async def __aenter__(self) -> BufferedWriter: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    async def close(self) -> None: ...
    async def delete(
        self,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        timestamp: _Timestamp | None = None,
        version: _Timestamp | Literal["latest"] | None = None,
        durability: str | None = None,
    ) -> None: ...
    async def flush(self) -> None: ...
    async def mutate(self, mutation: Put | Delete) -> None: ...
    async def put(
        self,
        row: _Bytes,
        data: _Data,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        durability: str | None = None,
        tags: _Tags | None = None,
    ) -> None: ...

def connect(
    target: str | os.PathLike[str],
    *,
    read_only: bool = False,
    durability: str | None = None,
    clock: ManualClock | None = None,
    configuration: ConfigurationArgument | None = None,
    create: bool = True,
    cache_bytes: int | None = None,
    memstore_bytes: int | None = None,
    compat: str | None = None,
    threads: int = ...,
    **cluster: Unpack[ClusterOptions],
) -> Connecting: ...
