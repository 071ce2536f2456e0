"""Made by `python -m tests.python.aio_stub` from the blocking classes; do not edit."""

import builtins
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Unpack, overload

from opentelemetry.trace import TracerProvider
from pandas import DataFrame

from rowstone import _native
from rowstone._base.configuration import Configuration, ConfigurationArgument
from rowstone._base.options.calls import DeleteOptions, PutOptions, ReadOptions, ViewScanOptions
from rowstone._base.options.words import CompareOperator, Durability, Form, IndexStrategy, Isolation, ParquetCompression
from rowstone._base.remote.folder import StorageOptions
from rowstone._base.schema import FamiliesArgument, FamilyArgument, TableSchema
from rowstone._base.stores import StoreReport
from rowstone._core.inspect.column_catalogue import ColumnCatalogue
from rowstone._core.inspect.explain import FilterArgument, ScanExplanation, TimeRange
from rowstone._core.inspect.explain_missing import MissingExplanation
from rowstone._core.options import ConnectOptions
from rowstone._core.table import Columns, RowKey
from rowstone._core.views import View
from rowstone._native import (
    _T,
    CheckResult,
    Delete,
    Get,
    Put,
    Row,
    RowMutations,
    _Acl,
    _Amounts,
    _Bytes,
    _Codecs,
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
from rowstone.admin._areas.groups import ServerGroup
from rowstone.admin._areas.metrics import Stats
from rowstone.admin._areas.permissions import Grant
from rowstone.admin._areas.quotas import Quota, QuotaKind, QuotaScope, QuotaUnit, SpacePolicy, SpaceUse
from rowstone.admin._areas.regions import Region, RegionInfo, RegionLocation
from rowstone.admin._areas.replication import Peer, PeerConfig
from rowstone.admin._areas.servers import ClusterStatus
from rowstone.admin._areas.snapshots import Snapshot
from rowstone.admin._areas.switches import SwitchName
from rowstone.admin._areas.tables import CacheEviction, StoreFileInfo
from rowstone.admin._backup import BackupReport
from rowstone.admin._maintenance import Progress
from rowstone.admin._memory import MemoryLimits
from rowstone.coprocessors._registry import Coprocessors
from rowstone.coprocessors.constraints._table import TableConstraints
from rowstone.indexes import KeyPart
from rowstone.indexes._definition import Definition
from rowstone.indexes._explain import Explanation, IndexCost, IndexDifferences, Lag
from rowstone.jobs.executors import ExecutorArgument
from rowstone.keys import Key
from rowstone.schema.heat import HeatMap
from rowstone.splits import SplitsArgument

class Connecting:
    keeps_context: bool

    async def __aenter__(self) -> Database: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __await__(self) -> Generator[Any, Any, Database]: ...

class Groups:
    async def add(self, name: str) -> None: ...
    async def balance(self, name: str) -> bool: ...
    async def get(self, name: str) -> ServerGroup | None: ...
    async def list(self) -> builtins.list[ServerGroup]: ...
    async def move(self, name: str, *, servers: Iterable[str] = (), tables: Iterable[str] = ()) -> None: ...
    async def of_server(self, name: str) -> ServerGroup | None: ...
    async def of_table(self, name: str) -> ServerGroup | None: ...
    async def remove(self, name: str) -> None: ...
    async def remove_servers(self, servers: Iterable[str]) -> None: ...
    async def rename(self, old: str, new: str) -> None: ...
    async def set_configuration(self, name: str, configuration: Mapping[str, str]) -> None: ...

class Labels:
    async def add(self, labels: Iterable[str]) -> None: ...
    async def auths(self, user: str) -> builtins.list[str]: ...
    async def clear_auths(self, user: str, labels: Iterable[str]) -> None: ...
    async def list(self, regex: str | None = None) -> builtins.list[str]: ...
    async def set_auths(self, user: str, labels: Iterable[str]) -> None: ...

class Logs:
    async def balancer_decisions(self, limit: int = 250) -> list[dict[str, Any]]: ...
    async def balancer_rejections(self, limit: int = 250) -> list[dict[str, Any]]: ...
    async def clear_slow_calls(self, servers: Iterable[str]) -> int: ...
    async def slow_calls(
        self, server: str, *, large: bool = False, filters: Mapping[str, str] | None = None, limit: int = 10
    ) -> list[dict[str, Any]]: ...

class Master:
    async def flush_store(self) -> None: ...
    async def is_in_maintenance_mode(self) -> bool: ...
    async def locks(self) -> list[dict[str, Any]]: ...
    async def procedures(self) -> list[dict[str, Any]]: ...
    async def run_catalog_janitor(self) -> int: ...
    async def run_cleaner_chore(self) -> bool: ...
    async def run_hbck_chore(self) -> bool: ...
    async def stop(self) -> None: ...

class Metrics:
    async def heat_map(self, name: str) -> HeatMap: ...
    async def memory_limits(self) -> MemoryLimits: ...
    async def regions(self) -> dict[bytes, dict[str, Any]]: ...
    async def servers(self) -> dict[str, dict[str, Any]]: ...
    async def stats(self, name: str | None = None) -> Stats: ...
    async def stores(self, name: str | None = None) -> StoreReport: ...
    async def was_used(self, name: str) -> bool: ...

class Namespaces:
    async def alter(
        self, namespace: str, *, set: Mapping[str, Any] | None = None, unset: Iterable[str] | None = None
    ) -> None: ...
    async def create(self, namespace: str, properties: Mapping[str, Any] | None = None) -> None: ...
    async def describe(self, namespace: str) -> dict[str, str]: ...
    async def drop(self, namespace: str) -> None: ...
    async def list(self) -> builtins.list[str]: ...

class Permissions:
    async def capabilities(self) -> builtins.list[str]: ...
    async def grant(
        self,
        user: str,
        actions: str,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
        merge: bool = False,
    ) -> None: ...
    async def has(
        self,
        actions: str,
        *,
        user: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> bool: ...
    async def list(
        self,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
        user: str | None = None,
    ) -> builtins.list[Grant]: ...
    async def revoke(
        self,
        user: str,
        actions: str = "",
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> None: ...
    async def who_am_i(self) -> str: ...

class Quotas:
    async def list(
        self,
        *,
        user: str | None = None,
        table: str | None = None,
        namespace: str | None = None,
        server: str | None = None,
    ) -> builtins.list[Quota]: ...
    async def set(
        self,
        kind: QuotaKind | None,
        limit: int | bool | None,
        *,
        unit: QuotaUnit = "SECONDS",
        scope: QuotaScope = "MACHINE",
        policy: SpacePolicy | None = None,
        user: str | None = None,
        table: str | None = None,
        namespace: str | None = None,
        server: str | None = None,
    ) -> None: ...
    async def snapshot_sizes(self) -> dict[str, int]: ...
    async def space_sizes(self) -> dict[str, int]: ...
    async def space_use_on(self, server: str) -> builtins.list[SpaceUse]: ...
    async def space_uses(self) -> builtins.list[SpaceUse]: ...

class Regions:
    async def assign(self, region: Region) -> None: ...
    async def balance(self, *, ignore_regions_in_transition: bool = False) -> bool: ...
    async def compact(self, region: Region, family: str | bytes | None = None, *, major: bool = False) -> None: ...
    async def compaction_state(self, table_or_region: Region) -> str: ...
    async def flush(self, region: Region, family: str | bytes | None = None) -> None: ...
    async def list(self, name: str) -> builtins.list[RegionInfo]: ...
    async def locate(self, name: str, row: str | bytes) -> RegionLocation: ...
    async def locations(self, name: str) -> builtins.list[RegionLocation]: ...
    async def merge(self, regions: Iterable[Region], *, force: bool = False) -> None: ...
    async def move(self, region: Region, server: str | None = None) -> None: ...
    async def normalize(
        self, tables: Iterable[str] | None = None, *, regex: str | None = None, namespace: str | None = None
    ) -> bool: ...
    async def split(self, table_or_region: Region, row: str | bytes | None = None) -> None: ...
    async def split_keys(self, name: str) -> builtins.list[bytes]: ...
    async def truncate(self, region: Region) -> None: ...
    async def unassign(self, region: Region) -> None: ...

class Replication:
    async def add_peer(self, peer: str, config: PeerConfig, *, enabled: bool = True) -> None: ...
    async def disable_peer(self, peer: str) -> None: ...
    async def enable_peer(self, peer: str) -> None: ...
    async def enable_table(self, name: str) -> None: ...
    async def peer_config(self, peer: str) -> PeerConfig: ...
    async def peers(self) -> list[Peer]: ...
    async def remove_peer(self, peer: str) -> None: ...
    async def set_peer_config(self, peer: str, config: PeerConfig) -> None: ...

class Servers:
    async def call(
        self, service: str, method: str, request: Mapping[str, Any] | None = None, *, server: str | None = None
    ) -> dict[str, Any]: ...
    async def clear_compaction_queues(self, server: str, queues: Iterable[str] = ("long", "short")) -> None: ...
    async def clear_dead(self, names: Iterable[str]) -> list[str]: ...
    async def decommission(self, names: Iterable[str], *, offload: bool = False) -> None: ...
    async def decommissioned(self) -> list[str]: ...
    async def recommission(self, name: str, regions: Iterable[str | bytes] = ()) -> None: ...
    async def roll_wal(self, server: str) -> None: ...
    async def status(self) -> ClusterStatus: ...
    async def stop(self, server: str) -> None: ...
    async def unknown(self) -> list[str]: ...
    async def update_configuration(self, server: str) -> None: ...

class Snapshots:
    async def clone(self, snapshot: str, table: str) -> None: ...
    async def delete(self, snapshot: str) -> None: ...
    async def export(
        self, snapshot: str, directory: str | os.PathLike[str], *, storage_options: StorageOptions = None
    ) -> None: ...
    async def import_from(
        self, snapshot: str, directory: str | os.PathLike[str], *, storage_options: StorageOptions = None
    ) -> None: ...
    async def list(self) -> builtins.list[Snapshot]: ...
    async def restore(self, snapshot: str) -> None: ...

class Switches:
    async def get(self, name: SwitchName) -> bool: ...
    async def set(self, name: SwitchName, on: bool) -> bool: ...
    async def set_compactions(self, on: bool, servers: Iterable[str]) -> dict[str, bool]: ...

class Tables:
    async def add_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None: ...
    async def bulk_load(
        self,
        name: str,
        files: Mapping[str, Iterable[str | os.PathLike[str]]] | Mapping[bytes, Iterable[str | os.PathLike[str]]],
        *,
        move: bool = False,
        storage_options: StorageOptions = None,
    ) -> builtins.list[StoreFileInfo]: ...
    async def clear_block_cache(self, name: str) -> CacheEviction: ...
    async def clone_schema(self, name: str, new_name: str, *, preserve_splits: bool = True) -> None: ...
    async def delete_family(self, name: str, family: str | bytes) -> None: ...
    async def exists(self, name: str) -> bool: ...
    async def export_hfiles(
        self, name: str, directory: str | os.PathLike[str], *, storage_options: StorageOptions = None
    ) -> builtins.list[StoreFileInfo]: ...
    async def is_enabled(self, name: str) -> bool: ...
    async def list(self, namespace: str | None = None) -> builtins.list[str]: ...
    async def modify_family(self, name: str, family: str | bytes, settings: FamilyArgument = None) -> None: ...
    async def set_store_file_tracker(self, name: str, tracker: str, family: str | bytes | None = None) -> None: ...
    async def store_files(self, name: str) -> builtins.list[StoreFileInfo]: ...

class Admin:
    tables: Tables
    regions: Regions
    snapshots: Snapshots
    namespaces: Namespaces
    permissions: Permissions
    labels: Labels
    quotas: Quotas
    metrics: Metrics
    servers: Servers
    master: Master
    switches: Switches
    groups: Groups
    replication: Replication
    logs: Logs

    async def alter_table(
        self,
        name: str,
        *,
        families: FamiliesArgument | None = None,
        remove: Iterable[str | bytes] | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
    ) -> None: ...
    async def backup(
        self,
        out: str | os.PathLike[str],
        *,
        name: str | None = None,
        storage_options: StorageOptions = None,
        progress: Progress | None = None,
    ) -> BackupReport: ...
    async def compact(self, name: str, family: str | bytes | None = None) -> None: ...
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
    async def describe(self, name: str) -> TableSchema: ...
    async def disable_table(self, name: str) -> None: ...
    async def drop_table(self, name: str, *, force: bool = False) -> None: ...
    async def enable_table(self, name: str) -> None: ...
    async def flush(self, name: str | None = None) -> None: ...
    async def major_compact(self, name: str, family: str | bytes | None = None) -> None: ...
    async def snapshot(
        self, snapshot: str, table: str, *, flush: bool = True, ttl_seconds: int | timedelta | None = None
    ) -> None: ...
    async def truncate_table(self, name: str, *, preserve_splits: bool = False) -> None: ...

class Index:
    async def bootstrap(
        self, since: int | None = None, *, workers: int = 1, executor: ExecutorArgument = None
    ) -> int: ...
    async def cost(self) -> IndexCost: ...
    @property
    def definition(self) -> Definition: ...
    async def delete(self, row: str | bytes, columns: Any = None, **options: Unpack[DeleteOptions]) -> None: ...
    async def drop(self) -> None: ...
    async def lag(self) -> Lag: ...
    @property
    def name(self) -> str: ...
    async def put(self, row: str | bytes, data: Any, **options: Unpack[PutOptions]) -> None: ...
    def query(
        self,
        start: Any = None,
        stop: Any = None,
        *,
        equals: Any = None,
        limit: int | None = None,
        columns: str | bytes | Iterable[Any] | None = None,
        threads: int = 1,
    ) -> IndexQuery: ...
    async def rebuild(
        self, since: int | None = None, *, workers: int = 1, executor: ExecutorArgument = None
    ) -> int: ...
    async def summary(self, start: Any = None, stop: Any = None) -> dict[int, tuple[int, int]]: ...
    async def verify(self) -> IndexDifferences: ...

class IndexQuery:
    def __aiter__(self) -> AsyncIterator[_native.Row]: ...
    def explain(self) -> Explanation: ...

class Database:
    async def __aenter__(self) -> Database: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    @property
    def admin(self) -> Admin: ...
    async def as_user(self, user: str, groups: Iterable[str] = ()) -> Database: ...
    async def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def configuration(self) -> Configuration: ...
    async def constraints(self, table: str) -> TableConstraints: ...
    @property
    def coprocessors(self) -> Coprocessors: ...
    async def create_index(
        self,
        table: str,
        name: str,
        on: str | bytes | KeyPart,
        *,
        strategy: IndexStrategy,
        codec: str = "bytes",
        by: int | str | None = None,
        sums: str | bytes | None = None,
        build: bool = True,
    ) -> Index: ...
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
    async def drop_table(self, name: str, *, force: bool = False) -> None: ...
    async def explain(
        self,
        table: str,
        start: str | bytes | None = None,
        stop: str | bytes | None = None,
        *,
        prefix: str | bytes | None = None,
        row: str | bytes | None = None,
        columns: Columns | None = None,
        time_range: TimeRange | None = None,
        filter: FilterArgument | None = None,
        count: bool = False,
    ) -> ScanExplanation: ...
    async def explain_missing(self, table: str, row: str | bytes, column: str | bytes) -> MissingExplanation: ...
    async def index(self, table: str, name: str) -> Index: ...
    async def indexes(self, table: str | None = None) -> list[Index]: ...
    async def mutate_together(self, changes: Iterable[tuple[str, _native.Put | _native.Delete]]) -> None: ...
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
        ttl_ms: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: Durability | None = None,
        acl: _Acl | None = None,
    ) -> Any: ...
    async def as_map(self) -> dict[bytes, dict[bytes, dict[int, dict[bytes, bytes]]]]: ...
    def as_of(self, timestamp: int | datetime) -> TableView: ...
    def batch(self, *, buffer_bytes: int | None = None, transaction: bool = False) -> BufferedWriter: ...
    async def check_and_mutate(
        self,
        row: _Bytes,
        column: _Column | None = None,
        operator: CompareOperator | None = None,
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
        max_columns: int = 100000,
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
        durability: Durability | None = None,
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
        ttl_ms: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: Durability | None = None,
        acl: _Acl | None = None,
    ) -> int: ...
    @overload
    async def increment(
        self,
        row: _Bytes,
        column: _Amounts,
        amount: int = 1,
        *,
        timestamp: _Timestamp | None = None,
        ttl_ms: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: Durability | None = None,
        acl: _Acl | None = None,
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
        ttl_ms: _Ttl | None = None,
        durability: Durability | None = None,
        tags: _Tags | None = None,
        acl: _Acl | None = None,
    ) -> None: ...
    async def put_frame(
        self,
        source: Any,
        row_column: str = "row",
        columns: Mapping[str, str | bytes] | Iterable[str] | None = None,
        *,
        family: str | bytes | None = None,
        codecs: Mapping[str, Any] | Mapping[bytes, Any] | None = None,
        key: str | None = None,
        timestamp: int | datetime | str | None = None,
        ttl_ms: int | timedelta | None = None,
        durability: Durability | None = None,
    ) -> int: ...
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
        caching: int | None = None,
        reverse: bool = False,
        include_start: bool = True,
        include_stop: bool = False,
        raw: bool = False,
        cells_per_family: int | None = None,
        offset_per_family: int = 0,
        cache_blocks: bool = True,
        filter: _Filter | None = None,
        isolation: Isolation = "READ_COMMITTED",
        load_families_on_demand: bool = False,
    ) -> Scanner: ...
    @property
    def schema(self) -> Coroutine[Any, Any, TableSchema]: ...
    @overload
    async def value(self, row: _Bytes, column: _Column) -> bytes | None: ...
    @overload
    async def value(self, row: _Bytes, column: _Column, default: _T = ...) -> bytes | _T: ...

class TableView:
    def __aiter__(self) -> AsyncIterator[bytes]: ...
    async def __getitem__(self, row: RowKey) -> _native.Row: ...
    async def exists(self, row: RowKey, columns: Columns | None = None, **options: Unpack[ReadOptions]) -> bool: ...
    async def exists_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Unpack[ReadOptions]
    ) -> list[bool]: ...
    async def get(self, row: RowKey, columns: Columns | None = None, **options: Unpack[ReadOptions]) -> _native.Row: ...
    async def get_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Unpack[ReadOptions]
    ) -> list[_native.Row]: ...
    def items(self) -> AsyncIterator[tuple[bytes, _native.Row]]: ...
    def keys(self) -> AsyncIterator[bytes]: ...
    @property
    def name(self) -> str: ...
    def scan(
        self, start: RowKey | None = None, stop: RowKey | None = None, **options: Unpack[ViewScanOptions]
    ) -> Scanner: ...
    @property
    def schema(self) -> Coroutine[Any, Any, TableSchema]: ...
    @property
    def timestamp(self) -> int: ...
    async def value(self, row: RowKey, column: Any, default: Any = None) -> Any: ...

class Scanner:
    async def __aenter__(self) -> Scanner: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __aiter__(self) -> Scanner: ...
    async def __anext__(self) -> _native.Row: ...
    @overload
    async def arrow(
        self,
        form: Form = "rows",
        *,
        codecs: _Codecs | None = None,
        key: str = "bytes",
        versions: bool = False,
        batch_rows: int = 65536,
        batch_bytes: int = 8388608,
        threads: int = 1,
    ) -> _native.ArrowStream: ...
    @overload
    async def arrow(
        self,
        form: Form = "rows",
        *,
        codecs: _Codecs | None = None,
        key: str | Key = ...,
        versions: bool = False,
        batch_rows: int = 65536,
        batch_bytes: int = 8388608,
        threads: int = 1,
    ) -> _native.ArrowStream: ...
    async def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    async def duckdb(
        self,
        connection: Any = None,
        *,
        form: Form = "rows",
        codecs: _Codecs | None = None,
        key: str | Key = "bytes",
        versions: bool = False,
        threads: int = 1,
    ) -> Any: ...
    def pairs(self, column: str | bytes | tuple[str | bytes, str | bytes]) -> AsyncIterator[tuple[bytes, bytes]]: ...
    async def pandas(
        self,
        *,
        decode: str | None = None,
        codecs: _Codecs | None = None,
        key: str | Key = "bytes",
        versions: bool = False,
    ) -> DataFrame: ...
    async def polars(
        self,
        form: Form = "rows",
        *,
        codecs: _Codecs | None = None,
        key: str | Key = "bytes",
        versions: bool = False,
        threads: int = 1,
    ) -> Any: ...
    async def to_columns(self) -> tuple[list[bytes], dict[bytes, list[bytes | None]]]: ...
    async def to_parquet(
        self,
        path: str | PathLike[str],
        *,
        form: Form = "rows",
        codecs: _Codecs | None = None,
        key: str | Key = "bytes",
        versions: bool = False,
        compression: ParquetCompression = "zstd",
    ) -> int: ...

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
        durability: Durability | None = None,
    ) -> None: ...
    async def flush(self) -> None: ...
    async def mutate(self, mutation: Put | Delete) -> None: ...
    async def put(
        self,
        row: _Bytes,
        data: _Data,
        *,
        timestamp: _Timestamp | None = None,
        ttl_ms: _Ttl | None = None,
        durability: Durability | None = None,
        tags: _Tags | None = None,
        acl: _Acl | None = None,
    ) -> None: ...

def connect(
    target: str | os.PathLike[str],
    *,
    read_only: bool = False,
    create: bool = True,
    durability: Durability | None = None,
    configuration: ConfigurationArgument | None = None,
    tracing: bool | TracerProvider = False,
    threads: int = ...,
    **options: Unpack[ConnectOptions],
) -> Connecting: ...
