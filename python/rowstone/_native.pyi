"""The binding, as type checkers see it. A test holds this file and the binary together."""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Literal, TypeAlias, TypeVar, final, overload

from pandas import DataFrame

from rowstone.filters import Comparator, Expression, Filter

_T = TypeVar("_T")
_Bytes = str | bytes | bytearray | memoryview
_Column = str | bytes | bytearray | memoryview | tuple[_Bytes, _Bytes]
_Columns = _Bytes | Iterable[_Column]
_Timestamp = int | datetime
_Ttl = int | timedelta
_TimeRange = tuple[_Timestamp | None, _Timestamp | None]
_FamilyTimeRanges = Mapping[str, _TimeRange] | Mapping[bytes, _TimeRange]
_Tags = Iterable[tuple[int, _Bytes]]
_Data = Mapping[Any, _Bytes] | Iterable[tuple[_Column, _Bytes] | tuple[_Column, _Bytes, _Timestamp]]
_Amounts = Mapping[Any, int] | Iterable[tuple[_Column, int]]
_Suffixes = Mapping[Any, _Bytes] | Iterable[tuple[_Column, _Bytes]]
_Filter: TypeAlias = "Filter | Expression | str | bytes"
_Mutation: TypeAlias = "Put | Delete | Increment | Append"
_Settings = dict[str, str]
_Families = dict[bytes, tuple[_Settings, _Settings]]
_Schema = tuple[str, _Families, _Settings, _Settings]
_StoreFile = tuple[str, bytes, str, int, int, int, tuple[int, int] | None, bool]

def after_fork_in_child() -> None: ...
def cell_from_bytes(data: bytes) -> Cell: ...
def comparator_fields(object: Comparator) -> dict[str, Any]: ...
def filter_classes() -> dict[str, list[str]]: ...
def filter_fields(object: Filter) -> dict[str, Any]: ...
def filter_text(object: Filter) -> bytes: ...
def parse_filter(text: _Bytes) -> Filter: ...
def row_from_bytes(key: bytes, data: bytes, is_partial: bool) -> Row: ...
def get_at_once(table: Table, row: _Bytes, columns: _Columns | None, options: dict[str, Any]) -> Row | None: ...
def open(
    directory: str | None,
    *,
    read_only: bool,
    create: bool,
    durability: str | None,
    clock: ManualClock | None,
    configuration: dict[str, Any] | None,
    cache_bytes: int | None,
    memstore_bytes: int | None,
) -> Database: ...
def open_cluster(url: str, options: dict[str, Any]) -> Database: ...

@final
class Admin:
    def alter_table(self, name: str, families: _Families, attributes: _Settings, configuration: _Settings) -> None: ...
    def alter_namespace(self, name: str, properties: _Settings) -> None: ...
    @staticmethod
    def canonical_name(name: _Bytes) -> str: ...
    def bulk_load(self, name: str, files: list[tuple[bytes, str]]) -> list[_StoreFile]: ...
    def compact(self, name: str, family: _Bytes | None, major: bool) -> None: ...
    def create_namespace(self, name: str, properties: _Settings) -> None: ...
    def create_table(
        self,
        name: str,
        families: _Families,
        attributes: _Settings,
        configuration: _Settings,
        splits: Iterable[_Bytes],
    ) -> None: ...
    def describe(self, name: str) -> _Schema: ...
    def drop_namespace(self, name: str) -> None: ...
    def drop_table(self, name: str) -> None: ...
    def export_files(self, name: str, folder: str) -> list[_StoreFile]: ...
    def flush(self, name: str | None) -> None: ...
    def is_enabled(self, name: str) -> bool: ...
    def namespaces(self) -> list[tuple[str, _Settings]]: ...
    def regions(self, name: str) -> list[tuple[str, bytes, bytes, int, str, bytes]]: ...
    def set_enabled(self, name: str, enabled: bool) -> None: ...
    def statistics(self, name: str | None) -> dict[str, int]: ...
    def store_files(self, name: str) -> list[_StoreFile]: ...
    def tables(self, namespace: str | None) -> list[str]: ...
    def truncate_table(self, name: str, preserve_splits: bool) -> None: ...

@final
class Append:
    def __new__(
        cls,
        row: _Bytes,
        suffixes: _Suffixes,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: str | None = None,
    ) -> Append: ...
    @property
    def row(self) -> bytes: ...

@final
class BufferedWriter:
    def __bool__(self) -> bool: ...
    def __enter__(self) -> BufferedWriter: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __len__(self) -> int: ...
    def close(self) -> None: ...
    def delete(
        self,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        timestamp: _Timestamp | None = None,
        version: _Timestamp | Literal["latest"] | None = None,
        durability: str | None = None,
    ) -> None: ...
    @property
    def _buffered_bytes(self) -> int: ...
    def flush(self) -> None: ...
    def mutate(self, mutation: Put | Delete) -> None: ...
    def put(
        self,
        row: _Bytes,
        data: _Data,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        durability: str | None = None,
        tags: _Tags | None = None,
    ) -> None: ...

@final
class Cell:
    def __hash__(self) -> int: ...
    @property
    def column(self) -> bytes: ...
    @property
    def family(self) -> bytes: ...
    @property
    def qualifier(self) -> bytes: ...
    @property
    def row(self) -> bytes: ...
    @property
    def tags(self) -> list[tuple[int, bytes]]: ...
    @property
    def timestamp(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def value(self) -> bytes: ...

@final
class CheckResult:
    def __bool__(self) -> bool: ...
    @property
    def row(self) -> Row: ...
    @property
    def success(self) -> bool: ...

@final
class ClusterAdmin:
    def assign_region(self, region: _Bytes) -> None: ...
    def balance(self) -> bool: ...
    def clone_snapshot(self, snapshot: str, table: str) -> None: ...
    def cluster_status(
        self,
    ) -> tuple[
        str,
        str,
        str,
        list[str],
        list[tuple[str, int, int, int, int, int, int, int]],
        list[str],
        list[str],
        bool,
    ]: ...
    def compact_region(self, region: _Bytes, family: _Bytes | None, major: bool) -> None: ...
    def delete_snapshot(self, snapshot: str) -> None: ...
    def flush_region(self, region: _Bytes) -> None: ...
    def merge_regions(self, regions: list[str | bytes], force: bool) -> None: ...
    def move_region(self, region: _Bytes, server: str | None) -> None: ...
    def region_places(self, name: str) -> list[tuple[tuple[str, bytes, bytes, int, str, bytes], str | None]]: ...
    def restore_snapshot(self, snapshot: str) -> None: ...
    def set_balancer(self, on: bool) -> bool: ...
    def snapshots(self) -> list[tuple[str, str, int, int, str]]: ...
    def split_region(self, region: _Bytes, row: _Bytes | None) -> None: ...
    def take_snapshot(self, snapshot: str, table: str, flush: bool, ttl: int) -> None: ...
    def unassign_region(self, region: _Bytes) -> None: ...

@final
class Database:
    def admin(self) -> Admin: ...
    def close(self) -> None: ...
    def cluster_admin(self) -> ClusterAdmin: ...
    @property
    def closed(self) -> bool: ...
    @property
    def is_ours(self) -> bool: ...

@final
class Delete:
    def __new__(
        cls,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        timestamp: _Timestamp | None = None,
        version: _Timestamp | Literal["latest"] | None = None,
        durability: str | None = None,
    ) -> Delete: ...
    def add_column(self, column: _Column, ts: _Timestamp | None = None) -> Delete: ...
    def add_columns(self, column: _Column, ts: _Timestamp | None = None) -> Delete: ...
    def add_family(self, family: _Bytes, ts: _Timestamp | None = None) -> Delete: ...
    def add_family_version(self, family: _Bytes, ts: _Timestamp) -> Delete: ...
    @property
    def row(self) -> bytes: ...

@final
class Get:
    def __new__(
        cls,
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
    ) -> Get: ...
    @property
    def row(self) -> bytes: ...

@final
class HFile:
    def __new__(cls, path: str) -> HFile: ...
    def cells(self) -> HFileCells: ...
    def describe(self) -> dict[str, Any]: ...
    @property
    def max_sequence_id(self) -> int: ...
    @staticmethod
    def parse_key(key: bytes) -> tuple[bytes, bytes, int, str]: ...
    def verify(self) -> tuple[int, int, int, int]: ...

@final
class HFileCells:
    def __iter__(self) -> Iterator[tuple[Cell, int]]: ...
    def __next__(self) -> tuple[Cell, int]: ...

@final
class HFileWriter:
    def __new__(cls, path: str, attributes: _Settings, has_tags: bool, has_sequence_ids: bool) -> HFileWriter: ...
    def append(
        self,
        row: _Bytes,
        column: _Column,
        timestamp: _Timestamp,
        kind: str,
        value: _Bytes,
        tags: _Tags,
        sequence_id: int,
    ) -> None: ...
    def finish(self, max_sequence_id: int, properties: list[tuple[bytes, bytes]]) -> tuple[int, int]: ...

@final
class Increment:
    def __new__(
        cls,
        row: _Bytes,
        amounts: _Amounts,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        time_range: _TimeRange | None = None,
        durability: str | None = None,
    ) -> Increment: ...
    @property
    def row(self) -> bytes: ...

@final
class ManualClock:
    """A clock that stands still until somebody moves it."""

    def __new__(cls, now_ms: _Timestamp = 0) -> ManualClock: ...
    def advance(self, ms: int) -> None: ...
    @property
    def now(self) -> int: ...
    def set(self, now_ms: _Timestamp) -> None: ...

@final
class Pairs:
    def __iter__(self) -> Iterator[tuple[bytes, bytes]]: ...
    def __next__(self) -> tuple[bytes, bytes]: ...

@final
class Put:
    def __new__(
        cls,
        row: _Bytes,
        data: _Data,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        durability: str | None = None,
        tags: _Tags | None = None,
    ) -> Put: ...
    @property
    def row(self) -> bytes: ...

@final
class Row(Mapping[bytes, bytes]):
    def __bool__(self) -> bool: ...
    def __contains__(self, column: object) -> bool: ...
    def __getitem__(self, column: _Column) -> bytes: ...
    def __iter__(self) -> Iterator[bytes]: ...
    def __len__(self) -> int: ...
    @property
    def cells(self) -> list[Cell]: ...
    def families(self) -> dict[bytes, dict[bytes, bytes]]: ...
    @overload
    def get(self, column: _Column, default: None = None) -> bytes | None: ...
    @overload
    def get(self, column: _Column, default: _T = ...) -> bytes | _T: ...
    @property
    def is_partial(self) -> bool: ...
    def items(self) -> ItemsView[bytes, bytes]: ...
    @property
    def key(self) -> bytes: ...
    def keys(self) -> KeysView[bytes]: ...
    def timestamp(self, column: _Column) -> int: ...
    def to_dict(self) -> dict[bytes, bytes]: ...
    def values(self) -> ValuesView[bytes]: ...
    def versions(self, column: _Column) -> list[Cell]: ...
    def _repr_html_(self) -> str: ...

@final
class RowMutations:
    def __new__(cls, row: _Bytes, mutations: _Mutation | Iterable[_Mutation]) -> RowMutations: ...
    @property
    def row(self) -> bytes: ...

@final
class Scanner:
    def __enter__(self) -> Scanner: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __iter__(self) -> Scanner: ...
    def __next__(self) -> Row: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def pairs(self, column: _Column) -> Pairs: ...
    def pandas(self, *, decode: str | None = None) -> DataFrame: ...
    def to_columns(self) -> tuple[list[bytes], dict[bytes, list[bytes | None]]]: ...
    def _next_rows(self) -> list[Row]: ...
    def _preview(self, limit: int) -> Scanner: ...
    def _repr_html_(self) -> str: ...

class Table:
    def __new__(cls, database: Database, name: str) -> Table: ...
    def _describe(self) -> _Schema: ...
    def append(
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
    def batch(self, *, buffer_bytes: int = 2097152) -> BufferedWriter: ...
    def check_and_mutate(
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
    def delete(
        self,
        row: _Bytes,
        columns: _Columns | None = None,
        *,
        timestamp: _Timestamp | None = None,
        version: _Timestamp | Literal["latest"] | None = None,
        durability: str | None = None,
    ) -> None: ...
    def exists(
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
    def exists_many(
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
    def get(
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
    ) -> Row: ...
    def get_many(
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
    def increment(
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
    def increment(
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
    def multi(self, actions: Iterable[_Mutation | Get | RowMutations]) -> list[Row | Exception | None]: ...
    def mutate_row(self, row: _Bytes, mutations: _Mutation | RowMutations | Iterable[_Mutation]) -> Row: ...
    @property
    def name(self) -> str: ...
    def put(
        self,
        row: _Bytes,
        data: _Data,
        *,
        timestamp: _Timestamp | None = None,
        ttl: _Ttl | None = None,
        durability: str | None = None,
        tags: _Tags | None = None,
    ) -> None: ...
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
