"""An open database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base import last_use as _last_use
from rowstone._base import lifecycle as _lifecycle
from rowstone._base.configuration import Configuration
from rowstone._core.clock_watch import ClockWatch
from rowstone._core.table import Columns, Table
from rowstone.coprocessors._registry import Coprocessors
from rowstone.errors import AccessDenied, StateError, UnsupportedOperation

if TYPE_CHECKING:
    from rowstone._admin.admin import Admin
    from rowstone._base.schema import FamiliesArgument, TableSchema
    from rowstone._inspect.explain import FilterArgument, ScanExplanation, TimeRange
    from rowstone._inspect.explain_missing import MissingExplanation
    from rowstone.constraints._table import TableConstraints
    from rowstone.indexes import Index, KeyPart
    from rowstone.splits import SplitsArgument
    from rowstone.tracing import Tracing


class Database:
    """Tables in a directory or in memory; made by `rowstone.connect`.

    Use it in a ``with`` statement, or call `close`; what is still open when the interpreter ends is closed then. All
    methods, and those of its tables, may be called from many threads at once. In the child of a fork it raises
    `ForkedHandle`: connect again there.

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
        self._layers = configuration
        self._owner = _owner
        # With what a job's workers connect to the same cluster; None where there is none.
        self._cluster = cluster
        # What makes spans of the calls of tables; None where nobody wants them.
        self._tracing = tracing
        # With what options it was opened, for a second `connect` to the same directory.
        self._given: Mapping[str, Any] = {}
        self._clock_watch = ClockWatch(self)
        self._made_admin: Admin | None = None
        self._coprocessors: Coprocessors
        if _owner is not None:
            self._coprocessors = _owner._coprocessors
            return
        self._coprocessors = Coprocessors(self, native, allow_coprocessors)
        self._coprocessors._start()

    @property
    def path(self) -> str:
        """What was opened: the path as given, or ``":memory:"``."""
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
        """Every setting with its value and where that came from.

        Raises:
            UnsupportedOperation: The servers of a cluster keep theirs for themselves.
        """
        if self._layers is None:
            raise UnsupportedOperation(f"the servers of '{self._path}' keep their configuration for themselves")
        return Configuration(self._layers, self)

    @property
    def admin(self) -> Admin:
        """Schema, maintenance, statistics."""
        if self._made_admin is None:
            # Not needed by all, and half of what a database would import.
            from rowstone._admin.admin import Admin

            self._made_admin = Admin(self._native.admin(), self._native.cluster_admin())
        return self._made_admin

    @property
    def coprocessors(self) -> Coprocessors:
        """The observers of tables and of the schema."""
        return self._coprocessors

    def as_user(self, user: str, groups: Iterable[str] = ()) -> Database:
        """The database as ``user`` may use it: every call is decided first.

        Without ``hbase.security.authorization`` it is the database itself. Else what the user may not do raises
        `AccessDenied` and changes nothing; a read shows what he may read. The view lives as long as the database;
        closing it does nothing to that. It keeps apart users of a server, not code: what runs in this process can
        reach the database itself.

        Args:
            groups: Those the user is in; without any, those of the configuration and of this machine.

        Raises:
            AccessDenied: This is a view already, of one who is no superuser.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
            ...     _ = db.create_table("t", ["f"])
            ...     db.admin.grant("ann", "R", table="t")
            ...     ann = db.as_user("ann")
            ...     try:
            ...         ann.table("t").put("row", {"f:q": "value"})
            ...     except rs.errors.AccessDenied:
            ...         print("ann reads", list(ann.table("t")))
            ann reads []
        """
        native = self._native.as_user(user, list(groups))
        if native is None:
            return self
        owner = self if self._owner is None else self._owner
        own: dict[str, Any] = {"configuration": self._layers, "tracing": self._tracing, "_owner": owner}
        return Database(native, path=self._path, read_only=self._read_only, **own)

    def constraints(self, table: str) -> TableConstraints:
        """The constraints of a table. Raises `TableNotFound`, and `UnsupportedOperation` on a cluster."""
        from rowstone.constraints._table import TableConstraints

        self.admin.describe(table)
        return TableConstraints(self, table)

    def create_index(
        self,
        name: str,
        table: str,
        on: str | bytes | KeyPart,
        *,
        strategy: str,
        codec: str = "bytes",
        by: int | str | None = None,
        sums: str | bytes | None = None,
        build: bool = True,
    ) -> Index:
        """The new index of a table: rows by a value of theirs.

        Args:
            name: One of the table's; its entries are in the table ``<table>_<name>``.
            on: A column, of which the newest value counts, or `rowstone.indexes.KeyPart`, a part of the row key.
            strategy: ``"filter"``, ``"periodic"``, ``"dual"``, ``"summary"`` or ``"coprocessor"``: `rowstone.indexes`
                says what they are.
            codec: What the bytes are, by its name in `rowstone.values`; values are sorted by it. Bytes that are none of
                it are left out of the index, with a warning in the log.
            by: Of a summary, how wide its buckets are: a number, or ``"minute"``, ``"hour"``, ``"day"``.
            sums: Of a summary, a column of ``int64`` that is added up.
            build: Whether the rows that are there come into the index at once; else `Index.rebuild` does that.

        Raises:
            InvalidArgument: There is one of that name, the arguments do not fit, or of a sample of the values none is
            of the codec. TableExists: The table of entries is there. NoSuchColumnFamily, TableNotFound.
            UnsupportedOperation: A coprocessor index on a cluster.
        """
        from rowstone.indexes._create import create

        return create(self, name, table, on, strategy=strategy, codec=codec, by=by, sums=sums, build=build)

    def index(self, table: str, name: str) -> Index:
        """The index of that name of a table. Raises `InvalidArgument` with those there are, `TableNotFound`."""
        from rowstone.indexes._create import find

        return find(self, table, name)

    def indexes(self, table: str | None = None) -> list[Index]:
        """The indexes of a table, or of all tables, in the order of their names."""
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
        """What a scan with these options, as `Table.scan` has them, would touch: regions, families, files, bytes.

        It says by which of the three ways it goes: one key (also with ``row``, a get), a range of keys, or everything;
        a filter on values makes a scan no shorter. Reads no data, but with ``count`` counts the rows it would examine.
        All else is the most that there can be: blocks of a file outside the range, and what a filter can skip, are not
        known before. The servers of a cluster do not list their files: there sizes are those of whole regions
        (``is_by_region``).

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
        from rowstone._inspect.explain import explain_scan, rows_of, with_rows_counted

        rows = rows_of(start, stop, prefix, row)
        found = explain_scan(self.admin, table, rows, columns, time_range, filter)
        return with_rows_counted(found, self.table(table), rows) if count else found

    def explain_missing(self, table: str, row: str | bytes, column: str | bytes) -> MissingExplanation:
        """Why a column (``family:qualifier``) of a row has no value: delete markers, a time to live, newer versions.

        Reads the family's cells of the row, with old versions and markers, and the column. Of what a compaction has
        dropped, nothing is known any more.

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
        from rowstone._inspect.explain_missing import explain_missing

        return explain_missing(self.table(table), as_bytes(row), as_bytes(column))

    def mutate_together(self, changes: Iterable[tuple[str, _native.Put | _native.Delete]]) -> None:
        """Writes puts and deletes of several tables, pairs (table, mutation), in one record of the log.

        After a crash all of them are there or none. Readers see each table's changes together, and the tables' one
        after the other in the order in which ``changes`` first names them: who sees a change of a later table sees
        those of all before it. It is logged also where ``durability="SKIP_WAL"`` is asked for.

        Raises:
            InvalidArgument: A delete with ``version="latest"``, which reads first. UnsupportedOperation: A cluster has
            no such record. TableNotFound, NoSuchColumnFamily, TableNotEnabled. Nothing was changed.

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
        """The table of that name: ``"name"`` or ``"namespace:name"``.

        Raises:
            TableNotFound: There is none.
        """
        if self._tracing is not None:
            return self._tracing.table(self._native, name)
        return Table(self._native, name)

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
        """True once the table is made; see `Admin.create_table`.

        With ``if_not_exists=True``, False where a table of that name is there already, which stays as it is.
        """
        return self.admin.create_table(
            name,
            families,
            splits=splits,
            attributes=attributes,
            configuration=configuration,
            if_not_exists=if_not_exists,
        )

    def drop_table(self, name: str) -> None:
        """Removes a table and its data, enabled or not.

        Raises:
            TableNotFound: There is none.
        """
        self.admin.drop_table(name, force=True)

    def tables(self, namespace: str | None = None) -> list[str]:
        """The names of all tables, or of those in ``namespace``, in order."""
        return self.admin.tables(namespace)

    def close(self) -> None:
        """Finishes what runs, syncs the log and gives the directory free. A second call does nothing."""
        if self._native.is_ours and self._owner is None:
            if not (self.closed or self._read_only):
                _last_use.keep(self.admin, self._path)
            self._native.close()
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
