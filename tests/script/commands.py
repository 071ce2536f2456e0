"""The commands of the script language as typed values; `parse.py` says how they are written."""

from __future__ import annotations

from dataclasses import dataclass, field

Column = tuple[bytes, bytes]
"""(family, qualifier)"""

TimeRange = tuple[int, int]
"""[first, second) in milliseconds"""

LATEST = (1 << 63) - 1
"""As a timestamp: the server's clock. As the end of a range: no end."""


# ---- mutations


@dataclass(frozen=True)
class Put:
    """Writes one cell; without a timestamp the store's clock gives it."""

    row: bytes
    column: Column
    timestamp: int | None
    value: bytes
    ttl_ms: int | None = None


@dataclass(frozen=True)
class Delete:
    """Writes markers. `kind` is one of

    row             one DeleteFamily for every family
    family          DeleteFamily
    family_version  DeleteFamilyVersion
    columns         DeleteColumn: every version up to the timestamp
    column          Delete: one version; without a timestamp the `count` newest ones
    """

    row: bytes
    kind: str
    family: bytes = b""
    qualifier: bytes = b""
    timestamp: int | None = None
    count: int = 1
    ttl_ms: int | None = None


@dataclass(frozen=True)
class Increment:
    """Adds to counters."""

    row: bytes
    amounts: tuple[tuple[Column, int], ...]
    ttl_ms: int | None = None
    time_range: TimeRange | None = None


@dataclass(frozen=True)
class Append:
    """Appends to values."""

    row: bytes
    suffixes: tuple[tuple[Column, bytes], ...]
    ttl_ms: int | None = None
    time_range: TimeRange | None = None


Mutation = Put | Delete | Increment | Append


# ---- reads


@dataclass(frozen=True)
class Read:
    """Options of a scan or a get, apart from the rows."""

    families: tuple[bytes, ...] = ()
    """Whole families; with `columns` empty too, everything."""
    columns: tuple[Column, ...] = ()
    versions: int | None = 1
    """None is every version."""
    time_range: TimeRange = (0, LATEST)
    family_time_ranges: tuple[tuple[bytes, TimeRange], ...] = ()
    raw: bool = False
    cells_per_family: int = -1
    offset_per_family: int = 0
    uncommitted: bool = False
    filter: str | None = None
    """HBase's filter language and more; see `filter_text.py`."""


@dataclass(frozen=True)
class Rows:
    """Rows that a scan visits, and how it returns them."""

    start: bytes = b""
    include_start: bool = True
    stop: bytes = b""
    include_stop: bool = False
    prefix: bytes | None = None
    """The range as written; `start` and `stop` then have the range that it means."""
    reverse: bool = False
    limit: int | None = None
    batch: int = -1


# ---- commands


@dataclass(frozen=True)
class FamilySpec:
    """A family of a `table` command: name and HBase's options by the script's short names."""

    name: bytes
    options: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Table:
    """Creates a table and forgets the one before."""

    name: str
    families: tuple[FamilySpec, ...]
    attributes: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class SetClock:
    """The clock shows this moment."""

    now_ms: int


@dataclass(frozen=True)
class AdvanceClock:
    """Advance the clock."""

    by_ms: int


@dataclass(frozen=True)
class Configure:
    """A configuration key of HBase, for the tables created after it."""

    key: str
    value: str


@dataclass(frozen=True)
class Write:
    """One put or delete."""

    mutation: Put | Delete


@dataclass(frozen=True)
class ReadModifyWrite:
    """One increment or append; prints the new cells."""

    mutation: Increment | Append


@dataclass(frozen=True)
class Batch:
    """Mutations of any rows, with one status each."""

    mutations: tuple[Mutation, ...]


@dataclass(frozen=True)
class MutateRow:
    """Mutations of one row, all or nothing."""

    mutations: tuple[Mutation, ...]


@dataclass(frozen=True)
class CheckAndMutate:
    """Mutations of one row, done if the newest value of the column passes `expected OP stored`."""

    row: bytes
    column: Column
    operator: str
    expected: bytes | None
    time_range: TimeRange | None
    mutations: tuple[Mutation, ...]
    filter: str | None = None


@dataclass(frozen=True)
class Scan:
    """Prints every row in the range."""

    rows: Rows
    read: Read


@dataclass(frozen=True)
class Get:
    """Prints one row."""

    row: bytes
    read: Read
    exists_only: bool = False


@dataclass(frozen=True)
class OpenScanner:
    """Opens a scanner under a name."""

    name: str
    rows: Rows
    read: Read


@dataclass(frozen=True)
class StepScanner:
    """Prints the next row of an open scanner."""

    name: str


@dataclass(frozen=True)
class DrainScanner:
    """Prints the rows left in an open scanner and closes it."""

    name: str


@dataclass(frozen=True)
class Fill:
    """Writes `count` rows `prefix000000`... with random values, stamped with the clock."""

    prefix: str
    count: int
    column: Column
    value_bytes: int


@dataclass(frozen=True)
class Flush:
    """Memory to files."""


@dataclass(frozen=True)
class Compact:
    """A compaction the policy chooses. With a window, of exactly those files of every family."""

    window: tuple[int, int] | None = None
    """(index of the oldest file, number of files)"""


@dataclass(frozen=True)
class MajorCompact:
    """A compaction of all files."""


@dataclass(frozen=True)
class Reopen:
    """Closes and opens the region."""


@dataclass(frozen=True)
class Internals:
    """Prints something of the engine: `files`, `rawfile`, `mvcc`, `maxseq`, `wal`, `split`."""

    what: str
    with_paths: bool = False


@dataclass(frozen=True)
class Echo:
    """Prints the rest of the line."""

    text: str


@dataclass(frozen=True)
class BulkLoad:
    """Loads files of `tests/script/files.py` into families."""

    files: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True)
class HBaseOnly:
    """A command that only the real HBase can answer (third-party files, shell, count, mix)."""

    line: str


Command = (
    Table | SetClock | AdvanceClock | Configure | Write | ReadModifyWrite | Batch | MutateRow
    | CheckAndMutate | Scan | Get | OpenScanner | StepScanner | DrainScanner | Fill | Flush
    | Compact | MajorCompact | Reopen | Internals | Echo | BulkLoad | HBaseOnly
)  # fmt: skip
