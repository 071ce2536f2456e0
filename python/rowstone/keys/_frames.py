"""Frames whose columns form row keys, written to a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone.keys._key import Key


def put_frame(table: Table, source: Any, key: Key, columns: Any, **options: Any) -> int:
    """See `KeyedTable.put_frame`."""
    failures: list[InvalidArgument] = []
    try:
        return table.put_frame(with_row_keys(source, key, failures), "row", columns, **options)
    except InvalidArgument as error:
        if not failures:
            raise
        # Arrow's C interface has passed the error on as text, with a traceback.
        failure = failures[0]
        vars(failure).update(vars(error))
        raise failure from None


def with_row_keys(source: Any, key: Key, failures: list[InvalidArgument]) -> Any:
    """Return the frame as an Arrow stream with the row keys in ``row``, and without the columns that form them.

    If values do not fit the key, the stream ends with an error before their row, which is added to ``failures``.

    Raises:
        InvalidArgument: A column of the key is missing, or there already is a column ``row``.
    """
    pyarrow = import_optional("pyarrow", "put_frame() of a keyed table", "arrow")
    reader = pyarrow.RecordBatchReader.from_stream(source)
    names, fields = reader.schema.names, list(key.fields)
    if missing := [name for name in fields if name not in names]:
        raise InvalidArgument(f"the frame has no column '{missing[0]}' of {key!r}; it has {', '.join(names)}")
    if "row" in names and "row" not in fields:
        raise InvalidArgument("the frame has a column 'row', which is the name of the row keys: rename it")
    kept = [place for place, name in enumerate(names) if name not in fields]
    schema = pyarrow.schema([pyarrow.field("row", pyarrow.binary()), *(reader.schema.field(place) for place in kept)])

    def batches() -> Iterator[Any]:
        first = 0
        for batch in reader:
            parts = [batch.column(names.index(name)).to_pylist() for name in fields]
            rows = _row_keys(key, parts, first, failures)
            arrays = [pyarrow.array(rows, pyarrow.binary())]
            arrays += [batch.column(place).slice(0, len(rows)) for place in kept]
            yield pyarrow.record_batch(arrays, schema=schema)
            if failures:
                raise failures[0]
            first += len(rows)

    return pyarrow.RecordBatchReader.from_batches(schema, batches())


def _row_keys(key: Key, parts: list[list[Any]], first: int, failures: list[InvalidArgument]) -> list[bytes]:
    """Return the row keys up to the first row whose values do not fit; ``first`` is the number of the first row."""
    rows: list[bytes] = []
    for values in zip(*parts, strict=True):
        try:
            rows.append(key.encode(dict(zip(key.fields, values, strict=True))))
        except InvalidArgument as error:
            number = first + len(rows)
            failures.append(type(error)(f"row {number}: {error} (rows are counted from 0)"))
            break
    return rows
