"""Data frames whose columns form the row keys of a `KeyedTable`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone.keys._key import Key


def with_row_keys(source: Any, key: Key) -> Any:
    """Return the frame as an Arrow stream with the row keys in ``row``, and without the columns that form them.

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
        for batch in reader:
            parts = zip(*(batch.column(names.index(name)).to_pylist() for name in fields), strict=True)
            rows = [key.encode(dict(zip(fields, values, strict=True))) for values in parts]
            arrays = [pyarrow.array(rows, pyarrow.binary()), *(batch.column(place) for place in kept)]
            yield pyarrow.record_batch(arrays, schema=schema)

    return pyarrow.RecordBatchReader.from_batches(schema, batches())
