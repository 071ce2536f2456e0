"""`Batch`: puts and deletes that are sent together."""

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from types import TracebackType
from typing import TYPE_CHECKING, Any

import rowstone
from rowstone._base.options.words import Durability
from rowstone.happybase.errors import IllegalArgument, in_thrift_words
from rowstone.happybase.util import ensure_bytes
from rowstone.server.columns import split_column

if TYPE_CHECKING:
    from rowstone.happybase.table import Table


class _RowChanges:
    """The changes of a batch to one row. As in the gateway, the last change of a kind decides about the log for all."""

    def __init__(self) -> None:
        self.values: list[tuple[tuple[bytes, bytes], bytes]] = []
        self.deleted: list[tuple[bytes, bytes | None]] = []
        self.logs_values = self.logs_deletes = True


class Batch:
    """Puts and deletes, buffered until `send`; created by `Table.batch`.

    All puts of a batch are applied before all deletes, whatever their order, as in HBase's gateway. A batch is not
    atomic; each row of it is, puts and deletes apart.

    Source: happybase's ``Batch``; ``mutateRowsTs`` of HBase's ``ThriftHBaseServiceHandler``.
    """

    def __init__(
        self,
        table: "Table",
        timestamp: int | None = None,
        batch_size: int | None = None,
        transaction: bool = False,
        wal: bool = True,
    ) -> None:
        if not (timestamp is None or isinstance(timestamp, Integral)):
            raise TypeError("'timestamp' must be an integer or None")
        if batch_size is not None and transaction:
            raise TypeError("'transaction' cannot be used when 'batch_size' is specified")
        if batch_size is not None and batch_size <= 0:
            raise ValueError("'batch_size' must be > 0")
        self._table = table
        self._timestamp = timestamp
        self._batch_size = batch_size
        self._transaction = transaction
        self._wal = wal
        self._families: list[bytes] | None = None
        self._reset()

    def _reset(self) -> None:
        self._rows: dict[bytes, _RowChanges] = {}
        self._without_qualifier: bytes | None = None
        self._mutation_count = 0

    def put(self, row: str | bytes, data: Mapping[Any, Any], wal: bool | None = None) -> None:
        """Buffer the columns of ``data`` for ``row``, and send the batch when ``batch_size`` columns are reached."""
        changes = self._changes(row)
        for column, value in data.items():
            family, qualifier = split_column(column)
            if qualifier is None:
                self._without_qualifier = family
            else:
                changes.values.append(((family, qualifier), b"" if value is None else value))
            changes.logs_values = self._wal if wal is None else wal
        self._count(len(data))

    def delete(self, row: str | bytes, columns: Sequence[str | bytes] | None = None, wal: bool | None = None) -> None:
        """Buffer the deletion of columns or families of ``row``; of all families if ``columns`` is None."""
        if columns is None:
            if self._families is None:
                self._families = self._table._column_family_names()
            columns = self._families
        elif isinstance(columns, (str, bytes)):
            raise TypeError("'columns' must be a tuple or list")
        changes = self._changes(row)
        for column in columns:
            changes.deleted.append(split_column(column))
            changes.logs_deletes = self._wal if wal is None else wal
        self._count(len(columns))

    def _changes(self, row: str | bytes) -> _RowChanges:
        return self._rows.setdefault(ensure_bytes(row), _RowChanges())

    def _count(self, added: int) -> None:
        self._mutation_count += added
        if self._batch_size and self._mutation_count >= self._batch_size:
            self.send()

    @in_thrift_words
    def send(self) -> None:
        """Write the buffered changes, and clear the buffer.

        Raises:
            IllegalArgument: A column to put has no qualifier; nothing was written.
            IOError: A row could not be written. Other puts were; deletes are only tried if all puts were written.
                The buffer is kept for another try.
        """
        if not self._rows:
            return
        if self._without_qualifier is not None:
            raise without_qualifier(self._without_qualifier)
        puts, deletes = list(self._puts()), list(self._deletes())
        table = self._table._native()
        for actions in (puts, deletes):
            for result in table.multi(actions) if actions else ():
                if isinstance(result, Exception):
                    raise result
        self._reset()

    def _puts(self) -> Iterator[rowstone.Put]:
        for row, changes in self._rows.items():
            if changes.values:
                yield rowstone.Put(
                    row, changes.values, timestamp=self._timestamp, durability=_durability(changes.logs_values)
                )

    def _deletes(self) -> Iterator[rowstone.Delete]:
        for row, changes in self._rows.items():
            if changes.deleted:
                delete = rowstone.Delete(row, durability=_durability(changes.logs_deletes))
                for family, qualifier in changes.deleted:
                    if qualifier is None:
                        delete = delete.add_family(family, self._timestamp)
                    else:
                        delete = delete.add_columns((family, qualifier), self._timestamp)
                yield delete

    def __enter__(self) -> "Batch":
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if exc_type is None or not self._transaction:
            self.send()


def without_qualifier(family: bytes) -> IllegalArgument:
    """Return the error of a put to a family without a column."""
    message = b"java.lang.IllegalArgumentException: a put needs a qualifier, and has only the family "
    return IllegalArgument(message + family)


def _durability(wal: bool) -> Durability | None:
    return None if wal else "SKIP_WAL"
