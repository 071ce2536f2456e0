"""Scans as data frames of other libraries, and data frames written to tables.

The Arrow streams are native (`rowstone.ArrowStream`) and need no library; the library that reads them is imported when
it is needed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base.lazy import import_optional
from rowstone._base.options.words import Durability, Form, ParquetCompression
from rowstone._base.printable import printable
from rowstone._base.targets import complete_file, writing
from rowstone._core.key_columns import check_key, pandas_columns, refuse_twins, series_of, with_parts
from rowstone._core.parquet import COMPRESSION, GROUP_ROWS, ParquetWriter
from rowstone.errors import InvalidArgument, InvalidType

if TYPE_CHECKING:
    import os

    from rowstone.codecs import Codecs
    from rowstone.codecs._codec import CodecArgument
    from rowstone.keys import Key

    CodecMapping = Mapping[str, CodecArgument] | Mapping[bytes, CodecArgument]

BATCH_ROWS = 65_536
BATCH_BYTES = 8 << 20
_MOST_THREADS = 256
_GROUP_BYTES = 64 << 20


def codecs_of(handle: _native.Scanner | _native.Table, codecs: CodecMapping | None) -> Codecs:
    """Return the codecs that were passed, or those declared for the table."""
    from rowstone.codecs import Codecs, declared

    if isinstance(codecs, Codecs):
        return codecs
    return declared(handle._describe()[2]) if codecs is None else Codecs(codecs)


def arrow(
    scanner: _native.Scanner,
    form: Form = "rows",
    *,
    codecs: CodecMapping | None = None,
    key: str | Key = "bytes",
    versions: bool = False,
    batch_rows: int = BATCH_ROWS,
    batch_bytes: int = BATCH_BYTES,
    threads: int = 1,
    columns: list[tuple[bytes, bytes]] | None = None,
) -> Any:
    """See `Scanner.arrow`. ``columns`` are the columns of the rows, if the caller knows them."""
    from rowstone.codecs import codec

    check_key(key)
    _check("batch_rows", batch_rows, 2**31 - 1)
    _check("batch_bytes", batch_bytes, 2**31 - 1)
    _check("threads", threads, _MOST_THREADS)
    named = {} if form == "cells" else {name: _kind(one.name) for name, one in codecs_of(scanner, codecs).items()}
    options = {
        "form": form,
        "key": _kind(codec(key).name) if isinstance(key, str) else "bytes",
        "codecs": named,
        "columns": columns,
        "versions": bool(versions),
        "batch_rows": batch_rows,
        "batch_bytes": batch_bytes,
        "threads": threads,
    }
    stream = scanner._arrow(options)
    return stream if isinstance(key, str) else with_parts(stream, key)


def _check(name: str, number: int, most: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        raise InvalidType(f"{name} must be an int, not {type(number).__name__}")
    if not 1 <= number <= most:
        raise InvalidArgument(f"{name} {number} is outside 1 to {most}")


def _kind(name: str | Mapping[str, Any]) -> str:
    """The name under which Rust knows a codec."""
    return name if isinstance(name, str) else "avro"


def read_all(stream: _native.ArrowStream) -> Any:
    """See `ArrowStream.read_all`."""
    return import_optional("pyarrow", "read_all()", "arrow").RecordBatchReader.from_stream(stream).read_all()


def polars(scanner: _native.Scanner, form: Form = "rows", **options: Any) -> Any:
    """See `Scanner.polars`."""
    return import_optional("polars", "scan(...).polars()", "polars").DataFrame(arrow(scanner, form, **options))


class Rescan:
    """A scan that runs again each time it is read, for a DuckDB relation.

    The columns and their codecs are determined once: columns added later are left out.
    """

    def __init__(self, scanner: _native.Scanner, form: Form, options: dict[str, Any]) -> None:
        self._scanner = scanner
        self._form = form
        self._options = options
        if form == "rows":
            self._options = {**options, "codecs": codecs_of(scanner, options.get("codecs"))}
            self._options["columns"] = scanner._columns()
        scanner.close()
        with self._stream() as first:
            self._schema = _schema(first)

    def _stream(self) -> Any:
        return arrow(self._scanner._preview(2**63 - 1), self._form, **self._options)

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream().__arrow_c_stream__()


def _schema(stream: Any) -> Any:
    """Return the object that has Arrow's schema of a stream: pyarrow's readers have it as an attribute."""
    return getattr(stream, "schema", stream)


def duckdb(scanner: _native.Scanner, connection: Any = None, *, form: Form = "rows", **options: Any) -> Any:
    """See `Scanner.duckdb`."""
    library = import_optional("duckdb", "scan(...).duckdb()", "duckdb")
    scan = Rescan(scanner, form, options)
    return library.from_arrow(scan) if connection is None else connection.from_arrow(scan)


def to_parquet(
    scanner: _native.Scanner,
    path: str | os.PathLike[str],
    *,
    form: Form = "rows",
    compression: ParquetCompression = COMPRESSION,
    **options: Any,
) -> int:
    """See `Scanner.to_parquet`."""
    pyarrow = import_optional("pyarrow", "scan(...).to_parquet()", "arrow")
    written = 0
    with (
        arrow(scanner, form, batch_rows=GROUP_ROWS, batch_bytes=_GROUP_BYTES, **options) as stream,
        writing(path),
        complete_file(path) as new,
        contextlib.closing(ParquetWriter(new, pyarrow.schema(_schema(stream)), compression)) as writer,
    ):
        for batch in stream:
            writer.write(pyarrow.record_batch(batch))
            written += len(batch)
    return written


def pandas(
    scanner: _native.Scanner,
    *,
    decode: str | None = None,
    codecs: CodecMapping | None = None,
    key: str | Key = "bytes",
    versions: bool = False,
) -> Any:
    """See `Scanner.pandas`."""
    library = import_optional("pandas", "scan(...).pandas()", "pandas")
    check_key(key)
    found = codecs_of(scanner, codecs)
    keys, timestamps, columns = _versions(scanner) if versions else _newest(scanner)
    for name in scanner._named_columns():
        columns.setdefault(name, [None] * len(keys))

    def text(value: Any) -> Any:
        return value if decode is None or value is None else value.decode(decode, errors="backslashreplace")

    def series(column: bytes, values: list[bytes | None]) -> Any:
        codec = found.of(column)
        if codec is None:
            return library.Series([text(value) for value in values], index, dtype=object)
        return series_of(library, _decoded(codec, column, values), codec.frame, index)

    index = _index(library, keys, key, text)
    data: dict[str, Any] = {}
    if versions:
        data["timestamp"] = library.Series(timestamps, index, dtype="int64")
    data |= {name: series(column, columns[column]) for name, column in _names_of(sorted(columns)).items()}
    if not isinstance(key, str):
        refuse_twins(key, data)
        data = {**pandas_columns(library, key, keys, index), **data}
    return library.DataFrame(data, index=index)


def _names_of(columns: Iterable[bytes]) -> dict[str, bytes]:
    """Map the names of columns in frames to the columns: text as it is, other bytes escaped, as in Arrow streams."""
    found: dict[str, bytes] = {}
    for column in columns:
        if (other := found.setdefault(column.decode(errors="backslashreplace"), column)) != column:
            raise InvalidArgument(
                f"columns '{printable(other)}' and '{printable(column)}' have the same name in a frame: "
                "select one of them with columns=[...]"
            )
    return found


def _index(library: Any, keys: list[bytes], key: str | Key, text: Callable[[Any], Any]) -> Any:
    """Return the row keys as the index of a pandas frame; with a `Key` they become columns, and the index counts."""
    from rowstone.codecs import codec

    if not isinstance(key, str):
        return library.RangeIndex(len(keys))
    if key == "bytes":
        return library.Index([text(row) for row in keys], name="row", dtype=object)
    kind = codec(key)
    return library.Index(series_of(library, _decoded(kind, b"row", keys), kind.frame), name="row")


_Columns = dict[bytes, list[bytes | None]]


def _newest(scanner: _native.Scanner) -> tuple[list[bytes], list[int], _Columns]:
    keys, columns = scanner.to_columns()
    return keys, [], columns


def _versions(scanner: _native.Scanner) -> tuple[list[bytes], list[int], _Columns]:
    """One line for each timestamp of a row, newest first."""
    keys: list[bytes] = []
    timestamps: list[int] = []
    columns: _Columns = {}
    for row in scanner:
        lines: dict[int, dict[bytes, bytes]] = {}
        for cell in row.cells:
            if not cell.type.startswith("Delete"):
                lines.setdefault(cell.timestamp, {}).setdefault(cell.column, cell.value)
        for timestamp in sorted(lines, reverse=True):
            for column, value in lines[timestamp].items():
                values = columns.setdefault(column, [])
                values.extend([None] * (len(keys) - len(values)))
                values.append(value)
            keys.append(row.key)
            timestamps.append(timestamp)
    for values in columns.values():
        values.extend([None] * (len(keys) - len(values)))
    return keys, timestamps, columns


def _decoded(codec: Any, column: bytes, values: Iterable[bytes | None]) -> list[Any]:
    try:
        return [None if value is None else codec.decode(value) for value in values]
    except InvalidArgument as error:
        raise type(error)(f"column '{printable(column)}': {error}") from None


def put(
    table: _native.Table,
    source: Any,
    row_column: str,
    columns: Mapping[str, str | bytes] | Iterable[str] | None,
    *,
    family: str | bytes | None,
    codecs: CodecMapping | None,
    key: str | None,
    timestamp: Any,
    ttl_ms: Any,
    durability: Durability | None,
) -> int:
    """See `Table.put_frame`."""
    from rowstone.codecs import codec

    found = codecs_of(table, codecs)
    reader = _native.FrameSource(_with_stream(source))
    names = reader.names
    at = _place(names, row_column, "row_column")
    stamps = _place(names, timestamp, "timestamp") if isinstance(timestamp, str) else None
    targets = []
    written: dict[tuple[bytes, bytes], str] = {}
    for name, column in _targets(
        names, {row_column, timestamp} if stamps is not None else {row_column}, columns
    ).items():
        part, qualifier = _column(name, column, family)
        if (other := written.setdefault((part, qualifier), name)) != name:
            shown = printable(part + b":" + qualifier)
            raise InvalidArgument(
                f"columns {other!r} and {name!r} are both written to '{shown}': leave one of them out"
            )
        declared = found.of(part + b":" + qualifier)
        kind = None if declared is None else _kind(declared.name)
        targets.append((_place(names, name, "columns"), kind, part, qualifier))
    if not targets:
        raise InvalidArgument(f"there is nothing to write: the source has no columns but {', '.join(names)}")
    return reader.write(
        table,
        (at, None if key is None else _kind(codec(key).name)),
        targets,
        timestamp=None if stamps is not None else timestamp,
        timestamps=stamps,
        ttl_ms=ttl_ms,
        durability=durability,
    )


def _with_stream(source: Any) -> Any:
    """Return the source, which provides Arrow's C interface, or raise what is missing for that."""
    module = type(source).__module__.partition(".")[0]
    if module == "pandas":
        import_optional("pyarrow", "a frame of pandas as Arrow", "arrow")
    if module == "polars" and hasattr(source, "collect"):
        raise InvalidType("a lazy frame has no rows yet: pass frame.collect()")
    return source


def _place(names: list[str], name: str, what: str) -> int:
    if names.count(name) != 1:
        known = "more than one" if name in names else "no"
        raise InvalidArgument(f"{what}: the source has {known} column {name!r}; it has {', '.join(names)}")
    return names.index(name)


def _targets(
    names: list[str], taken: set[Any], columns: Mapping[str, str | bytes] | Iterable[str] | None
) -> dict[str, str | bytes]:
    """Map column names of the source to columns of the table."""
    if columns is None:
        return {name: name for name in names if name not in taken}
    if isinstance(columns, Mapping):
        return dict(columns)
    if isinstance(columns, (str, bytes)):
        raise InvalidType("columns must be several names, or a mapping from names to columns, not one name")
    return {name: name for name in columns}


def _column(name: str, column: str | bytes, family: str | bytes | None) -> tuple[bytes, bytes]:
    from rowstone._base.schema import as_bytes

    part, colon, qualifier = as_bytes(column).partition(b":")
    if colon:
        return part, qualifier
    if family is None:
        raise InvalidArgument(
            f"column {name!r} has no family: pass family= for all such columns, "
            f"or columns={{{name!r}: 'family:qualifier'}}"
        )
    return as_bytes(family), part
