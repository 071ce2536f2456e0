"""Row keys in frames: the parts of a `rowstone.keys.Key` as the first columns, in place of ``row``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone.keys import Key


def check_key(key: object) -> None:
    """Raise `InvalidType` if ``key`` is neither the name of a codec nor a `Key`."""
    if not isinstance(key, str) and not hasattr(key, "fields"):
        raise InvalidType(f"key must be the name of a codec or a rowstone.keys.Key, not {type(key).__name__}")


def decode_parts(key: Key, rows: Iterable[bytes]) -> list[Sequence[Any]]:
    """Decode row keys; return the values of each part. Raises `InvalidArgument` for a row key of another format."""

    def decode(row: bytes) -> Any:
        try:
            return key.decode(row)
        except InvalidArgument as error:
            raise type(error)(f"row '{printable(row)}': {error}") from None

    return list(zip(*map(decode, rows), strict=True)) or [()] * len(key.fields)


def refuse_twins(key: Key, names: Iterable[str]) -> None:
    """Raise `InvalidArgument` if another column of the frame has the name of a part."""
    for name in names:
        if name in key.fields:
            raise InvalidArgument(f"the frame has a column '{name}' already: name that part of {key!r} otherwise")


def with_parts(stream: _native.ArrowStream, key: Key) -> Any:
    """Return a `pyarrow.RecordBatchReader` of the stream with the parts of the row keys in place of ``row``."""
    pyarrow = import_optional("pyarrow", "a Key for the rows of a frame", "arrow")
    others = [field for field in pyarrow.schema(stream) if field.name != "row"]
    refuse_twins(key, (field.name for field in others))
    types = [pyarrow.type_for_alias(part.arrow_type) for part in key.parts if part.name]
    schema = pyarrow.schema([*map(pyarrow.field, key.fields, types), *others])

    def batches() -> Iterator[Any]:
        with stream:
            for piece in stream:
                batch = pyarrow.record_batch(piece)
                parts = decode_parts(key, batch.column("row").to_pylist())
                arrays = [_array(pyarrow, values, kind) for values, kind in zip(parts, types, strict=True)]
                rest = [batch.column(field.name) for field in others]
                yield pyarrow.record_batch([*arrays, *rest], schema=schema)

    return pyarrow.RecordBatchReader.from_batches(schema, batches())


def _array(pyarrow: Any, values: Sequence[Any], kind: Any) -> Any:
    if kind == pyarrow.string():
        values = [None if value is None else str(value) for value in values]
    return pyarrow.array(values, kind)


def pandas_columns(library: Any, key: Key, rows: Iterable[bytes], index: Any) -> dict[str, Any]:
    """Return a pandas series for each part of the row keys."""
    types = [part.arrow_type for part in key.parts if part.name]
    return {
        name: series_of(library, list(values), _pandas_type(kind), index)
        for name, values, kind in zip(key.fields, decode_parts(key, rows), types, strict=True)
    }


def series_of(library: Any, values: list[Any], kind: str, index: Any = None) -> Any:
    """Return a pandas series of a type."""
    if kind == "UInt64":
        # pandas converts a list with numbers beyond int64 by way of floats, which rounds the others.
        return library.Series(values, index, dtype=object).astype(kind)
    return library.Series(values, index, dtype=kind)


def _pandas_type(arrow_type: str) -> str:
    if arrow_type in ("string", "binary"):
        return "object"
    return arrow_type.replace("uint", "UInt").replace("int", "Int")
