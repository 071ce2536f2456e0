"""Writes of an engine to a table."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from rowstone import _native
from rowstone._base.lazy import import_optional
from rowstone.codecs import codec
from rowstone.engines._address import Endpoint, Target, check_choice
from rowstone.engines._schema import Field, RowSchema
from rowstone.engines.reading.decode import check_fit
from rowstone.engines.writing.staging import Staged, Staging
from rowstone.errors import InvalidArgument, InvalidType

if TYPE_CHECKING:
    from rowstone._core.table import Table

Mode = Literal["put", "delete", "increment"]

_ROW = ":row"
_PLAIN_KEYS = ("text", "bytes")
_PLAIN_TYPES = ("string", "large_string", "binary", "large_binary")


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
        options: Options of `rowstone.connect` for a cluster. ``storage_options`` are those of ``staging_dir``.
        staging_dir: Write store files to this folder and bulk load them, instead of sending puts to the servers. Only
            for mode ``"put"``. A path or URL that all tasks and all servers have: a shared file system, or an object
            store that is also HBase's. The servers must be allowed to move the files.

    Source of bulk loads: HBase's ``HFileOutputFormat2`` and ``BulkLoadHFiles``.

    Example:
        >>> import tempfile, pyarrow
        >>> import rowstone as rs
        >>> from rowstone.engines import RowSchema, Sink
        >>> rows = pyarrow.table({"row": ["ann", "bob"], "age": pyarrow.array([41, 17], "int32")})
        >>> with tempfile.TemporaryDirectory() as folder, rs.connect(":memory:") as db:
        ...     _ = db.create_table("people", ["f"])
        ...     sink = Sink(db, "people", RowSchema("text", {"age": ("f:age", "int32")}), staging_dir=folder)
        ...     print(sink.write([rows]), db.table("people").get("bob")["f:age"])
        2 b'\\x00\\x00\\x00\\x11'
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
        staging_dir: str | os.PathLike[str] | None = None,
    ) -> None:
        check_choice("mode", mode, get_args(Mode))
        if staging_dir is not None and mode != "put":
            raise InvalidArgument(f"mode '{mode}' has no bulk load: leave out staging_dir")
        given = dict(options or {})
        self._staging: Staging | None = None
        if staging_dir is not None:
            self._staging = Staging(os.fspath(staging_dir), given.pop("storage_options", None))
        super().__init__(target, table, schema, given)
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

    def write(self, batches: Any) -> int:
        """Write batches (`pyarrow.RecordBatch` or tables, one or several) and return the number of rows.

        With a ``staging_dir``, this is `stage` and `load`.

        Raises:
            NotFoundError: A column is not in the schema. InvalidArgument: The row key is missing, or a value does not
                fit its column. InvalidType: It is no batch. Rows of earlier batches were written.
        """
        if self._staging is not None:
            try:
                staged = self.stage(batches)
            except BaseException:
                self.discard([])
                raise
            return self.load([staged])
        write = {"put": self._put, "delete": self._delete, "increment": self._increment}[self._mode]
        with self._address.open(writing=True) as table:
            return sum(write(table, batch) for batch in _batches(batches))

    @property
    def is_staged(self) -> bool:
        """Whether it has a ``staging_dir``."""
        return self._staging is not None

    def prepare(self) -> None:
        """Create the folder of the write in ``staging_dir``. For drivers: tasks that begin after `discard` then fail.

        Raises:
            InvalidArgument: There is no ``staging_dir``.
        """
        self._needed_staging().prepare()

    def stage(self, batches: Any) -> Staged:
        """Write batches to store files in ``staging_dir``. For tasks: the driver passes the results to `load`.

        The rows of a task are sorted in memory, at most 256 MiB of them at a time. There is a file for each family and
        region, with the encoding, compression and Bloom filter of the family. More rows make more files. If rows have
        the same cell, the last one counts, but either value may stay if they are in different files. As in HBase,
        the size of a cell in a file is not limited as that of a put is.

        Raises:
            InvalidArgument: There is no ``staging_dir``. Or as `write`.
        """
        staging = self._needed_staging()
        with self._address.open_database() as db:
            return staging.stage(
                db, self.table, lambda files: sum(self._add(files, batch) for batch in _batches(batches))
            )

    def load(self, staged: Iterable[Staged]) -> int:
        """Bulk load what tasks have staged; return the number of rows. For the driver, once: the files are removed.

        Raises:
            Errors of `Tables.bulk_load`: regions of a cluster may have taken their files. The same write with the same
                timestamp completes it.
        """
        staging, done = self._needed_staging(), list(staged)
        try:
            with self._address.open_database(writing=True) as db:
                return staging.load(db, self.table, done)
        finally:
            staging.remove(done)

    def discard(self, staged: Iterable[Staged]) -> None:
        """Remove the files of tasks, without loading them. Object stores keep the files of tasks that failed."""
        self._needed_staging().remove(staged)

    def _needed_staging(self) -> Staging:
        if self._staging is None:
            raise InvalidArgument("the sink has no staging_dir")
        return self._staging

    def _put(self, table: Table, batch: Any) -> int:
        source, fields = self._frame(batch)
        columns = {field.name: field.column or b"" for field in fields}
        codecs = {field.column or b"": field.codec for field in fields}
        return table.put_frame(source, _ROW, columns, codecs=codecs, key=self._key_codec, timestamp=self._timestamp)

    def _add(self, files: _native.SortedFiles, batch: Any) -> int:
        """Add the rows of a batch to store files."""
        source, fields = self._frame(batch)
        if not fields:
            raise InvalidArgument("the rows have no columns but those of the row key, so there is nothing to write")
        targets: list[tuple[int, str | None, bytes, bytes]]
        targets = [(place, field.codec, *field.pair) for place, field in enumerate(fields, 1)]
        return _native.FrameSource(source).write_files(files, (0, self._key_codec), targets, self._timestamp)

    @property
    def _key_codec(self) -> str | None:
        """The codec that checks encoded row keys: text must be UTF-8."""
        return "text" if self._schema.key == "text" else None

    def _frame(self, batch: Any) -> tuple[Any, list[Field]]:
        """The batch with the row keys as its first column, and the fields of the others."""
        pyarrow = import_optional("pyarrow", "writing to a Sink", "arrow")
        fields = self._cells(batch)
        keys = self._key_array(pyarrow, batch)
        for field in fields:
            check_fit(batch, self._schema, field)
        arrays = [keys, *(batch.column(field.name) for field in fields)]
        # The name of no column, because names of columns are text without a colon at the start.
        return pyarrow.table(arrays, names=[_ROW, *(field.name for field in fields)]), fields

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
                actions.append(_native.Increment(row, pairs))
        for found in table.multi(actions):
            if isinstance(found, Exception):
                raise found
        return len(batch)

    def _cells(self, batch: Any) -> list[Field]:
        """The columns of the batch other than those of the row key."""
        fields = [self._schema.field(name) for name in batch.schema.names]
        return [field for field in fields if field.column is not None]

    def _key_array(self, pyarrow: Any, batch: Any) -> Any:
        """The row keys of the batch as an array. Keys that are text or bytes already are not converted."""
        [name, *others] = self._schema.key_names
        if self._schema.key in _PLAIN_KEYS and not others and name in batch.schema.names:
            column = batch.column(name)
            if str(column.type) in _PLAIN_TYPES and not column.null_count:
                return column
        return pyarrow.array(self._rows(batch), pyarrow.binary())

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


def _batches(batches: Any) -> Iterator[Any]:
    """Iterate over batches, of which there may be one alone. Raises `InvalidType` for other objects."""
    pyarrow = import_optional("pyarrow", "writing to a Sink", "arrow")
    kinds = (pyarrow.Table, pyarrow.RecordBatch)
    # Iterating over a frame or a dict gives the names of its columns.
    is_one = isinstance(batches, (*kinds, str, bytes, Mapping)) or hasattr(batches, "columns")
    for batch in batches if isinstance(batches, Iterable) and not is_one else [batches]:
        if not isinstance(batch, kinds):
            raise InvalidType(
                f"a Sink writes a pyarrow.Table, a RecordBatch, or several of them, not {type(batch).__name__}; "
                "convert a frame with pyarrow.table(frame)"
            )
        yield batch


def _check_times(name: str, values: Iterable[Any]) -> None:
    """Refuse times that are no whole milliseconds: row keys drop the rest, so different rows would become one."""
    for value in values:
        if isinstance(value, datetime) and (value.microsecond % 1000 or getattr(value, "nanosecond", 0)):
            raise InvalidArgument(
                f"row {name}={value.isoformat()} is no whole millisecond, and row keys have milliseconds: "
                "round the times, or write them as text"
            )
