"""Types of options that accept one of a few words. HBase's words are also accepted in lower case."""

from typing import Literal

Durability = Literal["USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"]
"""HBase's ``Durability``."""

Isolation = Literal["READ_COMMITTED", "READ_UNCOMMITTED"]
"""HBase's ``IsolationLevel``."""

CompareOperator = Literal[
    "==",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "EQUAL",
    "NOT_EQUAL",
    "LESS",
    "LESS_OR_EQUAL",
    "GREATER",
    "GREATER_OR_EQUAL",
    "NO_OP",
]
"""HBase's ``CompareOperator``, by name or as a sign."""

KeepDeletedCells = Literal["FALSE", "TRUE", "TTL"]
"""HBase's ``KeepDeletedCells``."""

BloomFilter = Literal["NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"]
"""HBase's ``BloomType``."""

Compression = Literal["NONE", "GZ", "SNAPPY", "LZ4", "ZSTD", "LZO", "BZIP2", "LZMA", "BROTLI"]
"""HBase's ``Compression.Algorithm``. Directories support the first five; a cluster may support the others."""

DataBlockEncoding = Literal["NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"]
"""HBase's ``DataBlockEncoding``."""

Form = Literal["rows", "cells"]
"""Lines of a data frame or file: one for each row, or one for each cell."""

ParquetCompression = Literal["none", "snappy", "gzip", "brotli", "lz4", "zstd"]
"""Compression of the column chunks of a Parquet file."""

IndexStrategy = Literal["filter", "periodic", "dual", "summary", "coprocessor"]
"""How an index is stored and kept up to date: see `rowstone.indexes`."""
