"""An open database."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base import last_use as _last_use
from rowstone._base import lifecycle as _lifecycle
from rowstone._base.configuration import Configuration
from rowstone._base.options.checks import as_list
from rowstone._base.options.words import IndexStrategy
from rowstone._core.clock_watch import ClockWatch
from rowstone._core.table import Columns, Table
from rowstone.coprocessors._registry import Coprocessors
from rowstone.errors import AccessDenied, ClusterError, RetryError, StateError, UnsupportedOperation

if TYPE_CHECKING:
    from rowstone._base.schema import FamiliesArgument, TableSchema
    from rowstone._core.inspect.explain import FilterArgument, ScanExplanation, TimeRange
    from rowstone._core.inspect.explain_missing import MissingExplanation
    from rowstone._core.tracing import Tracing
    from rowstone.admin import Admin
    from rowstone.coprocessors.constraints._table import TableConstraints
    from rowstone.indexes import Index, KeyPart
    from rowstone.splits import SplitsArgument

_ASK_AGAIN_SECONDS = 10.0
"""How long the answer counts whether a cluster checks permissions."""


class Database:
    """Tables in a directory, in memory or on a cluster. Created by `rowstone.connect`.

    Use it in a ``with`` statement, or call `close`. Databases still open when the interpreter exits are closed then.
    Garbage collection closes a database when nothing refers to it or to one of its tables any more.
    All methods of a database and of its tables are thread-safe. After a fork the child process must connect again:
    there every call raises `ForkedHandle`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     print(db.tables())
        ['t']
    """

    def __init__(
        self,
        native: _native.Database,
        *,
        path: str,
        read_only: bool,
        configuration: Mapping[str, Mapping[str, Any]] | None = None,
        allow_coprocessors: Iterable[str | type] = (),
        cluster: Mapping[str, Any] | None = None,
        tracing: Tracing | None = None,
        _owner: Database | None = None,
    ) -> None:
        self._native = native
        self._path = path
        self._read_only = read_only
        self._keeps_use = True
        self._layers = configuration
        self._owner = _owner
        # Options with which the workers of a job connect to the same cluster; None unless it is one.
        self._cluster = cluster
        # Whether a cluster checks permissions, and when it was asked; None if it was not.
        self._has_permissions: bool | None = None
        self._asked_at = 0.0
        # Creates the spans of table calls; None without tracing.
        self._tracing = tracing
        # Options of the first `connect`, compared when the directory is opened again with `reuse`.
        self._given: Mapping[str, Any] = {}
        self._clock_watch = ClockWatch(self)
        self._made_admin: Admin | None = None
        self._coprocessors: Coprocessors
        if _owner is not None:
            self._coprocessors = _owner._coprocessors._as_user(native)
            return
        self._coprocessors = Coprocessors(self, native, allow_coprocessors)
        self._coprocessors._start()

    @property
    def path(self) -> str:
        """The path as given to `rowstone.connect`, or ``":memory:"``."""
        return self._path

    @property
    def read_only(self) -> bool:
        """Whether it was opened with ``read_only=True``."""
        return self._read_only

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._native.closed if self._owner is None else self._owner.closed

    @property
    def configuration(self) -> Configuration:
        """Every setting with its value and its source.

        Raises:
            UnsupportedOperation: A cluster's servers do not publish their configuration.
        """
        if self._layers is None:
            raise UnsupportedOperation(
                f"the cluster at '{self._path}' does not expose its configuration; read hbase-site.xml "
                "or a server's /conf page"
            )
        return Configuration(self._layers, self)

    @property
    def admin(self) -> Admin:
        """Administration: schema, maintenance, statistics."""
        if self._made_admin is None:
            # Imported late: it is half of a database's imports, and not every program needs it.
            from rowstone.admin import Admin

            self._made_admin = Admin(self._native.admin(), self._native.cluster_admin(), self._path, owner=self)
        return self._made_admin

    @property
    def coprocessors(self) -> Coprocessors:
        """The observers of tables and of schema changes."""
        return self._coprocessors

    def as_user(self, user: str, groups: Iterable[str] = ()) -> Database:
        """Return the database as seen by ``user``: every call is checked against the user's permissions.

        Without ``hbase.security.authorization`` this returns the database itself. Otherwise a call that the user is
        not permitted to make raises `AccessDenied` and changes nothing; reads return the cells that the user may read.
        The view lives as long as the database, and closing the view leaves the database open. Views separate the users
        of a server; they do not isolate code: anything in this process can reach the database itself.

        Args:
            groups: Groups of the user; if empty, those from the configuration and the operating system.

        Raises:
            AccessDenied: This already is the view of a user who is not a superuser.
            UnsupportedOperation: The database is a cluster with access control, which checks the permissions of this
                connection's user, who is another one. `connect` has the option ``impersonate``.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
            ...     _ = db.create_table("t", ["f"])
            ...     db.admin.permissions.grant("ann", "R", table="t")
            ...     ann = db.as_user("ann")
            ...     try:
            ...         ann.table("t").put("row", {"f:q": "value"})
            ...     except rs.errors.AccessDenied:
            ...         print("ann reads", list(ann.table("t")))
            ann reads []
        """
        native = self._native.as_user(user, as_list("groups", groups))
        if native is None:
            self._refuse_view_of_cluster(user)
            return self
        owner = self if self._owner is None else self._owner
        own: dict[str, Any] = {"configuration": self._layers, "tracing": self._tracing, "_owner": owner}
        return Database(native, path=self._path, read_only=self._read_only, **own)

    def _refuse_view_of_cluster(self, user: str) -> None:
        """Raise `UnsupportedOperation` if this is a cluster that checks permissions: those of the connection's user."""
        if self._cluster is None or user == (self._cluster.get("impersonate") or self._cluster.get("user")):
            return
        if self._checks_permissions():
            raise UnsupportedOperation(
                f"the cluster at '{self._path}' checks the permissions of this connection's user, which may exceed "
                f"those of '{user}'; connect with impersonate='{user}'"
            )

    def _checks_permissions(self) -> bool:
        """Whether a cluster checks permissions. It may begin to after a restart, which this connection outlives."""
        now = time.monotonic()
        if self._has_permissions is None or now - self._asked_at >= _ASK_AGAIN_SECONDS:
            # First, so that other threads do not wait too for a master that does not answer.
            self._asked_at = now
            try:
                self._has_permissions = "AUTHORIZATION" in self.admin.permissions.capabilities()
            except (ClusterError, RetryError):
                # Without a master the answer does not change, and the servers of regions go on.
                if self._has_permissions is None:
                    raise
        return self._has_permissions

    def constraints(self, table: str) -> TableConstraints:
        """Return the constraints of a table.

        Raises:
            TableNotFound.
            UnsupportedOperation: The database is a cluster.
        """
        from rowstone.coprocessors.constraints._table import TableConstraints

        self.admin.describe(table)
        return TableConstraints(self, table)

    def create_index(
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
    ) -> Index:
        """Create an index: find rows of a table by a column's value or by a part of the key.

        Args:
            name: The index's name, unique within the table; its entries are in the table ``<table>_<name>``.
            on: A column, whose newest value is indexed, or `rowstone.indexes.KeyPart`, a part of the row key.
            strategy: ``"filter"``, ``"periodic"``, ``"dual"``, ``"summary"`` or ``"coprocessor"``, which
                `rowstone.indexes` explains.
            codec: The codec of the values, by its name in `rowstone.codecs`; entries are sorted by the decoded value.
                Values that the codec cannot decode are left out of the index, with a warning in the log.
            by: Bucket width of a summary: a number, or ``"minute"``, ``"hour"``, ``"day"``.
            sums: A column of ``int64`` that a summary adds up.
            build: Index the existing rows at once; otherwise call `Index.rebuild`.

        Raises:
            InvalidArgument: An index of that name exists, the arguments contradict each other, or none of the sampled
                values can be decoded.
            TableExists: The table of entries exists.
            NoSuchColumnFamily, TableNotFound.
            UnsupportedOperation: A coprocessor index on a cluster.
        """
        from rowstone.indexes._create import create

        return create(self, table, name, on, strategy=strategy, codec=codec, by=by, sums=sums, build=build)

    def index(self, table: str, name: str) -> Index:
        """Return an index of a table. Raises `TableNotFound`, or `IndexNotFound`, which lists the table's indexes."""
        from rowstone.indexes._create import find

        return find(self, table, name)

    def indexes(self, table: str | None = None) -> list[Index]:
        """Return the indexes of a table, or of all tables, sorted by name."""
        from rowstone.indexes._create import all_of

        return all_of(self, table)

    def explain(
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
    ) -> ScanExplanation:
        """Explain what a scan with the options of `Table.scan` would read: regions, families, files, bytes.

        The result says which of three ways the scan takes: a single key (also with ``row``, for a get), a range of
        keys, or the whole table. A filter on values does not make a scan shorter. Explaining reads no data, unless
        ``count`` asks for the number of rows that the scan would examine. All other numbers are upper bounds: blocks
        of a file outside the range, and rows that a filter can skip, are not known in advance. The servers of a cluster
        do not list their files, so sizes there are those of whole regions (``is_by_region``).

        Raises:
            TableNotFound, NoSuchColumnFamily, InvalidArgument.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("t", ["f", "g"], splits=["m"])
            ...     db.table("t").put("row", {"f:q": "value"})
            ...     db.admin.flush("t")
            ...     found = db.explain("t", prefix="a", columns=["f"])
            ...     print(found.regions, found.table_regions, found.files, found.files_of_other_rows)
            1 2 0 1
        """
        from rowstone._core.inspect.explain import explain_scan, rows_of, with_rows_counted

        rows = rows_of(start, stop, prefix, row)
        found = explain_scan(self.admin, table, rows, columns, time_range, filter)
        return with_rows_counted(found, self.table(table), rows) if count else found

    def explain_missing(self, table: str, row: str | bytes, column: str | bytes) -> MissingExplanation:
        """Explain why a column (``family:qualifier``) of a row has no value: delete markers, TTL, newer versions.

        Reads the cells of the row's family, including old versions and markers. Cells that a compaction has dropped
        can no longer be explained.

        Raises:
            TableNotFound, NoSuchColumnFamily, InvalidArgument.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("t", ["f"])
            ...     db.table("t").delete("row", ["f:q"], timestamp=7)
            ...     db.table("t").put("row", {"f:q": "value"}, timestamp=7)
            ...     print(db.explain_missing("t", "row", "f:q"))
            t, row row, column f:q has no value
              the version of 7 is hidden by DeleteColumn of 7: of the same millisecond, in which the delete wins
        """
        from rowstone._base.schema import as_bytes
        from rowstone._core.inspect.explain_missing import explain_missing

        return explain_missing(self.table(table), as_bytes(row), as_bytes(column))

    def mutate_together(self, changes: Iterable[tuple[str, _native.Put | _native.Delete]]) -> None:
        """Write puts and deletes of several tables, given as pairs (table, mutation), in one log record.

        After a crash either all of them are there or none. Readers see the changes to each region together, those to
        several regions of a table region by region, and the tables in the order in which ``changes`` first names them:
        a reader that sees a change of a later table sees those of all earlier ones. The record is logged even with
        ``durability="SKIP_WAL"``.

        Raises:
            InvalidArgument: A delete with ``version="latest"``, which would have to read first.
            UnsupportedOperation: The database is a cluster, which has no such record.
            TableNotFound, NoSuchColumnFamily, TableNotEnabled. Nothing was changed.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("from", ["f"]), db.create_table("to", ["f"])
            ...     db.table("from").put("row", {"f:q": "value"})
            ...     db.mutate_together([("to", rs.Put("row", {"f:q": "value"})), ("from", rs.Delete("row"))])
            ...     print(list(db.table("from")), list(db.table("to")))
            [] [b'row']
        """
        self._native.mutate_together(changes)

    def table(self, name: str) -> Table:
        """Return a table by its name: ``"name"`` or ``"namespace:name"``.

        Raises:
            TableNotFound: There is no such table.
        """
        found = Table(self._native, name) if self._tracing is None else self._tracing.table(self._native, name)
        found._database = self
        return found

    def create_table(
        self,
        name: str,
        families: FamiliesArgument,
        *,
        splits: SplitsArgument | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
        if_not_exists: bool = False,
    ) -> bool:
        """Create a table and return True.

        Args:
            name: ``"name"`` or ``"namespace:name"``.
            families: ``{name: Family}``, or names alone for families with HBase's defaults. A mapping such as
                ``{"max_versions": 3}`` or None is accepted in place of a `Family`.
            splits: Row keys at which the table is split into regions from the start; see `Admin.create_table`.
            attributes: HBase's table attributes, such as ``{"DURABILITY": "ASYNC_WAL"}``.
            configuration: Settings that override the database's for this table.
            if_not_exists: If the table exists, return False instead of raising, and leave it unchanged.

        Raises:
            TableExists, NamespaceNotFound, InvalidName, InvalidArgument, QuotaExceeded: Nothing was created.
        """
        return self.admin.create_table(
            name,
            families,
            splits=splits,
            attributes=attributes,
            configuration=configuration,
            if_not_exists=if_not_exists,
        )

    def drop_table(self, name: str, *, force: bool = False) -> None:
        """Remove a disabled table and its data; with ``force=True`` disable it first. Same as `Admin.drop_table`.

        Raises:
            TableNotDisabled: The table is enabled.
            TableNotFound: There is no such table.
            ConstraintViolation: An observer forbids it, or the table has indexes; the table is unchanged.
        """
        self.admin.drop_table(name, force=force)

    def tables(self, namespace: str | None = None) -> list[str]:
        """Return the names of all tables, or of those in ``namespace``, sorted."""
        return self.admin.tables.list(namespace)

    def close(self) -> None:
        """Finish running work, sync the log and release the directory.

        A second call only waits until the first has finished, also in another thread, and raises its error.

        Raises:
            StorageError: The log could not be synced; the directory is released. `DiskFull`: the disk was full all the
                time, and a power loss may destroy the last writes of a killed process. Free some space, then open and
                close the database again.
        """
        if self._native.is_ours and self._owner is None:
            try:
                if self._keeps_use and not (self.closed or self._read_only):
                    _last_use.keep(self._native, self._path, lambda table: self.admin.metrics.heat_map(table))
            finally:
                self._release()

    def _release(self) -> None:
        try:
            self._native.close()
        finally:
            _lifecycle.forget_writer(self)
            self._coprocessors._closed()

    def _schema(self, name: str) -> TableSchema | None:
        try:
            return self.admin.describe(name)
        except AccessDenied:
            return None

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ", read-only" if self._read_only else ""
        return f"Database({self._path!r}{state})"

    def _repr_html_(self) -> str:
        from rowstone._base.html import database_html

        try:
            return database_html(self._path, filter(None, map(self._schema, self.tables())))
        except StateError:
            return f"<code>{self!r}</code>"
