"""`Table`: rows, cells, scans, changes and counters under happybase's names."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any

import rowstone
from rowstone.errors import RowstoneError, TableNotFound
from rowstone.happybase._scan import check_columns, options_of, row_dict, scan_options
from rowstone.happybase._schema import described, region_described
from rowstone.happybase.batch import Batch, without_qualifier
from rowstone.happybase.errors import in_thrift_words, raise_translated
from rowstone.happybase.util import ensure_bytes
from rowstone.server.columns import columns_of, one_column, split_column

if TYPE_CHECKING:
    from rowstone.happybase.connection import Connection

_pack_long = Struct(">q").pack


class Table:
    """A table by its name, which need not exist; created by `Connection.table`.

    ``str`` is accepted for bytes (UTF-8); bytes come out. A ``columns`` argument is a list or tuple of families and
    columns, ``b"cf"`` or ``b"cf:qualifier"``; ``b"cf:"`` is the column with the empty qualifier. A ``timestamp`` of a
    read returns strictly older cells. A missing row is ``{}``.

    Raises:
        IOError: The table is missing or disabled, a family is unknown, or the store failed; ``__cause__`` says which.
        TTransportException: The connection is not open.

    Source: happybase's ``Table``.
    """

    def __init__(self, name: bytes, connection: "Connection") -> None:
        self.name = name
        self.connection = connection

    def __repr__(self) -> str:
        return f"<{__name__}.{type(self).__name__} name={self.name!r}>"

    def _native(self) -> rowstone.Table:
        return self.connection.database.table(self.name.decode())

    @in_thrift_words
    def families(self) -> dict[bytes, dict[str, Any]]:
        """Return the families by name, each with its settings in Thrift's names."""
        families = self._native().schema.families
        return {name: described(name, family) for name, family in families.items()}

    @in_thrift_words
    def _column_family_names(self) -> list[bytes]:
        return list(self._native().schema.families)

    @in_thrift_words
    def regions(self) -> list[dict[str, Any]]:
        """Return the regions in start key order; none if the table is missing."""
        try:
            regions = self.connection.database.admin.regions.list(self.name.decode())
        except TableNotFound:
            return []
        return [region_described(region) for region in regions]

    @in_thrift_words
    def row(
        self,
        row: str | bytes,
        columns: Sequence[str | bytes] | None = None,
        timestamp: int | None = None,
        include_timestamp: bool = False,
    ) -> dict[bytes, Any]:
        """Return the row's columns with their newest values, or with pairs (value, timestamp)."""
        check_columns(columns)
        options = options_of(timestamp)
        return row_dict(self._native().get(row, columns_of(columns), **options), include_timestamp)

    @in_thrift_words
    def rows(
        self,
        rows: Sequence[str | bytes],
        columns: Sequence[str | bytes] | None = None,
        timestamp: int | None = None,
        include_timestamp: bool = False,
    ) -> "list[tuple[bytes, dict[bytes, Any]]] | dict[bytes, Any]":
        """Pairs (key, row) of the existing ``rows``, in the requested order; ``{}`` if none are requested."""
        check_columns(columns)
        if not rows:
            return {}
        options = options_of(timestamp)
        found = self._native().get_many(rows, columns_of(columns), **options)
        return [(row.key, row_dict(row, include_timestamp)) for row in found if row]

    @in_thrift_words
    def cells(
        self,
        row: str | bytes,
        column: str | bytes,
        versions: int | None = None,
        timestamp: int | None = None,
        include_timestamp: bool = False,
    ) -> list[Any]:
        """Return the versions of a column or family, newest first: values, or pairs (value, timestamp)."""
        if versions is not None and not isinstance(versions, int):
            raise TypeError("'versions' argument must be a number or None")
        if versions is not None and versions < 1:
            raise ValueError("'versions' argument must be at least 1 (or None)")
        options = options_of(timestamp)
        found = self._native().get(row, [one_column(column)], versions=versions, **options)
        return [(cell.value, cell.timestamp) if include_timestamp else cell.value for cell in found.cells]

    def scan(
        self,
        row_start: str | bytes | None = None,
        row_stop: str | bytes | None = None,
        row_prefix: str | bytes | None = None,
        columns: Sequence[str | bytes] | None = None,
        filter: Any = None,
        timestamp: int | None = None,
        include_timestamp: bool = False,
        batch_size: int = 1000,
        scan_batching: int | None = None,
        limit: int | None = None,
        sorted_columns: bool = False,
        reverse: bool = False,
    ) -> Iterator[tuple[bytes, dict[bytes, Any]]]:
        """Pairs (key, row) from ``row_start`` (inclusive) to ``row_stop`` (exclusive), as a lazy generator.

        Args:
            row_prefix: Only rows whose keys have this prefix; instead of start and stop.
            filter: Text in HBase's filter language, or a filter for `rowstone.Table.scan`.
            batch_size: Maximum rows per server response; without effect in a directory.
            scan_batching: Maximum cells per result; a wide row is returned in pieces.
            limit: Maximum number of results; each piece of a row counts.
            sorted_columns: Return rows as `OrderedDict`. Columns are always sorted.
            reverse: Descending order: ``row_start`` is the larger key.

        As in happybase, nothing is checked or read before the first row is requested.

        Raises:
            TypeError: A prefix with a start or stop. ValueError: A size below 1.
            NotImplementedError: The connection's ``compat`` is older than the argument.
        """
        # A generator even for wrong arguments: happybase raises the error during iteration.
        options = scan_options(
            self.connection.compat,
            row_start=row_start,
            row_stop=row_stop,
            row_prefix=row_prefix,
            columns=columns,
            filter=filter,
            timestamp=timestamp,
            batch_size=batch_size,
            scan_batching=scan_batching,
            limit=limit,
            sorted_columns=sorted_columns,
            reverse=reverse,
        )
        count = 0
        try:
            with self._native().scan(**options) as rows:
                for row in rows:
                    data = row_dict(row, include_timestamp)
                    yield row.key, OrderedDict(data) if sorted_columns else data
                    count += 1
                    if count == limit:
                        return
        except RowstoneError as error:
            raise_translated(error)
            raise

    def put(self, row: str | bytes, data: Mapping[Any, Any], timestamp: int | None = None, wal: bool = True) -> None:
        """Write columns of a row; ``wal=False`` skips the log: a crash loses changes that were not flushed."""
        with self.batch(timestamp=timestamp, wal=wal) as batch:
            batch.put(row, data)

    def delete(
        self,
        row: str | bytes,
        columns: Sequence[str | bytes] | None = None,
        timestamp: int | None = None,
        wal: bool = True,
    ) -> None:
        """Delete columns or families of a row, or all of it; up to and including ``timestamp``, if given."""
        with self.batch(timestamp=timestamp, wal=wal) as batch:
            batch.delete(row, columns)

    def batch(
        self,
        timestamp: int | None = None,
        batch_size: int | None = None,
        transaction: bool = False,
        wal: bool = True,
    ) -> Batch:
        """Create a `Batch` of puts and deletes.

        Args:
            timestamp: Timestamp of all its puts and deletes.
            batch_size: Send whenever this many columns are buffered.
            transaction: Send nothing when the ``with`` block ends with an exception; otherwise the buffer is sent
                even then. Not together with ``batch_size``.
        """
        return Batch(self, timestamp, batch_size, transaction, wal)

    def counter_get(self, row: str | bytes, column: str | bytes) -> int:
        """Return the counter's value; a missing counter is created with 0."""
        return self.counter_inc(row, column, value=0)

    @in_thrift_words
    def counter_set(self, row: str | bytes, column: str | bytes, value: int = 0) -> None:
        """Set a counter; to change one use `counter_inc`, which is atomic. ``column`` needs a qualifier."""
        family, qualifier = split_column(column)
        if qualifier is None:
            raise without_qualifier(family)
        pair = family, qualifier
        put = rowstone.Put(row, {pair: _pack_long(value)})
        # Increments that are quicker than the clock are ahead of it; a plain put would be hidden behind them. A put
        # under a condition is not: here that there is a value.
        if not self._native().check_and_mutate(row, pair, "NOT_EQUAL", None, put):
            self._native().mutate_row(row, [put])

    @in_thrift_words
    def counter_inc(self, row: str | bytes, column: str | bytes, value: int = 1) -> int:
        """Add ``value`` atomically and return the counter's new value; a missing counter counts as 0."""
        return self._native().increment(row, _with_colon(column), value)

    def counter_dec(self, row: str | bytes, column: str | bytes, value: int = 1) -> int:
        """Subtract ``value`` atomically and return the counter's new value."""
        return self.counter_inc(row, column, -value)


def _with_colon(column: str | bytes) -> bytes:
    """A column name; a family alone means its empty qualifier, as in the gateway's increment."""
    name = ensure_bytes(column)
    return name if b":" in name else name + b":"
