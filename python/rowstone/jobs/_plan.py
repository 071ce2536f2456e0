"""Mapping of the fields of a file to row key, timestamp and cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone._base.options import as_list
from rowstone._base.options.words import Durability
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes, pair_of
from rowstone._native import Put
from rowstone.errors import InvalidArgument, InvalidType, RowstoneError
from rowstone.jobs.files.json_lines import Number, json_text
from rowstone.keys._key import Key
from rowstone.keys.parts._buckets import RoundRobin
from rowstone.keys.parts._part import MISSING

if TYPE_CHECKING:
    from rowstone.keys import Key


Encoder = Callable[[Any], bytes]
"""Converts a value of a file (bytes in CSV and TSV, typed in JSON and Parquet) to the bytes to store."""

ROW_KEY = "HBASE_ROW_KEY"
TIMESTAMP_KEY = "HBASE_TS_KEY"
_CELL_BYTES = 40
ColumnsArgument = Mapping[str, str] | Sequence[str]


class BadValue(Exception):
    """A value that cannot be stored, with the name of its source and the reason."""

    def __init__(self, source: str, value: Any, reason: str) -> None:
        super().__init__(reason)
        self.source, self.value, self.reason = source, value, reason


@dataclass(frozen=True)
class Cell:
    """A column of the table, and the index of its value in a record."""

    column: tuple[bytes, bytes]
    place: int
    encode: Encoder


@dataclass(frozen=True)
class Plan:
    """Conversion of a record to a `Put`. ``sources`` are the fields to read; places are indexes into them.

    ``key_text`` is the `rowstone.keys.Key` of the row keys, if there is one.
    """

    sources: tuple[str | int, ...]
    names: tuple[str, ...]
    key_places: tuple[int, ...]
    encode_key: Callable[..., bytes]
    timestamp_place: int | None
    cells: tuple[Cell, ...]
    skip_empty: bool
    key_text: str | None = None

    @property
    def families(self) -> list[bytes]:
        """The families that are written."""
        return sorted({cell.column[0] for cell in self.cells})

    @property
    def first_cell_fields(self) -> int:
        """Minimum number of fields of a line with a cell; 0 if fields have names."""
        places = [self.sources[cell.place] for cell in self.cells]
        return 1 + min((place for place in places if isinstance(place, int)), default=-1)

    def put(self, values: Sequence[Any], timestamp: int, durability: Durability | None) -> tuple[Put, int, int] | None:
        """The put of a record, with its number of cells and bytes; None for a key without cells. Raises `BadValue`."""
        key = self._key(values)
        if self.timestamp_place is not None:
            timestamp = self._timestamp(values[self.timestamp_place])
        data, size_bytes = [], len(key)
        for cell in self.cells:
            value = values[cell.place]
            if value is None or (self.skip_empty and value in (b"", "")):
                continue
            try:
                stored = cell.encode(_checked(cell.encode, value))
                data.append((cell.column, stored))
                size_bytes += _CELL_BYTES + len(stored)
            except Exception as error:
                raise BadValue(self.names[cell.place], value, _reason(error)) from error
        if not data:
            return None
        try:
            return Put(key, data, timestamp=timestamp, durability=durability), len(data), size_bytes
        except RowstoneError as error:
            raise BadValue("", key, str(error)) from error

    def _key(self, values: Sequence[Any]) -> bytes:
        parts = [values[place] for place in self.key_places]
        name = ", ".join(self.names[place] for place in self.key_places)
        if None in parts:
            raise BadValue(self.names[self.key_places[parts.index(None)]], None, "the row key is missing")
        try:
            key = self.encode_key(*(_checked(self.encode_key, part) for part in parts))
        except BadValue:
            raise
        except Exception as error:
            shown = parts[0] if len(parts) == 1 else ", ".join(map(_text, parts))
            raise BadValue(name, shown, _reason(error)) from error
        if not key:
            raise BadValue(name, key, "the row key is empty")
        return key

    def _timestamp(self, value: Any) -> int:
        name = self.names[self.timestamp_place or 0]
        try:
            stamp = int(value)
            # Python reads 1_0 as 10, and cuts off fractions.
            text = value.decode() if isinstance(value, bytes) else value
            if isinstance(value, bool) or ("_" in text if isinstance(text, str) else stamp != value):
                raise ValueError(value)
        except (TypeError, ValueError, OverflowError):
            raise BadValue(name, value, "not a timestamp in milliseconds") from None
        if stamp < 0:
            raise BadValue(name, value, "a timestamp cannot be negative")
        return stamp


def plan_of(
    columns: ColumnsArgument,
    *,
    key: str | Iterable[str] | Key | None,
    timestamp_field: str | None,
    encode: Mapping[str, Encoder] | None,
    encode_key: Callable[..., bytes] | None,
    skip_empty: bool,
) -> Plan:
    """Build a plan from ``{"f:q": "field"}`` with a key, or HBase's list of fields: ``["HBASE_ROW_KEY", "f:q"]``."""
    if isinstance(columns, (str, bytes)):
        raise InvalidType(f"columns is the text {columns!r}: pass a mapping {{'f:q': field}} or a list of fields")
    if isinstance(columns, Mapping):
        if key is None:
            raise InvalidArgument("the field of the row key is missing: pass key=")
        keys, encode_key = _keys(key, encode_key)
        targets: list[tuple[str, str | int]] = list(columns.items())
        for name in columns:
            pair_of(as_bytes(name, "column"))
        stamp: str | int | None = timestamp_field
    else:
        if key is not None or timestamp_field is not None:
            raise InvalidArgument(f"a list of fields needs no key= or timestamp_field=: use {ROW_KEY}, {TIMESTAMP_KEY}")
        keys, stamp, targets = _positions(columns)
    if len(keys) > 1 and encode_key is None:
        raise InvalidArgument(f"a key of the fields {keys} needs encode_key=")
    if not targets:
        raise InvalidArgument("no field is mapped to a column")
    sources = tuple(dict.fromkeys([*keys, *([] if stamp is None else [stamp]), *(source for _, source in targets)]))
    place = {source: index for index, source in enumerate(sources)}
    encoders = _encoders(encode, [name for name, _ in targets])
    return Plan(
        sources,
        _names(sources, None if isinstance(columns, Mapping) else columns),
        tuple(place[source] for source in keys),
        encode_key or bytes_of_value,
        None if stamp is None else place[stamp],
        tuple(Cell(_column(name), place[source], encoders.get(name, bytes_of_value)) for name, source in targets),
        skip_empty,
        repr(key) if hasattr(key, "parts") else None,
    )


def _keys(
    key: str | Iterable[str] | Key, encode_key: Callable[..., bytes] | None
) -> tuple[list[str | int], Callable[..., bytes] | None]:
    """The fields of the row key, and the function that encodes them."""
    if isinstance(key, str):
        return [key], encode_key
    # Not for files that have the key in a field.
    from rowstone.jobs._plan import key_encoder, key_fields
    from rowstone.keys import Key

    if not isinstance(key, Key):
        fields: list[str | int] = [*as_list("key", key)]
        if not fields:
            raise InvalidArgument("key has no fields: name the field of the row key")
        return fields, encode_key
    if encode_key is not None:
        raise InvalidArgument("encode_key= and a key of parts exclude each other")
    return key_fields(key), key_encoder(key)


def _positions(columns: Sequence[str]) -> tuple[list[str | int], int | None, list[tuple[str, str | int]]]:
    if columns.count(ROW_KEY) != 1 or columns.count(TIMESTAMP_KEY) > 1:
        raise InvalidArgument(f"the fields {','.join(columns)} need {ROW_KEY} once, and {TIMESTAMP_KEY} at most once")
    stamp = columns.index(TIMESTAMP_KEY) if TIMESTAMP_KEY in columns else None
    targets: list[tuple[str, str | int]] = []
    for index, name in enumerate(columns):
        if name.startswith("HBASE_") and name not in (ROW_KEY, TIMESTAMP_KEY):
            raise InvalidArgument(f"field {name} is not known: there are {ROW_KEY} and {TIMESTAMP_KEY}")
        if name and name not in (ROW_KEY, TIMESTAMP_KEY):
            targets.append((name, index))
    return [columns.index(ROW_KEY)], stamp, targets


def _names(sources: Sequence[str | int], columns: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(columns[source] if columns and isinstance(source, int) else str(source) for source in sources)


def _encoders(encode: Mapping[str, Encoder] | None, names: list[str]) -> Mapping[str, Encoder]:
    for name in encode or ():
        if name not in names:
            raise InvalidArgument(f"encode names column '{name}', which is not filled; there are {', '.join(names)}")
    return encode or {}


def _column(name: str) -> tuple[bytes, bytes]:
    family, _, qualifier = as_bytes(name).partition(b":")
    return family, qualifier


def _checked(encode: Callable[..., bytes], value: Any) -> Any:
    """Return a value for an encoder. A number that only its text represents is refused, because it is not infinite."""
    if isinstance(value, Number) and math.isinf(value) and encode is not bytes_of_value:
        raise ValueError("the number is too large for a float")
    return value


def _text(value: Any) -> str:
    return printable(value) if isinstance(value, bytes) else str(value)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def bytes_of_value(value: Any) -> bytes:
    """Encode a value without an encoder: bytes unchanged, text as UTF-8, all else as JSON.

    >>> bytes_of_value("é"), bytes_of_value(12), bytes_of_value(True), bytes_of_value([1, None])
    (b'\\xc3\\xa9', b'12', b'true', b'[1,null]')
    """
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bool, int, float, list, dict)):
        return json_text(value).encode()
    # Dates and decimals of Parquet, in ISO's form.
    return str(value).encode()


def key_fields(key: Key) -> list[str | int]:
    """Return the fields of a file that a key consists of: the names of its parts.

    Raises:
        InvalidArgument: The key differs each time it is encoded, so a resumed import would write rows twice; or it
            has no fields.
    """
    for part in key.parts:
        if isinstance(part, RoundRobin) or (part.name and part.default() is not MISSING):
            raise InvalidArgument(
                f"{part!r} makes another key each time, so rows that are written again after an interruption would be "
                "duplicated; use salt or bucket"
            )
    if not key.fields:
        raise InvalidArgument(f"{key!r} has no fields")
    return list(key.fields)


def key_encoder(key: Key) -> Callable[..., bytes]:
    """Return the function that encodes the values of `key_fields` as a row key. CSV values are bytes; JSON and Parquet
    have their own types."""
    parts = {part.name: part for part in key.parts if part.name}

    def value_of(name: str, value: Any) -> Any:
        try:
            text = value.decode() if isinstance(value, bytes) else value
            return parts[name].from_text(text) if isinstance(text, str) else text
        except Exception as error:
            raise BadValue(name, value, _reason(error)) from error

    def encode(*values: Any) -> bytes:
        return key.encode({name: value_of(name, value) for name, value in zip(key.fields, values, strict=True)})

    return encode
