"""One tree of exceptions, ordered by what the caller should do about them.

```text
RowstoneError
├── UsageError (ValueError)        fix the call
│   ├── InvalidArgument            ├── InvalidType (TypeError)   └── IntegerTooLarge (OverflowError)
│   ├── InvalidName, NoSuchColumnFamily, CellTooLarge, NotALong, QuotaExceeded, UnsupportedOperation
│   └── ConstraintViolation        └── NamespaceNotEmpty
├── NotFoundError (LookupError)    it does not exist: TableNotFound, NamespaceNotFound, RegionNotFound,
│                                  SnapshotNotFound, IndexNotFound
├── ExistsError                    it exists already: TableExists, NamespaceExists, SnapshotExists
├── StateError                     change the state first: TableNotEnabled, TableNotDisabled, DatabaseClosed,
│                                  ScannerClosed, ReadOnly, ForkedHandle, DatabaseLocked, NotADatabase
├── RetryError                     try again: RegionTooBusy, LockTimeout, OperationTimeout, SchemaChanged
├── ClusterError                   check the cluster: ConnectionFailed (ConnectionError),
│                                  AccessDenied (PermissionError), RemoteError
├── ResultLost                     read the row: the change was applied once, and its result is unknown
├── CoprocessorError               check the observer that it names
├── StorageError (OSError)         check the machine: DiskFull, LogPoisoned
├── CorruptionError                repair the data: .file .offset .expected .found
└── InternalError                  report a bug
```

Example:
    >>> import rowstone as rs
    >>> with rs.connect(":memory:") as db:
    ...     try:
    ...         db.table("missing")
    ...     except rs.errors.NotFoundError as error:
    ...         print(type(error).__name__)
    TableNotFound
"""

from typing import Any


class RowstoneError(Exception):
    """The base of every error that Rowstone raises.

    ``remote_class`` is the Java class that HBase uses for the same situation, or None if it has none. On an error that
    a cluster answered with, it is the class that the server named.
    """

    remote_class: str | None = None


class UsageError(RowstoneError, ValueError):
    """The call asks for something impossible: fix the call. Nothing was changed."""

    remote_class = "org.apache.hadoop.hbase.DoNotRetryIOException"


class InvalidArgument(UsageError):
    """An argument is outside the range that the operation accepts."""

    remote_class = "java.lang.IllegalArgumentException"


class InvalidType(InvalidArgument, TypeError):
    """An argument has a type that the operation does not accept, or is unknown to it."""


class IntegerTooLarge(InvalidArgument, OverflowError):
    """A number does not fit into HBase's 64 bits."""


class InvalidName(UsageError):
    """A table, family or namespace name breaks HBase's naming rules."""

    remote_class = "java.lang.IllegalArgumentException"


class NoSuchColumnFamily(UsageError):
    """The table has no family of that name; families are declared in the schema, columns are not."""

    remote_class = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException"


class CellTooLarge(UsageError):
    """A row key, family name or cell is longer than its limit."""


class NotALong(UsageError):
    """An increment found a value that is not 8 bytes long."""


class ConstraintViolation(UsageError):
    """The call would break a rule of the schema."""

    remote_class = "org.apache.hadoop.hbase.constraint.ConstraintException"


class NamespaceNotEmpty(ConstraintViolation):
    """The namespace still contains tables."""


class QuotaExceeded(UsageError):
    """The call would exceed a quota."""

    remote_class = "org.apache.hadoop.hbase.quotas.QuotaExceededException"


class UnsupportedOperation(UsageError):
    """This kind of database does not support the operation."""

    remote_class = "java.lang.UnsupportedOperationException"


class NotFoundError(RowstoneError, LookupError):
    """The thing that the call names does not exist."""


class TableNotFound(NotFoundError):
    """There is no table of that name."""

    remote_class = "org.apache.hadoop.hbase.TableNotFoundException"


class NamespaceNotFound(NotFoundError):
    """There is no namespace of that name."""

    remote_class = "org.apache.hadoop.hbase.NamespaceNotFoundException"


class RegionNotFound(NotFoundError):
    """No region contains the row."""

    remote_class = "org.apache.hadoop.hbase.NotServingRegionException"


class SnapshotNotFound(NotFoundError):
    """There is no snapshot of that name."""

    remote_class = "org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException"


class IndexNotFound(NotFoundError):
    """The table has no secondary index of that name; the message lists the ones it has."""


class ExistsError(RowstoneError):
    """The thing that the call would create exists already."""


class TableExists(ExistsError):
    """A table of that name exists; pass ``if_not_exists=True`` to accept that."""

    remote_class = "org.apache.hadoop.hbase.TableExistsException"


class NamespaceExists(ExistsError):
    """A namespace of that name exists."""

    remote_class = "org.apache.hadoop.hbase.NamespaceExistException"


class SnapshotExists(ExistsError):
    """A snapshot of that name exists."""

    remote_class = "org.apache.hadoop.hbase.snapshot.SnapshotExistsException"


class StateError(RowstoneError):
    """The call is valid, but not in the present state: change the state first."""


class TableNotEnabled(StateError):
    """The table is disabled: ``db.admin.enable_table`` first."""

    remote_class = "org.apache.hadoop.hbase.TableNotEnabledException"


class TableNotDisabled(StateError):
    """The table is enabled: ``db.admin.disable_table`` first."""

    remote_class = "org.apache.hadoop.hbase.TableNotDisabledException"


class DatabaseClosed(StateError):
    """The database was closed."""


class ScannerClosed(StateError):
    """The scanner was closed."""

    remote_class = "org.apache.hadoop.hbase.UnknownScannerException"


class ReadOnly(StateError):
    """The database was opened with ``read_only=True``."""


class ForkedHandle(StateError):
    """The handle belongs to the parent of a forked process."""


class DatabaseLocked(StateError):
    """The directory is open for writing, in another process or in this one."""


class NotADatabase(StateError):
    """The directory contains something other than a database, or nothing while ``create=False``."""


class RetryError(RowstoneError):
    """The same call may succeed later."""


class RegionTooBusy(RetryError):
    """The memory for recent writes is full; a flush is in progress."""

    remote_class = "org.apache.hadoop.hbase.RegionTooBusyException"


class LockTimeout(RetryError):
    """A row lock could not be acquired in time."""


class OperationTimeout(RetryError):
    """The operation exceeded its time limit."""

    remote_class = "org.apache.hadoop.hbase.CallTimeoutException"


class SchemaChanged(RetryError):
    """Another client changed the table's schema at the same time. Nothing was changed: read the schema again."""

    remote_class = "org.apache.hadoop.hbase.ConcurrentTableModificationException"


class ClusterError(RowstoneError):
    """The cluster, or the connection to it, has a problem."""


class ConnectionFailed(ClusterError, ConnectionError):
    """A server could not be reached, does not speak HBase's protocol, or closed the connection."""

    remote_class = "java.net.ConnectException"


class AccessDenied(ClusterError, PermissionError):
    """The user lacks a permission for the call; an administrator can grant it."""

    remote_class = "org.apache.hadoop.hbase.security.AccessDeniedException"


class RemoteError(ClusterError):
    """A server answered with an exception that has no class here; ``remote_class`` names it."""

    remote_class = "java.io.IOException"


class ResultLost(RowstoneError):
    """An increment or append was applied once, but its result is no longer known. Read the row; do not repeat the call.

    Raised by a client of a server. The response was lost, the client sent the call again, and the server recognized it
    but no longer knew what the first attempt had returned. Usually the server was restarted, or the column deleted.
    """

    remote_class = "org.apache.hadoop.hbase.DoNotRetryIOException"


class CoprocessorError(RowstoneError):
    """An observer of the table failed, took too long, or is not allowed; the message names it.

    ``__cause__`` is the exception that it raised.
    """

    remote_class = "org.apache.hadoop.hbase.DoNotRetryIOException"


class StorageError(RowstoneError, OSError):
    """The operating system reported an error; ``errno`` is its number."""

    remote_class = "java.io.IOException"


class DiskFull(StorageError):
    """No space is left on the device. Acknowledged writes are safe; free some space and continue."""


class LogPoisoned(StorageError):
    """The log refuses writes after an earlier failure: close and open the database again."""


class CorruptionError(RowstoneError):
    """A file has unexpected content: ``file``, ``offset``, ``expected`` and ``found`` describe where and what."""

    remote_class = "org.apache.hadoop.hbase.io.hfile.CorruptHFileException"

    def __init__(self, message: str, file: str = "", offset: int = 0, expected: str = "", found: str = "") -> None:
        super().__init__(message)
        self.file = file
        self.offset = offset
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.file, self.offset, self.expected, self.found)


class InternalError(RowstoneError):
    """An internal invariant was violated. This is a bug: please report it."""
