"""A table: names and policy on top of the native handle (`crates/py/src/table.rs`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, Unpack

from rowstone import _native
from rowstone._base.options.words import Durability
from rowstone.errors import InvalidArgument, InvalidType

if TYPE_CHECKING:
    from rowstone._base.options.calls import ReadOptions, ViewScanOptions
    from rowstone._base.schema import TableSchema
    from rowstone._core.database import Database
    from rowstone._core.inspect.column_catalogue import ColumnCatalogue
    from rowstone._core.views import View

_COMPLETED_KEYS = 100
RowKey = str | bytes
Columns = str | bytes | Iterable[str | bytes | tuple[str | bytes, str | bytes]]


class _Readable(Protocol):
    """Methods of a table or a view that `_Rows` calls."""

    def get(self, row: RowKey, /) -> _native.Row: ...

    def exists(self, row: RowKey, /) -> bool: ...

    def scan(self, *, cells_per_family: int | None = None) -> _native.Scanner: ...

    def __iter__(self) -> Iterator[bytes]: ...


class _Rows:
    """Common part of a table and its views: a mapping from row key to `Row`, to read."""

    __slots__ = ()

    def __getitem__(self: _Readable, row: RowKey) -> _native.Row:
        found = self.get(row)
        if not found:
            raise KeyError(row)
        return found

    def __contains__(self: _Readable, row: object) -> bool:
        return isinstance(row, (str, bytes, bytearray, memoryview)) and len(row) > 0 and self.exists(bytes_of(row))

    def __iter__(self: _Readable) -> Iterator[bytes]:
        with self.scan(cells_per_family=1) as rows:
            for row in rows:
                yield row.key

    def keys(self: _Readable) -> Iterator[bytes]:
        """Iterate over the row keys in order. Reads the whole table lazily."""
        return iter(self)

    def items(self: _Readable) -> Iterator[tuple[bytes, _native.Row]]:
        """Iterate over pairs (row key, row) in order. Reads the whole table lazily."""
        with self.scan() as rows:
            for row in rows:
                yield row.key, row


class Table(_Rows, _native.Table):
    """Rows of one table, sorted by key as unsigned bytes. Created by `Database.table`.

    A table is also a mapping from row key to `Row`: ``t[row]``, ``t[row] = {...}`` (adds columns, as `put`),
    ``del t[row]``, ``row in t``, iteration over keys. Arguments may be ``str`` (encoded as UTF-8) or bytes; results are
    bytes. Ranges are half-open. Timestamps are milliseconds, or an aware `datetime`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("webtable", ["anchor"])
        ...     web = db.table("webtable")
        ...     web["com.cnn.www"] = {"anchor:cnnsi.com": "CNN"}
        ...     print(web["com.cnn.www"]["anchor:cnnsi.com"], list(web))
        b'CNN' [b'com.cnn.www']
    """

    __slots__ = ("_database",)

    _database: Database
    """The database, which must not be closed by garbage collection while a table is in use: observers need it."""

    @property
    def schema(self) -> TableSchema:
        """The current table descriptor."""
        from rowstone._base.schema import TableSchema

        return TableSchema.from_native(self._describe())

    def __setitem__(self, row: RowKey, data: Any) -> None:
        self.put(row, data)

    def __delitem__(self, row: RowKey) -> None:
        if not self.exists(row):
            raise KeyError(row)
        self.delete(row)

    def as_of(self, timestamp: int | datetime) -> TableView:
        """Return the table as it was at ``timestamp`` (included): a read-only view of the versions up to it.

        Values that were deleted later are visible only in families with ``keep_deleted_cells``, and never more
        versions than the family keeps.
        """
        return TableView(self, instant_of(timestamp))

    def rename_row(self, old: RowKey, new: RowKey, *, replace: bool = False) -> int:
        """Move all cells of row ``old``, with all versions and timestamps, to row ``new``; return the number of cells.

        Row ``new`` appears at once with all its cells; then row ``old`` is deleted. The two steps are not atomic: after
        a crash in between, both rows may exist. Do not write to either row meanwhile.

        Args:
            replace: Remove the existing cells of row ``new``. Without it, row ``new`` must not exist.

        Raises:
            NotFoundError: There is no row ``old``.
            ExistsError: Row ``new`` exists.
            StateError: Markers of an earlier delete would hide the cells under the new key.
            Nothing was changed.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("t", ["f"])
            ...     db.table("t").put("a", {"f:q": "v"})
            ...     db.table("t").rename_row("a", "b"), list(db.table("t"))
            (1, [b'b'])
        """
        from rowstone._core.rename import rename_row

        return rename_row(self, bytes_of(old), bytes_of(new), replace=replace)

    def put_frame(
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
    ) -> int:
        """Write a data frame, or any Arrow stream, one row per record; return the number of rows written.

        Missing values write no cell, and a record without values writes no row. Rows are written in chunks of about
        2 MiB, each row atomically. A source that produces batches lazily is never in memory as a whole.

        Args:
            source: An object with ``__arrow_c_stream__`` or ``__arrow_c_array__``: from pyarrow, polars, DuckDB, pandas
                (which needs pyarrow for this), or `Scanner.arrow` of another table.
            row_column: The source's column with the row keys.
            columns: The source's columns to write: a mapping to the table's columns, or names that are table columns
                themselves; None for all other columns.
            family: The family of columns without a colon.
            codecs: Codecs by column or family of the table, instead of the declared ones. Columns without a codec are
                written as HBase's ``Bytes`` writes values of their type.
            key: The codec of row keys; not needed for ``"text"`` and ``"bytes"``.
            timestamp: The timestamp of all cells, or the name of a column with timestamps.
            ttl_ms, durability: As in `put`.

        Raises:
            InvalidArgument: A column has no family, its codec does not accept its type, or another column goes to the
                same place; nothing was written. Or a value does not fit: the message names row (from 0) and column; the
                rows before it were written, none after it.
            Errors of the store. Errors raised while writing have ``rows_written``.

        Example:
            >>> import polars
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("people", ["f"])
            ...     frame = polars.DataFrame({"id": ["ada", "bob"], "age": [36, None], "name": ["Ada", "Bob"]})
            ...     db.table("people").put_frame(frame, "id", family="f", codecs={"f:age": "int32"})
            ...     db.table("people").get("ada").to_dict()
            2
            {b'f:age': b'\\x00\\x00\\x00$', b'f:name': b'Ada'}
        """
        from rowstone._core.frames import put

        return put(
            self,
            source,
            row_column,
            columns,
            family=family,
            codecs=codecs,
            key=key,
            timestamp=timestamp,
            ttl_ms=ttl_ms,
            durability=durability,
        )

    def as_map(self) -> dict[bytes, dict[bytes, dict[int, dict[bytes, bytes]]]]:
        """Return the whole table as ``{row: {family: {timestamp: {column: value}}}}``, newest timestamps first.

        Families without cells in a row appear as ``{}``. For small tables: everything becomes Python objects.
        """
        from rowstone._core.views import as_map

        return as_map(self)

    def conceptual_view(self) -> View:
        """Draw the table as HBase's guide does: a line per row and timestamp, a column per family. For small tables."""
        from rowstone._core.views import conceptual_view

        return conceptual_view(self)

    def physical_view(self, family: RowKey) -> View:
        """Draw the stored cells of one family: one line per cell, none for empty columns. For small tables."""
        from rowstone._core.views import physical_view

        return physical_view(self, family)

    def columns(self, family: RowKey) -> set[bytes]:
        """Return the columns (``family:qualifier``) that any row has in ``family``. Reads the whole family."""
        found: set[bytes] = set()
        with self.scan(columns=[family]) as rows:
            for row in rows:
                found.update(row)
        return found

    def column_catalogue(
        self,
        family: RowKey | None = None,
        *,
        rows: int = 1_000,
        full: bool = False,
        max_columns: int = 100_000,
        progress: Callable[[int], None] | None = None,
    ) -> ColumnCatalogue:
        """List the columns with their frequency, sizes, number of versions and examples of their values.

        Args:
            family: Only this family.
            rows: Number of rows to read, spread over the table; at most a thousand cells of each family are read per
                row.
            full: Read the whole table instead; only then are rare columns sure to be found.
            max_columns: Columns beyond this number are counted together.
            progress: With ``full``, called with the number of rows read, every thousand rows.

        Raises:
            NoSuchColumnFamily: There is no such family. InvalidArgument: ``rows`` or ``max_columns`` is below 1.
        """
        from rowstone._core.inspect.column_catalogue import sampled, scanned

        if rows < 1 or max_columns < 1:
            raise InvalidArgument(f"rows is {rows}, max_columns {max_columns}: both must be at least 1")
        name = None if family is None else bytes_of(family)
        return scanned(self, name, max_columns, progress) if full else sampled(self, name, rows, max_columns)

    def __repr__(self) -> str:
        return f"Table({self.name!r})"

    def _repr_html_(self) -> str:
        return self.schema._repr_html_() + self.scan()._repr_html_()

    def _ipython_key_completions_(self) -> list[str | bytes]:
        """The first row keys, for ``table[<Tab>`` in IPython; text where they are printable."""
        with self.scan(limit=_COMPLETED_KEYS, cells_per_family=1) as rows:
            keys = [row.key for row in rows]
        return [key.decode() if key.isascii() and key.decode().isprintable() else key for key in keys]


class TableView(_Rows):
    """A read-only view of a table at a point in the past. Created by `Table.as_of`.

    Like a table, it is a mapping from row key to `Row`.
    """

    __slots__ = ("_table", "_timestamp")

    def __init__(self, table: Table, timestamp: int) -> None:
        self._table = table
        self._timestamp = timestamp

    @property
    def name(self) -> str:
        """The table's name, with its namespace unless that is the default one."""
        return self._table.name

    @property
    def schema(self) -> TableSchema:
        """The current table descriptor, not the one at the point in the past."""
        return self._table.schema

    @property
    def timestamp(self) -> int:
        """The point in time, in milliseconds; included."""
        return self._timestamp

    def _options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        for name in ("time_range", "timestamp", "family_time_ranges"):
            if options.get(name) is not None:
                raise InvalidArgument(f"{name} cannot be combined with as_of({self._timestamp})")
        return {**options, "time_range": (0, self._timestamp + 1)}

    def get(self, row: RowKey, columns: Columns | None = None, **options: Unpack[ReadOptions]) -> _native.Row:
        """Return the row as it was; options as in `Table.get`."""
        return self._table.get(row, columns, **self._options(options))

    def value(self, row: RowKey, column: Any, default: Any = None) -> Any:
        """Return the newest value of one column as it was, or ``default``."""
        from rowstone._base.schema import pair_of

        pair = pair_of(column)
        return self.get(row, [pair]).get(pair, default)

    def get_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Unpack[ReadOptions]
    ) -> list[_native.Row]:
        """Return the rows as they were; options as in `Table.get_many`."""
        return self._table.get_many(rows, columns, **self._options(options))

    def exists_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Unpack[ReadOptions]
    ) -> list[bool]:
        """Whether each row existed; options as in `Table.exists_many`."""
        return self._table.exists_many(rows, columns, **self._options(options))

    def exists(self, row: RowKey, columns: Columns | None = None, **options: Unpack[ReadOptions]) -> bool:
        """Whether the row had a cell; options as in `Table.exists`."""
        return self._table.exists(row, columns, **self._options(options))

    def scan(
        self, start: RowKey | None = None, stop: RowKey | None = None, **options: Unpack[ViewScanOptions]
    ) -> _native.Scanner:
        """Return the rows as they were; options as in `Table.scan`."""
        return self._table.scan(start, stop, **self._options(options))

    def __repr__(self) -> str:
        return f"{self._table!r}.as_of({self._timestamp})"


def bytes_of(row: str | bytes | bytearray | memoryview) -> bytes:
    """A key as bytes."""
    return row.encode() if isinstance(row, str) else bytes(row)


# A native class cannot inherit from Mapping.
Mapping.register(_native.Row)


def instant_of(timestamp: int | datetime) -> int:
    """A point in time in milliseconds, small enough to be the included end of a time range."""
    if isinstance(timestamp, datetime):
        if timestamp.utcoffset() is None:
            raise InvalidArgument(f"datetime {timestamp} has no time zone; pass an aware one, or milliseconds")
        return _native.epoch_ms(timestamp)
    try:
        timestamp = index(timestamp)
    except TypeError:
        raise InvalidType(f"timestamp must be an int or a datetime, not {type(timestamp).__name__}") from None
    if timestamp < 0:
        raise InvalidArgument(f"timestamp {timestamp} is negative")
    # The end of a half-open range cannot lie after the last timestamp there is.
    return min(timestamp, 2**63 - 2)
