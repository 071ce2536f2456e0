"""Parquet files, written a row group at a time: for `Scanner.to_parquet` and for `rowstone.jobs.export_table`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, get_args

from rowstone._base.lazy import import_optional
from rowstone._base.options.words import ParquetCompression
from rowstone.errors import InvalidArgument

COMPRESSION: ParquetCompression = "zstd"
"""The default of all Parquet files: rows of text take about a third of the bytes of pyarrow's default, snappy."""

GROUP_ROWS = 131_072
"""Maximum number of rows in a row group."""


class ParquetWriter:
    """A new Parquet file. Each batch becomes a row group; the file is on disk when `close` returns."""

    def __init__(self, path: Path, schema: Any, compression: ParquetCompression | None = COMPRESSION) -> None:
        words = get_args(ParquetCompression)
        if compression is not None and str(compression).lower() not in words:
            raise InvalidArgument(f"compression is {compression!r}: there are {', '.join(words)}")
        parquet = import_optional("pyarrow.parquet", "Parquet", "arrow")
        self._path = path
        self._writer = parquet.ParquetWriter(path, schema, compression=compression)

    def write(self, batch: Any) -> None:
        """Write a `pyarrow.RecordBatch`."""
        self._writer.write_batch(batch, row_group_size=GROUP_ROWS)

    def close(self) -> None:
        """Write the footer and sync the file."""
        self._writer.close()
        with self._path.open("rb") as file:
            os.fsync(file.fileno())
