"""The format ``rowstone``: from the options of a read or write to a reader or a writer.

Spark creates the object in a Python process of its own, on the driver's machine. It has no objects of the program, and
opens tables by URL or directory.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rowstone._base.lazy import SPARK
from rowstone.codecs import declared
from rowstone.engines._address import Address
from rowstone.engines._schema import RowSchema
from rowstone.engines._source import Source
from rowstone.engines.spark._options import Options, parse
from rowstone.engines.spark._reading import FilteredReading, Reading
from rowstone.engines.spark._types import codecs_of, struct_of
from rowstone.engines.spark._writing import StreamWriting, Writing
from rowstone.engines.writing.sink import Sink
from rowstone.errors import InvalidArgument, UnsupportedOperation

_LOG = logging.getLogger("rowstone.engines")


class Format:
    """The methods of Spark's ``DataSource``."""

    options: Mapping[str, str]

    @classmethod
    def name(cls) -> str:
        """The name for ``spark.read.format``."""
        return "rowstone"

    @cached_property
    def _parsed_options(self) -> Options:
        return parse(dict(self.options))

    def schema(self) -> Any:
        """The ``StructType`` of the columns, for a read without ``.schema(…)``."""
        return struct_of(self._schema_of(None), self._parsed_options.columns)

    def reader(self, schema: Any) -> Any:
        """A reader of the columns of ``schema``."""
        given = self._parsed_options
        source = Source(given.url, given.table, self._schema_of(schema), on_error=given.on_error, options=given.connect)
        source.schema.arrow(schema.fieldNames())
        reading = FilteredReading if given.pushdown else Reading
        return SPARK.derive(reading, "DataSourceReader")(source, schema, given.where)

    def writer(self, schema: Any, overwrite: bool) -> Any:
        """A writer of rows of ``schema``. Raises `UnsupportedOperation` for mode ``"overwrite"``."""
        return SPARK.derive(Writing, "DataSourceArrowWriter")(self._sink(schema, overwrite))

    def streamWriter(self, schema: Any, overwrite: bool) -> Any:
        """A writer of micro-batches.

        Raises `UnsupportedOperation` for increments, for bulk loads, and for output mode "complete".
        """
        sink = self._sink(schema, overwrite)
        if sink.is_staged:
            raise UnsupportedOperation("a stream has no bulk load: leave out staging_dir, or write in foreachBatch")
        if sink.mode == "increment":
            raise UnsupportedOperation(
                "a stream may repeat a micro-batch, which would add twice: write totals with mode 'put'"
            )
        return SPARK.derive(StreamWriting, "DataSourceStreamArrowWriter")(sink)

    def _sink(self, schema: Any, overwrite: bool) -> Sink:
        given = self._parsed_options
        if overwrite:
            raise UnsupportedOperation(
                f"table '{given.table}' is not truncated: use mode 'append', which replaces cells of the same row and "
                "column"
            )
        if "://" not in given.url and given.staging_dir is None:
            raise InvalidArgument(
                f"'{given.url}' is a directory, which one process opens for writing: serve it with rowstone.serve(db), "
                "and use the server's URL; or bulk load into it with staging_dir"
            )
        sink = Sink(
            given.url,
            given.table,
            self._schema_of(schema),
            mode=given.mode,
            timestamp=given.timestamp,
            options=given.connect,
            staging_dir=given.staging_dir,
        )
        sink.schema.arrow(schema.fieldNames())
        return sink

    def _schema_of(self, struct: Any) -> RowSchema:
        """The table's columns: those of the options; else the declared ones, with those of ``struct``; else a guess."""
        given = self._parsed_options
        if given.schema is not None:
            return given.schema
        with Address(given.url, given.table, given.connect).open() as table:
            codecs = declared(table.schema.attributes)
            columns: dict[str, Any] = {name.decode(): one.name for name, one in codecs.items() if b":" in name}
            if not columns and struct is None:
                found = RowSchema.infer(table, key=given.key)
                _LOG.info("columns of table '%s', guessed from a sample:\n%s", given.table, found)
                return found.schema
        key = RowSchema(given.key, {"f:q": "text"}).key_names
        more = {} if struct is None else codecs_of(struct, (*key, *columns))
        return RowSchema(given.key, columns | more)
