"""Writes of an engine to a table."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from rowstone._base.lazy import import_optional
from rowstone._native import Increment
from rowstone.codecs import codec
from rowstone.engines._address import Endpoint, Target, check_choice
from rowstone.engines._schema import Field, RowSchema
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.table import Table

Mode = Literal["put", "delete", "increment"]

_ROW = ":row"


class Sink(Endpoint):
    """A table to write. It can be pickled unless it belongs to a database in memory or to an open directory.

    The engine's driver creates it once, and its tasks write with it. The timestamp is chosen at creation, so a task
    that runs twice writes the same cells. Increments have no such guard: a repeated task would add twice.

    Args:
        target: What `rowstone.connect` opens, or an open database. Tasks of several processes need a server: a
            directory is open for writing in one process only.
        table: The table's name.
        schema: Its columns. The batches must have the columns of the row key, and may have any others of the schema.
        mode: ``"put"`` writes the values; nulls write nothing. ``"delete"`` deletes the given columns of each row up to
            the timestamp, all columns of the schema if the batches have only the row key. ``"increment"`` adds the
            values, which need the codec ``int64``.
        timestamp: Milliseconds, for all cells; None takes the time of creation.
        options: Options of `rowstone.connect` for a cluster.
    """

    def __init__(
        self,
        target: Target,
        table: str,
        schema: RowSchema,
        *,
        mode: Mode = "put",
        timestamp: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        check_choice("mode", mode, get_args(Mode))
        super().__init__(target, table, schema, options)
        self._mode = mode
        self._timestamp = time.time_ns() // 1_000_000 if timestamp is None else timestamp

    @property
    def mode(self) -> Mode:
        """Put, delete or increment."""
        return self._mode

    @property
    def timestamp(self) -> int:
        """The timestamp of all cells, in milliseconds."""
        return self._timestamp

    def write(self, batches: Iterable[Any]) -> int:
        """Write batches (`pyarrow.RecordBatch` or tables) and return the number of rows.

        Raises:
            NotFoundError: A column is not in the schema. InvalidArgument: The row key is missing, or a value does not
                fit its column. Rows of earlier batches were written.
        """
        write = {"put": self._put, "delete": self._delete, "increment": self._increment}[self._mode]
        with self._address.open(writing=True) as table:
            return sum(write(table, batch) for batch in batches)

    def _put(self, table: Table, batch: Any) -> int:
        pyarrow = import_optional("pyarrow", "writing to a Sink", "arrow")
        fields = self._cells(batch)
        arrays = [pyarrow.array(self._rows(batch), pyarrow.binary()), *(batch.column(field.name) for field in fields)]
        columns = {field.name: field.column or b"" for field in fields}
        # The name of no column, because names of columns are text without a colon at the start.
        source = pyarrow.table(arrays, names=[_ROW, *columns])
        codecs = {field.column or b"": field.codec for field in fields}
        return table.put_frame(source, _ROW, columns, codecs=codecs, timestamp=self._timestamp)

    def _delete(self, table: Table, batch: Any) -> int:
        columns = [field.pair for field in self._cells(batch) or self._schema.cells]
        rows = self._rows(batch)
        with table.batch() as writer:
            for row in rows:
                writer.delete(row, columns, timestamp=self._timestamp)
        return len(rows)

    def _increment(self, table: Table, batch: Any) -> int:
        fields = self._cells(batch)
        for field in fields:
            if field.kind != "int64":
                raise InvalidArgument(f"column '{field.name}' has the codec {field.kind}: increments need int64")
        values = [batch.column(field.name).to_pylist() for field in fields]
        actions = []
        for row, *amounts in zip(self._rows(batch), *values, strict=True):
            pairs = [(field.pair, one) for field, one in zip(fields, amounts, strict=True) if one is not None]
            if pairs:
                actions.append(Increment(row, pairs))
        for found in table.multi(actions):
            if isinstance(found, Exception):
                raise found
        return len(batch)

    def _cells(self, batch: Any) -> list[Field]:
        """The columns of the batch other than those of the row key."""
        fields = [self._schema.field(name) for name in batch.schema.names]
        return [field for field in fields if field.column is not None]

    def _rows(self, batch: Any) -> list[bytes]:
        """The row keys of the batch."""
        for name in self._schema.key_names:
            if name not in batch.schema.names:
                raise InvalidArgument(f"the rows have no column '{name}', which is needed for the row key")
        parts = [batch.column(name).to_pylist() for name in self._schema.key_names]
        key = self._schema.key
        for name, values in zip(self._schema.key_names, parts, strict=True):
            if str(batch.column(name).type).startswith("timestamp"):
                _check_times(name, values)
        encode = codec(key).encode if isinstance(key, str) else key.encode
        return [encode(*values) for values in zip(*parts, strict=True)]


def _check_times(name: str, values: Iterable[Any]) -> None:
    """Refuse times that are no whole milliseconds: row keys drop the rest, so different rows would become one."""
    for value in values:
        if isinstance(value, datetime) and (value.microsecond % 1000 or getattr(value, "nanosecond", 0)):
            raise InvalidArgument(
                f"row {name}={value.isoformat()} is no whole millisecond, and row keys have milliseconds: "
                "round the times, or write them as text"
            )
