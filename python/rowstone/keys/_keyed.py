"""A table whose row keys are formed by a `Key`: rows are put, found and scanned by values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Unpack, cast

from rowstone._base.blocking import check_blocking
from rowstone._base.delegated import DelegatedVerbs
from rowstone._base.options.checks import check_list
from rowstone._base.options.words import CompareOperator
from rowstone._base.schema import pair_of
from rowstone.errors import InvalidArgument
from rowstone.keys._batch import KeyedBatch
from rowstone.keys._frames import put_frame
from rowstone.keys._merge import KeyedScan

if TYPE_CHECKING:
    from datetime import datetime

    from rowstone import _native
    from rowstone._base.options.calls import (
        BatchOptions,
        ChangeOptions,
        CheckOptions,
        DeleteOptions,
        FrameWriteOptions,
        GetOptions,
        KeyedScanOptions,
        PutOptions,
    )
    from rowstone._core.table import Columns, Table
    from rowstone.keys._key import Key


Values = Mapping[str, Any] | tuple[Any, ...]
"""The values of a key: by name, or all of them in order."""

_BY_KEY = ("start", "stop", "prefix", "include_start", "include_stop", "batch")


class KeyedTable(DelegatedVerbs):
    """A table addressed by the values of its keys. Buckets are hidden: a scan reads all of them.

    It has the methods of `Table`, with values in place of row keys. Prepared mutations (`Put`, `Delete`, …) name their
    rows by bytes: ``key.encode(values)``.

    Args:
        table: A table of a directory or a cluster.
        key: The format of its row keys. A scan that meets a row key of another format raises `InvalidArgument`.

    Example:
        >>> import rowstone as rs
        >>> from rowstone.keys import Key, KeyedTable, salt, text, time
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("log", ["d"])
        ...     log = KeyedTable(db.table("log"), Key(salt(4), time("at"), text("host")))
        ...     for at in (30, 10, 20):
        ...         _ = log.put({"at": at, "host": "web1"}, {"d:event": "start"})
        ...     [values.at for values, row in log.scan({"at": (10, 30)})]
        [10, 20]
    """

    def __init__(self, table: Table, key: Key) -> None:
        check_blocking("table", table)
        self._table = table
        self._key = key

    @property
    def table(self) -> Table:
        """The table."""
        return self._table

    @property
    def key(self) -> Key:
        """The format of its row keys."""
        return self._key

    def put(self, values: Values, data: Any, **options: Unpack[PutOptions]) -> bytes:
        """Write a row and return its row key; ``data`` and options as in `Table.put`."""
        row = self._key.encode(values)
        self._table.put(row, data, **options)
        return row

    def delete(self, values: Values, columns: Columns | None = None, **options: Unpack[DeleteOptions]) -> None:
        """Delete the row of these values, in any bucket; options as in `Table.delete`."""
        for row in self._key.candidates(values):
            self._table.delete(row, columns, **options)

    def get(self, values: Values, columns: Columns | None = None, **options: Unpack[GetOptions]) -> _native.Row:
        """Return the row of these values, empty if there is none; options as in `Table.get`.

        This is one get. With `rowstone.keys.round_robin` it is one multi-get of all buckets, and returns the row of the
        first bucket that has one.
        """
        return self.get_many([values], columns, **options)[0]

    def value(self, values: Values, column: Any, default: Any = None) -> Any:
        """Return the newest value of one column of the row of these values, or ``default`` if there is none."""
        pair = pair_of(column)
        return self.get(values, [pair]).get(pair, default)

    def get_many(
        self, many: Iterable[Values], columns: Columns | None = None, **options: Unpack[GetOptions]
    ) -> list[_native.Row]:
        """Return the rows of these values, in order, by one multi-get; options as in `Table.get_many`."""
        check_list("many", many)
        candidates = [self._key.candidates(values) for values in many]
        rows = iter(self._table.get_many([row for rows in candidates for row in rows], columns, **options))
        found = [[next(rows) for _ in each] for each in candidates]
        return [next((row for row in each if row), each[0]) for each in found]

    def exists(self, values: Values, columns: Columns | None = None, **options: Unpack[GetOptions]) -> bool:
        """Whether there is a row of these values; options as in `Table.exists`."""
        return any(self._table.exists_many(self._key.candidates(values), columns, **options))

    def exists_many(
        self, many: Iterable[Values], columns: Columns | None = None, **options: Unpack[GetOptions]
    ) -> list[bool]:
        """Whether there are rows of these values, by one multi-get; options as in `Table.exists_many`."""
        check_list("many", many)
        candidates = [self._key.candidates(values) for values in many]
        found = iter(self._table.exists_many([row for rows in candidates for row in rows], columns, **options))
        by_row = [[next(found) for _ in each] for each in candidates]
        return [any(each) for each in by_row]

    def increment(
        self, values: Values, column: Any, amount: int | None = None, **options: Unpack[ChangeOptions]
    ) -> Any:
        """Add ``amount``, 1 by default, to a number and return the sum; several, and options, as `Table.increment`."""
        given = () if amount is None else (amount,)
        return self._table.increment(self._row_of(values), column, *given, **options)

    def append(self, values: Values, column: Any, value: Any = None, **options: Unpack[ChangeOptions]) -> Any:
        """Append to a value and return the result; options as in `Table.append`."""
        return self._table.append(self._row_of(values), column, value, **options)

    def check_and_mutate(
        self,
        values: Values,
        column: Any = None,
        operator: CompareOperator | None = None,
        value: Any = None,
        mutation: Any = None,
        **options: Unpack[CheckOptions],
    ) -> _native.CheckResult:
        """Apply a mutation of this row if the condition holds; as `Table.check_and_mutate`."""
        return self._table.check_and_mutate(self._row_of(values), column, operator, value, mutation, **options)

    def mutate_row(self, values: Values, mutations: Any) -> _native.Row:
        """Apply mutations of this row atomically; see `Table.mutate_row`."""
        return self._table.mutate_row(self._row_of(values), mutations)

    def multi(self, actions: Iterable[Any]) -> list[_native.Row | Exception | None]:
        """Run gets and mutations of many rows, named by bytes; see `Table.multi`."""
        return self._table.multi(actions)

    def batch(self, **options: Unpack[BatchOptions]) -> KeyedBatch:
        """Return a writer that buffers puts and deletes by values; options as in `Table.batch`."""
        return KeyedBatch(self._table.batch(**options), self._key)

    def as_of(self, timestamp: int | datetime) -> KeyedTable:
        """Return a read-only view of the table as it was; see `Table.as_of`."""
        return KeyedTable(cast("Table", self._table.as_of(timestamp)), self._key)

    def keys(self) -> Iterator[Any]:
        """Iterate over the key values of all rows, in the order of `scan`. Reads the whole table lazily."""
        with self.scan(cells_per_family=1) as rows:
            for values, _ in rows:
                yield values

    def items(self) -> Iterator[tuple[Any, _native.Row]]:
        """Iterate over pairs (values, row) of all rows, in the order of `scan`."""
        with self.scan() as rows:
            yield from rows

    def put_frame(
        self,
        source: Any,
        columns: Any = None,
        *,
        codecs: Mapping[str, Any] | Mapping[bytes, Any] | None = None,
        **options: Unpack[FrameWriteOptions],
    ) -> int:
        """Write a data frame or an Arrow stream; its columns with the names of the key's parts form the row keys.

        Needs pyarrow. ``columns`` and options as in `Table.put_frame`; by default all columns except those of the key.

        Raises:
            InvalidArgument: Values do not fit the key: the message names the row, from 0, and the rows before it were
                written. Or as `Table.put_frame`.
        """
        return put_frame(self._table, source, self._key, columns, codecs=codecs, **options)

    def rename_row(self, old: Values, new: Values, *, replace: bool = False) -> int:
        """Another name of `rename`, the one that `Table` uses."""
        return self.rename(old, new, replace=replace)

    def _row_of(self, values: Values) -> bytes:
        """Return the row key of the row with these values, or of a new one. Reads first with `round_robin`."""
        rows = self._key.candidates(values)
        if len(rows) == 1:
            return rows[0]
        is_there = self._table.exists_many(rows)
        return next((row for row, found in zip(rows, is_there, strict=True) if found), self._key.encode(values))

    def scan(
        self,
        where: Mapping[str, Any] | None = None,
        *,
        limit: int | None = None,
        reverse: bool = False,
        **options: Unpack[KeyedScanOptions],
    ) -> KeyedScan:
        """Iterate over pairs (values, row) of the matching rows, sorted by the key without its bucket.

        One scan per bucket that may contain such rows, merged while they are read. All scans start now and keep their
        resources until the end or `close`; use it in a ``with`` statement.

        Args:
            where: As in `Key.range`: single values of the first parts, for the next one a pair (from, to) or
                `rowstone.keys.startswith`; by default all rows.
            limit: Maximum number of rows of all buckets together.
            reverse: From the last key to the first.
            options: As in `Table.scan`, except those that select rows by their keys. Filters, and limits within
                filters, apply to each bucket separately.

        Raises:
            InvalidArgument: As `Key.range`; an option that selects rows by key.
        """
        for name in _BY_KEY:
            if name in options:
                raise InvalidArgument(f"'{name}' cannot be combined with a key: choose rows by where={{part: value}}")
        return KeyedScan(self._table, self._key, self._key.ranges(where or {}), limit, reverse, options)

    def rename(self, old: Values, new: Values, *, replace: bool = False) -> int:
        """Move a row to the key of other values and return the number of cells; see `Table.rename_row`."""
        found = [row for row in self._key.candidates(old) if self._table.exists(row)]
        return self._table.rename_row(
            found[0] if found else self._key.candidates(old)[0], self._key.encode(new), replace=replace
        )

    def __repr__(self) -> str:
        return f"KeyedTable({self._table!r}, {self._key!r})"
