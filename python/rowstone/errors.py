"""One tree of exceptions, ordered by what the caller should do about them.

```text
RowstoneError
├── UsageError (ValueError)        fix the call
│   ├── InvalidArgument            ├── InvalidType (TypeError)   └── IntegerTooLarge (OverflowError)
│   ├── InvalidName, NoSuchColumnFamily, CellTooLarge, NotALong, QuotaExceeded, UnsupportedOperation
│   └── Constraint                 └── NamespaceNotEmpty
├── NotFoundError (LookupError)    look somewhere else: TableNotFound, NamespaceNotFound, RegionNotFound,
│                                  SnapshotNotFound
├── ExistsError                    it is there already: TableExists, NamespaceExists, SnapshotExists
├── StateError                     change the state first: TableNotEnabled, TableNotDisabled, DatabaseClosed,
│                                  ScannerClosed, ReadOnly, ForkedHandle, DatabaseLocked, NotADatabase
├── RetryError                     try again: RegionTooBusy, LockTimeout, OperationTimeout
├── ClusterError                   look at the cluster: ConnectionFailed (ConnectionError),
│                                  AccessDenied (PermissionError), RemoteError
├── CoprocessorError               look at the observer that it names
├── StorageError (OSError)         look after the machine: DiskFull, LogPoisoned
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

    ``remote_class`` is the Java class that HBase uses for the same situation, or None where it has none. On an error
    that a cluster answered with, it is the class that the server named.
    """

    remote_class: str | None = None


class UsageError(RowstoneError, ValueError):
    """The call asks for something that cannot be: fix the call. Nothing was changed."""

    remote_class = "org.apache.hadoop.hbase.DoNotRetryIOException"


class InvalidArgument(UsageError):
    """An argument is outside what the operation takes."""

    remote_class = "java.lang.IllegalArgumentException"


class InvalidType(InvalidArgument, TypeError):
    """An argument has a type that the operation does not take, or is unknown to it."""


class IntegerTooLarge(InvalidArgument, OverflowError):
    """A number does not fit the 64 bits that HBase has for it."""


class InvalidName(UsageError):
    """A table, family or namespace name breaks HBase's naming rules."""

    remote_class = "java.lang.IllegalArgumentException"


class NoSuchColumnFamily(UsageError):
    """The table has no family of that name; families are declared in the schema, columns are not."""

    remote_class = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException"


class CellTooLarge(UsageError):
    """A row key, family name or cell is longer than its limit."""


class NotALong(UsageError):
    """An increment met a value that is not 8 bytes."""


class Constraint(UsageError):
    """A rule of the schema would be broken."""

    remote_class = "org.apache.hadoop.hbase.constraint.ConstraintException"


class NamespaceNotEmpty(Constraint):
    """The namespace still holds tables."""


class QuotaExceeded(UsageError):
    """A limit of the namespace would be exceeded."""

    remote_class = "org.apache.hadoop.hbase.quotas.QuotaExceededException"


class UnsupportedOperation(UsageError):
    """This kind of database cannot do that."""

    remote_class = "java.lang.UnsupportedOperationException"


class NotFoundError(RowstoneError, LookupError):
    """What the call names does not exist."""


class TableNotFound(NotFoundError):
    """There is no table of that name."""

    remote_class = "org.apache.hadoop.hbase.TableNotFoundException"


class NamespaceNotFound(NotFoundError):
    """There is no namespace of that name."""

    remote_class = "org.apache.hadoop.hbase.NamespaceNotFoundException"


class RegionNotFound(NotFoundError):
    """No region holds that row."""

    remote_class = "org.apache.hadoop.hbase.NotServingRegionException"


class SnapshotNotFound(NotFoundError):
    """There is no snapshot of that name."""

    remote_class = "org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException"


class ExistsError(RowstoneError):
    """What the call would make is there already."""


class TableExists(ExistsError):
    """A table of that name is there already; ``if_not_exists=True`` accepts that."""

    remote_class = "org.apache.hadoop.hbase.TableExistsException"


class NamespaceExists(ExistsError):
    """A namespace of that name is there already."""

    remote_class = "org.apache.hadoop.hbase.NamespaceExistException"


class SnapshotExists(ExistsError):
    """A snapshot of that name is there already."""

    remote_class = "org.apache.hadoop.hbase.snapshot.SnapshotExistsException"


class StateError(RowstoneError):
    """The call is right, but not now: change the state first."""


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
    """Another process has the directory open for writing, or this one has already."""


class NotADatabase(StateError):
    """The directory holds something else than a database, or nothing while ``create=False``."""


class RetryError(RowstoneError):
    """The same call may succeed a little later."""


class RegionTooBusy(RetryError):
    """Memory for recent writes is full; a flush is on its way."""

    remote_class = "org.apache.hadoop.hbase.RegionTooBusyException"


class LockTimeout(RetryError):
    """A row lock was not had in time."""


class OperationTimeout(RetryError):
    """The operation ran out of its time."""

    remote_class = "org.apache.hadoop.hbase.CallTimeoutException"


class ClusterError(RowstoneError):
    """The cluster, or the way to it, is not as it should be."""


class ConnectionFailed(ClusterError, ConnectionError):
    """A server could not be reached, answered with something else than HBase's protocol, or went away."""

    remote_class = "java.net.ConnectException"


class AccessDenied(ClusterError, PermissionError):
    """This user may not do that: ask who administrates it for the right."""

    remote_class = "org.apache.hadoop.hbase.security.AccessDeniedException"


class RemoteError(ClusterError):
    """A server refused with an exception that has no class of its own here; ``remote_class`` names it."""

    remote_class = "java.io.IOException"


class CoprocessorError(RowstoneError):
    """An observer of the table failed, took too long, or is not allowed; the message names it.

    ``__cause__`` is what it raised.
    """

    remote_class = "org.apache.hadoop.hbase.DoNotRetryIOException"


class StorageError(RowstoneError, OSError):
    """The operating system reported an error; ``errno`` has its number."""

    remote_class = "java.io.IOException"


class DiskFull(StorageError):
    """No space is left on the device. What was acknowledged is kept; free space and go on."""


class LogPoisoned(StorageError):
    """The log refuses writes after an earlier failure: close and open the database again."""


class CorruptionError(RowstoneError):
    """A file does not hold what it should. ``file``, ``offset``, ``expected`` and ``found`` say where and how."""

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
    """Rowstone broke a promise to itself: a bug, please report it."""
