"""A table whose columns have codecs: typed values in, typed values out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack, cast

from rowstone import _native
from rowstone._base.blocking import check_blocking
from rowstone._base.delegated import DelegatedVerbs
from rowstone._base.options.words import CompareOperator, Form, ParquetCompression
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.codecs._batch import TypedBatch
from rowstone.codecs._declared import Codecs, declared
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    import os
    from datetime import datetime

    import pandas

    from rowstone._base.options.calls import (
        ArrowOptions,
        BatchOptions,
        ChangeOptions,
        CheckOptions,
        DeleteOptions,
        FrameOptions,
        FrameWriteOptions,
        GetOptions,
        PutOptions,
        ScanOptions,
    )
    from rowstone._core.table import Columns, RowKey, Table
    from rowstone.codecs._codec import CodecArgument
    from rowstone.keys import Key


class TypedRow(Mapping[bytes, Any]):
    """A decoded row: a mapping from column to newest value. Columns without a codec are bytes."""

    __slots__ = ("_codecs", "row")

    def __init__(self, row: _native.Row, codecs: Codecs) -> None:
        self.row = row
        """The row as it is stored."""
        self._codecs = codecs

    @property
    def key(self) -> bytes:
        """The row key."""
        return self.row.key

    def __getitem__(self, column: str | bytes | tuple[str | bytes, str | bytes]) -> Any:
        return _decoded(self._codecs, _column(column), self.row[column])

    def versions(self, column: str | bytes) -> list[tuple[int, Any]]:
        """Return pairs (timestamp, value) of a column, newest first."""
        name = _column(column)
        return [(cell.timestamp, _decoded(self._codecs, name, cell.value)) for cell in self.row.versions(column)]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.row)

    def __len__(self) -> int:
        return len(self.row)

    def __bool__(self) -> bool:
        return bool(self.row)

    def __repr__(self) -> str:
        shown = ", ".join(f"{printable(column)}: {self[column]!r}" for column in self)
        return f"{printable(self.key)} {{{shown}}}"


class TypedScan:
    """Rows of a scan, decoded as they are read: an iterator and a context manager. Created by `TypedTable.scan`."""

    def __init__(self, scanner: _native.Scanner, codecs: Codecs) -> None:
        self._scanner = scanner
        self._codecs = codecs

    def __iter__(self) -> Iterator[TypedRow]:
        return self

    def __next__(self) -> TypedRow:
        return TypedRow(next(self._scanner), self._codecs)

    def __repr__(self) -> str:
        return f"TypedScan({self._scanner!r}, {self._codecs!r})"

    def arrow(self, form: Form = "rows", **options: Unpack[ArrowOptions]) -> Any:
        """Return the rest of the scan as an Arrow stream, with these codecs; options as in `Scanner.arrow`."""
        return self._scanner.arrow(form, codecs=self._codecs, **options)

    def pandas(self, *, key: str | Key = "bytes", versions: bool = False) -> pandas.DataFrame:
        """Return the rest of the scan as a DataFrame: index ``row`` (bytes), columns typed by their codecs.

        Integers, floats, booleans and times use pandas' own dtypes, with `pandas.NA` (NaN, NaT) for missing values; all
        others are objects, with None. ``key`` and ``versions`` work as in `Scanner.pandas`.

        Raises:
            ImportError: It needs pandas. InvalidArgument: A value cannot be decoded by its codec.
        """
        return self._scanner.pandas(codecs=self._codecs, key=key, versions=versions)

    def polars(self, form: Form = "rows", **options: Unpack[FrameOptions]) -> Any:
        """Return the rest of the scan as a polars frame, with these codecs; options as in `Scanner.polars`."""
        return self._scanner.polars(form, codecs=self._codecs, **options)

    def duckdb(self, connection: Any = None, *, form: Form = "rows", **options: Unpack[FrameOptions]) -> Any:
        """Return the scan as a DuckDB relation, with these codecs; options as in `Scanner.duckdb`."""
        return self._scanner.duckdb(connection, form=form, codecs=self._codecs, **options)

    def to_parquet(
        self,
        path: str | os.PathLike[str],
        *,
        form: Form = "rows",
        key: str | Key = "bytes",
        versions: bool = False,
        compression: ParquetCompression = "zstd",
    ) -> int:
        """Write the rest of the scan to a Parquet file, with these codecs; options as in `Scanner.to_parquet`."""
        return self._scanner.to_parquet(
            path, form=form, codecs=self._codecs, key=key, versions=versions, compression=compression
        )

    def close(self) -> None:
        """End the scan. A second call does nothing."""
        self._scanner.close()

    def __enter__(self) -> TypedScan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class TypedTable(DelegatedVerbs):
    """A table of typed values, with the methods of `Table`. Created by `typed`.

    Prepared mutations (`Put`, `Delete` and others) contain bytes, and are written as they are.
    """

    def __init__(self, table: Table, codecs: Codecs) -> None:
        self._table = table
        self._codecs = codecs

    @property
    def table(self) -> Table:
        """The underlying table of bytes."""
        return self._table

    @property
    def codecs(self) -> Codecs:
        """The codecs, by column or family."""
        return self._codecs

    def put(self, row: RowKey, data: Any, **options: Unpack[PutOptions]) -> None:
        """Write typed values; ``data`` and options as in `Table.put`. If a value does not fit, nothing is written.

        Raises:
            InvalidArgument: A value does not fit its codec; the message names the column.
        """
        self._table.put(row, self._pairs(data), **options)

    def _encoded(self, item: tuple[Any, ...]) -> tuple[Any, ...]:
        column, value, *timestamp = item
        name = _column(column)
        found = self._codecs.of(name)
        if found is None:
            return item
        try:
            return (column, found.encode(value), *timestamp)
        except InvalidArgument as error:
            raise type(error)(f"column '{printable(name)}': {error}") from None

    def get(self, row: RowKey, columns: Columns | None = None, **options: Unpack[GetOptions]) -> TypedRow:
        """Return the row, empty if there is none; options as in `Table.get`."""
        return TypedRow(self._table.get(row, columns, **options), self._codecs)

    def value(self, row: RowKey, column: Any, default: Any = None) -> Any:
        """Return the newest value of one column, decoded, or ``default`` if there is none."""
        found = self._table.value(row, column)
        return default if found is None else _decoded(self._codecs, _column(column), found)

    def get_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Unpack[GetOptions]
    ) -> list[TypedRow]:
        """Return the rows; options as in `Table.get_many`."""
        return [TypedRow(row, self._codecs) for row in self._table.get_many(rows, columns, **options)]

    def scan(
        self, start: RowKey | None = None, stop: RowKey | None = None, **options: Unpack[ScanOptions]
    ) -> TypedScan:
        """Iterate over rows in order; options as in `Table.scan`."""
        return TypedScan(self._table.scan(start, stop, **options), self._codecs)

    def items(self) -> Iterator[tuple[bytes, TypedRow]]:
        """Iterate over pairs (row key, row) in order. Reads the whole table lazily."""
        with self.scan() as rows:
            for row in rows:
                yield row.key, row

    def keys(self) -> Iterator[bytes]:
        """Iterate over the row keys in order. Reads the whole table lazily."""
        return self._table.keys()

    def as_of(self, timestamp: int | datetime) -> TypedTable:
        """Return a read-only view of the table as it was; see `Table.as_of`."""
        return TypedTable(cast("Table", self._table.as_of(timestamp)), self._codecs)

    def exists(self, row: RowKey, columns: Columns | None = None, **options: Unpack[GetOptions]) -> bool:
        """Whether there is such a row; options as in `Table.exists`."""
        return self._table.exists(row, columns, **options)

    def exists_many(
        self, rows: Iterable[RowKey], columns: Columns | None = None, **options: Unpack[GetOptions]
    ) -> list[bool]:
        """Whether there are such rows; options as in `Table.exists_many`."""
        return self._table.exists_many(rows, columns, **options)

    def delete(self, row: RowKey, columns: Columns | None = None, **options: Unpack[DeleteOptions]) -> None:
        """Delete a row or columns; options as in `Table.delete`."""
        self._table.delete(row, columns, **options)

    def increment(self, row: RowKey, column: Any, amount: int | None = None, **options: Unpack[ChangeOptions]) -> Any:
        """Add ``amount``, 1 by default, and return the sum; several, and options, as in `Table.increment`.

        Works only for columns of 8 bytes, such as those with the codec ``int64``.
        """
        given = () if amount is None else (amount,)
        return self._typed(self._table.increment(row, column, *given, **options))

    def append(self, row: RowKey, column: Any, value: Any = None, **options: Unpack[ChangeOptions]) -> Any:
        """Append the encoded ``value`` and return the result, or the row of results; options as in `Table.append`.

        Only columns without a codec and those with the codecs ``text`` and ``bytes`` can be appended to.

        Raises:
            InvalidArgument: A column has another codec; nothing is written.
        """
        pairs = list(_items(column)) if value is None else [(column, value)]
        for name, *_ in pairs:
            codec = self._codecs.of(_column(name))
            if codec is not None and not codec.joins:
                raise InvalidArgument(
                    f"column '{printable(_column(name))}' has codec {codec.name!r}: appending to such a value would "
                    "make it unreadable; use check_and_mutate to replace it"
                )
        data = self._pairs(pairs)
        if value is None:
            return self._typed(self._table.append(row, data, **options))
        found = self._table.append(row, column, data[0][1], **options)
        return _decoded(self._codecs, _column(column), found) if isinstance(found, bytes) else self._typed(found)

    def check_and_mutate(
        self,
        row: RowKey,
        column: Any = None,
        operator: CompareOperator | None = None,
        value: Any = None,
        mutation: Any = None,
        **options: Unpack[CheckOptions],
    ) -> _native.CheckResult:
        """Apply a mutation if the column's typed value meets the condition; as `Table.check_and_mutate`.

        Operators of order need a codec whose bytes sort like its values: ``text``, ``bytes``, ``bool`` or unsigned
        integers. For ``int64`` and ``decimal``, pass ``filter=rs.column(name, codec) < 5``.

        Raises:
            InvalidArgument: The operator orders, and the column has another codec.
        """
        if value is not None and column is not None and operator not in ("EQUAL", "NOT_EQUAL", "=", "==", "!="):
            self._check_order(_column(column), operator)
        data = value if value is None or column is None else self._encoded((column, value))[1]
        return self._table.check_and_mutate(row, column, operator, data, mutation, **options)

    def _check_order(self, column: bytes, operator: str | None) -> None:
        codec = self._codecs.of(column)
        if codec is not None and not codec.sorts:
            raise InvalidArgument(
                f"operator {operator!r} compares bytes, and those of codec {codec.name!r} of column "
                f"'{printable(column)}' do not sort like its values; test for equality, or pass a filter: "
                "int64 and decimal have filter=rs.column(name, codec) < value"
            )

    def mutate_row(self, row: RowKey, mutations: Any) -> TypedRow:
        """Apply mutations of a row atomically; return results of increments and appends; see `Table.mutate_row`."""
        return TypedRow(self._table.mutate_row(row, mutations), self._codecs)

    def multi(self, actions: Iterable[Any]) -> list[TypedRow | Exception | None]:
        """Run gets and mutations of many rows; see `Table.multi`."""
        return [self._typed(found) for found in self._table.multi(actions)]

    def batch(self, **options: Unpack[BatchOptions]) -> TypedBatch:
        """Return a writer that buffers mutations; options as in `Table.batch`."""
        return TypedBatch(self._table.batch(**options), self._pairs)

    def rename_row(self, old: RowKey, new: RowKey, *, replace: bool = False) -> int:
        """Move a row to another key and return the number of cells; see `Table.rename_row`."""
        return self._table.rename_row(old, new, replace=replace)

    def _pairs(self, data: Any) -> list[tuple[Any, ...]]:
        return [self._encoded(item) for item in _items(data)]

    def _typed(self, found: Any) -> Any:
        return TypedRow(found, self._codecs) if isinstance(found, _native.Row) else found

    def put_frame(
        self,
        source: Any,
        row_column: str = "row",
        columns: Any = None,
        *,
        key: str | None = None,
        **options: Unpack[FrameWriteOptions],
    ) -> int:
        """Write a data frame or an Arrow stream with these codecs; options as in `Table.put_frame`."""
        return self._table.put_frame(source, row_column, columns, codecs=self._codecs, key=key, **options)

    def __repr__(self) -> str:
        return f"TypedTable({self._table!r}, {self._codecs!r})"


def typed(
    table: Table, codecs: Mapping[str, CodecArgument] | Mapping[bytes, CodecArgument] | None = None
) -> TypedTable:
    """Return a table of typed values, with its declared codecs or with ``codecs``.

    Args:
        codecs: By column (``"family:qualifier"``) or family, instead of the declared ones.

    Raises:
        InvalidArgument: A codec is unknown.

    Example:
        >>> import rowstone as rs
        >>> from rowstone import codecs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("people", ["f"])
        ...     people = codecs.typed(db.table("people"), {"f:age": "int64", "f:tags": "json"})
        ...     people.put("ada", {"f:age": 36, "f:tags": ["countess"], "f:raw": b"as it is"})
        ...     people.get("ada")
        ada {f:age: 36, f:raw: b'as it is', f:tags: ['countess']}
    """
    check_blocking("table", table)
    return TypedTable(table, declared(table.schema.attributes) if codecs is None else Codecs(codecs))


def _items(data: Any) -> Iterable[tuple[Any, ...]]:
    return data.items() if isinstance(data, Mapping) else data


def _column(column: Any) -> bytes:
    if isinstance(column, tuple):
        return as_bytes(column[0]) + b":" + as_bytes(column[1])
    return as_bytes(column)


def _decoded(codecs: Codecs, column: bytes, data: bytes) -> Any:
    found = codecs.of(column)
    if found is None:
        return data
    try:
        return found.decode(data)
    except InvalidArgument as error:
        raise type(error)(f"column '{printable(column)}': {error}") from None
